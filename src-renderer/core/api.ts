import type { z } from 'zod';
import { type RouteId, type RouteOf, routeTable } from '#shared/api/index.ts';
import type { Route } from '#shared/api/route.ts';
import { callRoute, type LooseInput, type Send } from './call-route.ts';

type Schema<R extends Route, K extends 'params' | 'query' | 'body'> = R extends {
  readonly [P in K]: infer S extends z.ZodType;
}
  ? { readonly [P in K]: z.input<S> }
  : unknown;

/** Input of a call of route `R`: exactly the parts its row in the table declares. */
export type CallInput<R extends Route> = Schema<R, 'params'> & Schema<R, 'query'> & Schema<R, 'body'>;

/** Type that a call of route `R` resolves to. */
export type CallAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : string;

/** Routes a page can call: a redirect is a place to go, and a stream is a download. */
export type CallableId = {
  [Id in RouteId]: RouteOf<Id>['answer'] extends 'redirect' | 'stream' | 'audio' | 'events' ? never : Id;
}[RouteId];

type Arguments<R extends Route> = unknown extends CallInput<R> ? [] : [input: CallInput<R>];

export type Call = <Id extends CallableId>(
  id: Id,
  ...input: Arguments<RouteOf<Id>>
) => Promise<CallAnswer<RouteOf<Id>>>;

/** The path of a route without parameters, for what is no call: a download, a stream. */
export function pathOf(id: RouteId): string {
  return rowOf(id).path;
}

/**
 * The console's client, read from the route table: path, method, body and the answer's shape all come from there. An
 * answer that does not have the table's shape is refused here, so a page never sees half of one.
 */
export function createCall(send: Send): Call {
  const callById = (id: CallableId, input: LooseInput = {}) => callRoute(send, rowOf(id), input);
  // The table's own schema proves each answer's shape; TypeScript cannot tie a looked-up row to its id.
  return callById as Call;
}

/** `createCall` on the page's own `fetch`: same origin, session cookie, the browser's cache and its revalidation. */
export const call: Call = createCall((url, init) => fetch(url, init));

/** The row of a route in the table. */
export function rowOf(id: RouteId): Route {
  const route: Route | undefined = routeTable.find((entry) => entry.id === id);
  if (route === undefined) throw new Error(`There is no route ${id}.`);
  return route;
}
