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
  const { answer: schema } = rowOf(id);
  if (typeof schema === 'string') throw new Error(`${id} answers no JSON.`);
  await intercept(page, routeRequests(id), (request) =>
    request.fulfill({ json: schema.parse(answer(new URL(request.request().url()).searchParams)) }),
  );
}

/** Has a route fail with this status and sentence; a later `answerRoute` answers it again. */
export const failRoute = (page: Page, id: RouteId, error: string, status = 500): Promise<void> =>
  intercept(page, routeRequests(id), (request) => request.fulfill({ status, json: { error } }));

/** Has a route never answer, so that a page shows what it shows while it waits. */
export const holdRoute = (page: Page, id: RouteId): Promise<void> =>
  intercept(page, routeRequests(id), () => undefined);

function rowOf(id: RouteId): Route {
  const route: Route | undefined = routeTable.find((row) => row.id === id);
  if (route === undefined) throw new Error(`There is no route ${id}.`);
  return route;
}

const matches = new Map<RouteId, (url: URL) => boolean>();

/** Matches requests of a route whose path has no parameter; the same function each time, for `stopIntercepting`. */
export function routeRequests(id: RouteId): (url: URL) => boolean {
  const { path } = rowOf(id);
  const match = matches.get(id) ?? ((url: URL) => url.pathname === path);
  matches.set(id, match);
  return match;
}

/** Moments are counted back from the start of the test, in minutes. */
const started = Date.now();
export const minutesAgo = (minutes: number): string => new Date(started - minutes * 60_000).toISOString();
