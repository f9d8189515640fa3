import type { z } from 'zod';
import { type RouteId, type RouteOf, routeTable } from '#shared/api/index.ts';
import type { Route } from '#shared/api/route.ts';
import { ConsoleError, type ErrorName, errorNameOf } from '#shared/errors.ts';

/** A call to the console that did not succeed. The message is a sentence for the person. */
export class CallFailed extends ConsoleError {
  /** The HTTP status; undefined when nothing answered. */
  readonly status: number | undefined;

  constructor(
    name: ErrorName,
    message: string,
    status: number | undefined,
    headers: Record<string, string> = {},
  ) {
    super(name, message, headers);
    this.status = status;
  }

  /** Whole seconds until a next try may succeed, from `Retry-After`. */
  get retryAfterSeconds(): number | undefined {
    const seconds = Number(this.headers['Retry-After']);
    return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
  }
}

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
  [Id in RouteId]: RouteOf<Id>['answer'] extends 'redirect' | 'stream' | 'events' ? never : Id;
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

type LooseInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/**
 * The console's client, read from the route table: path, method, body and the answer's shape all come from there. An
 * answer that does not have the table's shape is refused here, so a page never sees half of one.
 */
export function createCall(send: (url: string, init: RequestInit) => Promise<Response>): Call {
  const callRoute = async (id: CallableId, input: LooseInput = {}): Promise<unknown> => {
    const route = rowOf(id);
    const method = route.method === 'any' ? 'POST' : route.method;
    const response = await answered(send(addressOf(route, input), requestOf(method, input)));
    const text = await answered(response.text());
    if (!response.ok) throw refusal(response, text);
    return read(route, text);
  };
  // The table's own schema proves each answer's shape; TypeScript cannot tie a looked-up row to its id.
  return callRoute as Call;
}

/** `createCall` on the page's own `fetch`: same origin, session cookie, the browser's cache and its revalidation. */
export const call: Call = createCall((url, init) => fetch(url, init));

/** The row of a route in the table. */
export function rowOf(id: RouteId): Route {
  const route: Route | undefined = routeTable.find((entry) => entry.id === id);
  if (route === undefined) throw new Error(`There is no route ${id}.`);
  return route;
}

async function answered<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch {
    throw new CallFailed('Unavailable', 'The console did not answer. Is it still running?', undefined);
  }
}

/** Path and query of a call. */
export function addressOf(route: Route, input: LooseInput): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function requestOf(method: string, input: LooseInput): RequestInit {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (input.body === undefined) return { method, headers };
  headers['Content-Type'] = 'application/json';
  return { method, headers, body: JSON.stringify(input.body) };
}

/** The error of an answer that is not a success. */
export function refusal(response: Response, text: string): CallFailed {
  const name = errorNameOf(response.status);
  const retryAfter = response.headers.get('Retry-After');
  const message = errorSentence(text) ?? `The console answered ${response.status}.`;
  return new CallFailed(
    name,
    message,
    response.status,
    retryAfter === null ? {} : { 'Retry-After': retryAfter },
  );
}

/** The sentence of an `{"error": "..."}` body, the one error shape of the console and of its studio proxy. */
export function errorSentence(text: string): string | undefined {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  return typeof body.error === 'string' && body.error !== '' ? body.error : undefined;
}

function read(route: Route, text: string): unknown {
  if (typeof route.answer === 'string') return text;
  const parsed = route.answer.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  const where = field === '' ? 'as a whole' : `at ${field}`;
  throw new CallFailed('Unavailable', `The answer of ${route.path} was not understood ${where}.`, 200);
}

/** Returns what a JSON text says, or undefined for one that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
