import { randomBytes } from 'node:crypto';
import { type CarriedEvent, type EndedSubscription, maxSubscriptions } from '#shared/api/events.ts';
import type { Call, Caller, Handlers, StreamRequest } from '#shared/api/handler.ts';
import type { RouteId, RouteOf } from '#shared/api/index.ts';
import type { StreamEvent } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { newRequestId } from '../base/request-id.ts';
import { answerTo } from './errors.ts';

/** Most connections of one person, or of one address on an open console: a window needs one. */
const maxPerPerson = 32;
/** Most connections in total. */
const maxConnections = 1000;

type ConnectionEvent = StreamEvent<RouteOf<'events.open'>['events']>;

/** Something to send, and what to do once it was taken. */
type Waiting = { readonly event: ConnectionEvent; readonly taken: () => void };

type Connection = {
  readonly id: string;
  /**
   * Session that owns the connection. On an open console there are no sessions, and knowing the ID is the
   * only check.
   */
  readonly sessionId: string | undefined;
  readonly person: string;
  /** Aborts when the reader disconnects, the console closes, or the connection is ended. */
  readonly signal: AbortSignal;
  readonly subscriptions: Map<string, AbortController>;
  /**
   * Events in order of arrival, at most one for each subscription: so none delays another by more than a
   * round.
   */
  readonly queue: Waiting[];
  wake: () => void;
};

export type EventConnectionsOptions = {
  readonly log: { error(fields: object, message: string): void };
};

/**
 * The routes by which one HTTP connection carries many event streams: a browser opens six to a host over HTTP/1.1, and a
 * window follows more than that. A subscription is answered by the route it names, through `Call.openStream`.
 */
export function eventHandlers({
  log,
}: EventConnectionsOptions): Handlers<Extract<RouteId, `events.${string}`>> {
  const connections = new Map<string, Connection>();

  const open = (call: Call): Connection => {
    const { caller, address, signal } = call;
    const person = caller.email ?? address;
    const own = [...connections.values()].filter((connection) => connection.person === person);
    if (own.length >= maxPerPerson || connections.size >= maxConnections) {
      throw new ConsoleError(
        'TooManyRequests',
        'Too many windows follow events at once: close some of them.',
        { 'Retry-After': '30' },
      );
    }
    const connection: Connection = {
      id: randomBytes(18).toString('base64url'),
      sessionId: caller.sessionId,
      person,
      signal,
      subscriptions: new Map(),
      queue: [],
      wake: () => undefined,
    };
    connections.set(connection.id, connection);
    return connection;
  };

  const ownConnection = (id: string, caller: Caller): Connection => {
    const connection = connections.get(id);
    // Somebody else's, gone, and held by another console are one answer: the caller learns nothing of others.
    if (connection === undefined || connection.sessionId !== caller.sessionId)
      throw new ConsoleError('NotFound', 'There is no such event connection of yours on this console.');
    return connection;
  };

  /** Carries the events of one stream; resolves when it has ended or was ended. */
  const carry = async (
    connection: Connection,
    subscription: string,
    call: Call,
    request: StreamRequest,
  ): Promise<void> => {
    const ending = new AbortController();
    const signal = AbortSignal.any([connection.signal, ending.signal]);
    connection.subscriptions.set(subscription, ending);
    let end: EndedSubscription = { subscription };
    try {
      for await (const { event, data, id } of await call.openStream(request, signal)) {
        const carried: CarriedEvent = { subscription, event, data, ...(id === undefined ? {} : { id }) };
        await offer(connection, { event: 'event', data: carried }, signal);
        if (signal.aborted) return;
      }
    } catch (error) {
      end = { subscription, ...failureOf(error) };
    } finally {
      if (!signal.aborted) await offer(connection, { event: 'ended', data: end }, signal);
      connection.subscriptions.delete(subscription);
    }
  };

  const failureOf = (error: unknown): Omit<EndedSubscription, 'subscription'> => {
    const id = newRequestId();
    const { status, headers, message, unexpected } = answerTo(error, id);
    if (unexpected) log.error({ err: error, request_id: id }, 'an event stream failed');
    const retryAfter = headers['Retry-After'];
    return { status, error: message, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) };
  };

  return {
    'events.open': (_input, call) => {
      const connection = open(call);
      // Also when nothing is ever read of it.
      call.signal.addEventListener('abort', () => connections.delete(connection.id));
      if (call.signal.aborted) connections.delete(connection.id);
      return eventsOf(connection);
    },

    'events.subscribe': ({ params, body }, call) => {
      const connection = ownConnection(params.connection, call.caller);
      const { id, route, params: inPath = {}, query = {}, last_event_id: lastEventId } = body;
      if (connection.subscriptions.has(id))
        throw new ConsoleError('Conflict', `This connection has a subscription "${id}" already.`);
      if (connection.subscriptions.size >= maxSubscriptions) {
        throw new ConsoleError(
          'TooManyRequests',
          `A connection carries ${maxSubscriptions} subscriptions at most: end one first.`,
        );
      }
      void carry(connection, id, call, { route, params: inPath, query, lastEventId });
      return { subscription: id };
    },

    'events.unsubscribe': ({ params }, { caller }) => {
      const ending = ownConnection(params.connection, caller).subscriptions.get(params.id);
      ending?.abort();
      return { ended: ending !== undefined };
    },
  };
}

/** Queues an event on its connection; resolves when it was taken, or is no longer needed. */
function offer(connection: Connection, event: ConnectionEvent, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const taken = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const waiting = { event, taken };
    const leave = (): void => {
      const at = connection.queue.indexOf(waiting);
      if (at >= 0) connection.queue.splice(at, 1);
      resolve();
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', leave, { once: true });
    connection.queue.push(waiting);
    connection.wake();
  });
}

/** Yields what is offered to a connection, in turn. Ends with its signal. */
async function* eventsOf(connection: Connection): AsyncGenerator<ConnectionEvent> {
  const { id, signal, queue } = connection;
  const wake = (): void => connection.wake();
  signal.addEventListener('abort', wake);
  try {
    yield { event: 'connection', data: { id } };
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        connection.wake = resolve;
      });
      const next = queue.shift();
      if (next === undefined) {
        await woken;
        continue;
      }
      next.taken();
      yield next.event;
    }
  } finally {
    signal.removeEventListener('abort', wake);
  }
}
