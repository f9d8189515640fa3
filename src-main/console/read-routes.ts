import type { Call, Caller, Handlers } from '#shared/api/handler.ts';
import { type RouteId, routeTable } from '#shared/api/index.ts';
import type { Route } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Asker, type AskRoutes, textEnd } from '../features/tools/index.ts';
import type { Gate } from './access.ts';
import { parseInput } from './parse-input.ts';

type Parts = {
  readonly gate: Pick<Gate, 'admitCaller'>;
  /** The handlers of the routes that can be read; looked up when one is. */
  readonly handlers: () => Partial<Handlers>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** A handler as it is looked up: its own types are checked where it is written, against its route. */
type AnyHandler = (input: { params: unknown; query: unknown; body: unknown }, call: Call) => unknown;

/**
 * Reads routes for who asks in the chat or of Ask: each through its own access class, shapes and handler, as if they
 * had sent the request. Only routes that read can be read.
 */
export function createRouteReads({ gate, handlers, now }: Parts): AskRoutes {
  const run = async (
    id: RouteId,
    parts: Parameters<Asker['readText']>[1],
    asked: Asked,
  ): Promise<unknown> => {
    const table: readonly Route[] = routeTable;
    const route = table.find((row) => row.id === id);
    if (route === undefined || route.method !== 'GET' || !['read', 'own'].includes(route.access.kind))
      throw new Error(`${id} is no route that a tool may read`);
    asked.signal.throwIfAborted();
    const caller = await gate.admitCaller(route.access, asked.caller);
    const query = Object.fromEntries(
      Object.entries(parts.query ?? {}).filter(([, value]) => value !== undefined),
    );
    const input = {
      params: parseInput(route.params, parts.params, 'path'),
      query: parseInput(route.query, query, 'query'),
      body: undefined,
    };
    const handler = handlers()[id] as AnyHandler | undefined;
    if (handler === undefined) throw new ConsoleError('Unavailable', `${route.path} is not read here.`);
    return handler(input, callOf(caller, asked.signal));
  };
  return ({ caller, signal, target }) => {
    const asked = { caller, signal };
    // The table pairs an id with its answer; a handler that is looked up by it cannot say so.
    const read = ((id: RouteId, parts = {}) => run(id, parts, asked)) as Asker['read'];
    return {
      caller,
      signal,
      target,
      now,
      read,
      async readText(id, parts, most) {
        return textEnd(await run(id, parts, asked), most);
      },
    };
  };
}

type Asked = { readonly caller: Caller; readonly signal: AbortSignal };

/** The call of a read that no request of its own carries: it sets no cookie and opens no stream. */
function callOf(caller: Caller, signal: AbortSignal): Call {
  return {
    caller,
    address: '',
    userAgent: undefined,
    secure: false,
    header: () => undefined,
    cookies: () => [],
    setCookie: () => undefined,
    signal,
    recheck: async () => signal.throwIfAborted(),
    accepts: () => false,
    lastEventId: undefined,
    openStream: () => Promise.reject(new ConsoleError('BadInput', 'A tool opens no event stream.')),
    record: () => undefined,
  };
}
