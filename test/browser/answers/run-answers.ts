import type { Page } from 'playwright-core';
import type { z } from 'zod';
import { runRoutes } from '../../../src-shared/api/runs.ts';
import { intercept } from '../../support/intercepted-requests.ts';

type RunRoute = (typeof runRoutes)[number];
type Answer<Id extends RunRoute['id']> = Extract<RunRoute, { id: Id }>['answer'] extends infer A
  ? A extends z.ZodType
    ? z.input<A>
    : never
  : never;

/** An answer of a route, refused here when the route would not give it: such data cannot drift from the contract. */
export function answerOf<Id extends RunRoute['id']>(id: Id, answer: Answer<Id>): string {
  const schema = runRoutes.find((route) => route.id === id)?.answer;
  if (schema === undefined || typeof schema === 'string') throw new Error(`${id} answers no JSON.`);
  return JSON.stringify(schema.parse(answer));
}

/** Answers a route of the console with this text from now on. */
export async function answerWith(page: Page, path: RegExp, body: string): Promise<void> {
  await intercept(page, path, (route) => route.fulfill({ contentType: 'application/json', body }));
}

export const read = {
  source: 'github',
  complete: true,
  read_at: new Date().toISOString(),
  unmeasured: [],
};

export const unread = (reason: string) => ({
  source: 'unavailable',
  complete: false,
  read_at: new Date().toISOString(),
  unmeasured: [reason],
});
