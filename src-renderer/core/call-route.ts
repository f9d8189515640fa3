import type { Route } from '#shared/api/route.ts';
import { ConsoleError, type ErrorName, errorNameOf } from '#shared/errors.ts';

// Without the table of all routes: the worker that carries the event streams knows only its own.

export type Send = (url: string, init: RequestInit) => Promise<Response>;

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

/** What a call gives, before it is known of which route. */
export type LooseInput = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

/** Calls one route. Returns its answer in the shape that its row declares; throws `CallFailed` otherwise. */
export async function callRoute(send: Send, route: Route, input: LooseInput): Promise<unknown> {
  const method = route.method === 'any' ? 'POST' : route.method;
  const response = await answered(send(addressOf(route, input), requestOf(method, input)));
  const text = await answered(response.text());
  if (!response.ok) throw refusal(response, text);
  return read(route, text);
}

/** Returns what is waited for; a console that does not answer is a failure without a status. */
export async function answered<T>(pending: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await pending;
  } catch {
    signal?.throwIfAborted();
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
