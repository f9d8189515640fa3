import { request } from 'undici';
import type { Dialect } from './databases.ts';
import { type TestConsole, testConsole } from './test-console.ts';

/** The machine tokens of `openReportDoors`, by variable. */
export const doorTokens = {
  CONSOLE_JUDGEMENT_INGEST_TOKEN: 'judgement-token',
  CONSOLE_LINEAGE_INGEST_TOKEN: 'lineage-token',
  CONSOLE_RECON_INGEST_TOKEN: 'recon-token',
} as const;

/** A console on an empty database that takes reports of machines and of two Apps. */
export async function openReportDoors(
  dialect: Dialect,
  options: Parameters<typeof testConsole>[1] = {},
): Promise<{ console: TestConsole; close(): Promise<void> }> {
  const { place, remove } = await dialect.place();
  const console_ = await testConsole(doorTokens, {
    place,
    agentTokens: {
      'first-app': { app: 'first', installation: 1 },
      'second-app': { app: 'second', installation: 2 },
    },
    ...options,
  });
  return {
    console: console_,
    async close() {
      await console_.close();
      remove();
    },
  };
}

/** Posts a report with a bearer token. */
export async function report(
  console_: TestConsole,
  path: string,
  bearer: string,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const answer = await request(`${console_.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

/** Reads a route with these headers, such as a cookie or a bearer token. */
export async function readAs(
  console_: TestConsole,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> {
  const answer = await request(`${console_.url}${path}`, { headers });
  return { status: answer.statusCode, body: await answer.body.json() };
}
