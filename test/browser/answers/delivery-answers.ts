import type { Page } from 'playwright-core';
import type { z } from 'zod';
import { type RouteId, type RouteOf, routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import { intercept } from '../../support/intercepted-requests.ts';

/** What a handler of the route may answer. */
export type Answer<Id extends RouteId> = RouteOf<Id>['answer'] extends infer S extends z.ZodType
  ? z.input<S>
  : never;

/** Answers a route of the console in the browser. The route's own schema reads the answer first, so it cannot drift. */
export async function answerRoute<Id extends RouteId>(
  page: Page,
  id: Id,
  answer: (query: URLSearchParams) => Answer<Id>,
): Promise<void> {
  const route: Route | undefined = routeTable.find((row) => row.id === id);
  if (route === undefined || typeof route.answer === 'string') throw new Error(`${id} answers no JSON.`);
  const { answer: schema, path } = route;
  await intercept(
    page,
    (url) => url.pathname === path,
    (request) =>
      request.fulfill({ json: schema.parse(answer(new URL(request.request().url()).searchParams)) }),
  );
}

/** Moments are counted back from the start of the test, in minutes. */
const started = Date.now();
export const minutesAgo = (minutes: number): string => new Date(started - minutes * 60_000).toISOString();

/** A commit id made of a letter or digit. */
export const shaOf = (character: string): string => character.repeat(40);

/** What every read of the code host says of itself when all of it was read. */
export const wholeReading = (): {
  source: string;
  complete: boolean;
  read_at: string;
  unmeasured: string[];
} => ({
  source: 'github',
  complete: true,
  read_at: minutesAgo(0),
  unmeasured: [],
});

/** The same when nothing could be read. */
export const noReading = (reason: string) => ({
  ...wholeReading(),
  source: 'unavailable',
  complete: false,
  unmeasured: [reason],
});

const setting = { source: 'default', settable: true } as const;

/** What the console says of its code host: attached to none, or to one. */
export const attachment = (configured: boolean): Answer<'codeHost.read'> => ({
  ...(configured ? wholeReading() : noReading('This console is attached to no code host.')),
  configured,
  settings: {
    app_id: setting,
    installation_id: setting,
    api_url: setting,
    reserve: setting,
    private_key: { ...setting, set: configured },
  },
});
