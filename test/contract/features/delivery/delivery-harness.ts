import { request } from 'undici';
import { afterEach } from 'vitest';
import type { CodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { type RouteId, type RouteOf, routeTable } from '../../../../src-shared/api/index.ts';
import type { RouteAnswer } from '../../../../src-shared/api/route.ts';
import { startCodeHost, type TestCodeHost, type World } from '../../../support/code-host.ts';
import { type TestConsole, type TestConsoleOptions, testConsole } from '../../../support/test-console.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Run when the test is over, the last one first. */
export function whenOver(close: () => void | Promise<void>): void {
  closers.push(close);
}

/** The routes these suites read: each answers JSON. */
type Read = Extract<RouteId, `delivery.${string}` | 'codeHost.agentConfig'>;

export type Reader = {
  readonly console_: TestConsole;
  /** What the route answers, which must be as its contract says. */
  read<Id extends Read>(id: Id, query?: string): Promise<RouteAnswer<RouteOf<Id>>>;
};

/** A console that reads this code host, and its routes read as a page reads them. */
export async function reading(codeHost: CodeHost, options: TestConsoleOptions = {}): Promise<Reader> {
  const console_ = await testConsole({ CONSOLE_REGISTRY: 'registry.example' }, { codeHost, ...options });
  whenOver(() => console_.close());
  const cookie = await console_.cookie();
  return {
    console_,
    async read<Id extends Read>(id: Id, query = '') {
      const route = routeTable.find((candidate) => candidate.id === id);
      if (route === undefined || typeof route.answer === 'string') throw new Error(`${id} answers no JSON`);
      const answer = await request(`${console_.url}${route.path}${query}`, { headers: { cookie } });
      const body: unknown = await answer.body.json();
      if (answer.statusCode !== 200)
        throw new Error(`${id} answered ${answer.statusCode}: ${JSON.stringify(body)}`);
      // Parsed with that route's own shape just here; the lookup by id cannot carry the pairing.
      return route.answer.parse(body) as RouteAnswer<RouteOf<Id>>;
    },
  };
}

/** The same with the real client on a sandbox code host of this world; `advance` moves the clocks of all three. */
export async function readingWorld(
  world: World,
  options: TestConsoleOptions = {},
): Promise<Reader & TestCodeHost & { advance(ms: number): void }> {
  let ahead = 0;
  const host = await startCodeHost({ world, now: () => Date.now() + ahead });
  whenOver(host.close);
  const reader = await reading(host.codeHost, options);
  return {
    ...host,
    ...reader,
    advance(ms) {
      ahead += ms;
      reader.console_.advance(ms);
    },
  };
}

/** In whole seconds, as the code host tells time. */
const begun = Math.floor(Date.now() / 1000) * 1000;

/** Before this suite began, epoch ms; the same each time it is asked. */
export function minutesAgo(minutes: number): number {
  return begun - minutes * 60_000;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
