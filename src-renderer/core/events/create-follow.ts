import type { RouteOf } from '#shared/api/index.ts';
import { type CallInput, rowOf } from '../api.ts';
import { addressOf, type Send } from '../call-route.ts';
import {
  type EventData,
  type HeardEvent,
  readEvent,
  type StreamEventOf,
  type StreamId,
} from './read-event.ts';
import { broken, isRefusal, readStream } from './read-stream.ts';
import { NotShared, type SharedConnection, type StreamRequest } from './shared-connection.ts';

export type FollowOptions<Id extends StreamId> = {
  /** Ends it, as when its page is left. */
  readonly signal: AbortSignal;
  /** Handlers by event name. */
  readonly on: { readonly [Name in keyof EventData<Id>]?: (data: EventData<Id>[Name]) => void };
  /** Identifies the final event; a stream that ends without it broke. By default a stream may end after any event. */
  readonly isLast?: (event: StreamEventOf<Id>) => boolean;
  /** False for work that would begin again with each request: then a stream that broke is an error. */
  readonly reconnects?: boolean;
};

/**
 * Follows the events of a route until the stream ends, or for ever when it is endless; resolves to the last event. A stream
 * that broke is asked for again, after the last event where the route can. Throws `CallFailed`, with a status when the
 * console refused, without one when the connection broke; and the signal's reason when it aborts.
 */
export type Follow = <Id extends StreamId>(
  id: Id,
  input: CallInput<RouteOf<Id>>,
  options: FollowOptions<Id>,
) => Promise<StreamEventOf<Id> | undefined>;

type LooseInput = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
};

/** Creates the client of event streams: over one connection for all of them, or each by itself where that is not to be had. */
export function createFollow(
  send: Send,
  openShared: () => SharedConnection,
  pause: (ms: number, signal: AbortSignal) => Promise<void>,
): Follow {
  let shared: SharedConnection | undefined;

  const attempt = async (
    request: StreamRequest,
    hear: (event: HeardEvent) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    shared ??= openShared();
    try {
      await shared.follow(request, hear, signal);
    } catch (error) {
      if (!(error instanceof NotShared)) throw error;
      const { route, params, query, lastEventId } = request;
      await readStream(send, addressOf(rowOf(route), { params, query }), { signal, hear, lastEventId });
    }
  };

  return async (id, input, { signal, on, isLast = () => true, reconnects = true }) => {
    // What a route declares of params and query is an object of each; TypeScript cannot see it of a row looked up by id.
    const { params = {}, query = {} } = input as LooseInput;
    const row = rowOf(id);
    const { endless = false } = row;
    let lastEventId: string | undefined;
    let last: StreamEventOf<typeof id> | undefined;
    const hear = (heard: HeardEvent): void => {
      const event = readEvent<typeof id>(row, heard);
      if (event === undefined) return;
      last = event;
      lastEventId = heard.id;
      on[event.event]?.(event.data);
    };
    for (let failures = 0; ; failures += 1) {
      signal.throwIfAborted();
      const began = Date.now();
      try {
        await attempt(
          { route: id, params: textsOf(params), query: textsOf(query), lastEventId },
          hear,
          signal,
        );
        if (!endless && last !== undefined && isLast(last)) return last;
        throw broken();
      } catch (error) {
        signal.throwIfAborted();
        if (isRefusal(error) || !reconnects) throw error;
      }
      if (Date.now() - began > longestBackoff) failures = 0;
      await pause(backoff(failures), signal);
    }
  };
}

/** In ms. */
const shortestBackoff = 1000;
const longestBackoff = 30_000;

/**
 * Returns the delay before the next try, in ms; random, so that windows do not all reconnect at once to a console that
 * restarts.
 */
function backoff(failures: number): number {
  const most = Math.min(longestBackoff, shortestBackoff * 2 ** failures);
  return most / 2 + (Math.random() * most) / 2;
}

/** Parameters as they stand in an address. */
function textsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
