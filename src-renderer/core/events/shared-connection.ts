import { type CarriedEvent, type EndedSubscription, eventRoutes } from '#shared/api/events.ts';
import { errorNameOf } from '#shared/errors.ts';
import { CallFailed, callRoute, type Send } from '../call-route.ts';
import { type HeardEvent, readEvent, type StreamId } from './read-event.ts';
import { broken, isRefusal, readStream } from './read-stream.ts';

/** An event stream to follow, with its parameters and query as written in an address. */
export type StreamRequest = {
  readonly route: StreamId;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
};

/**
 * Thrown when a stream is not to be had over the shared connection, but may be by itself: the console has no such
 * connections, or no room, or the subscription came to another console than the one that holds ours.
 */
export class NotShared extends Error {}

const [connecting, subscribing, unsubscribing] = eventRoutes;

/** Follows streams over one connection, which is open as long as somebody follows. */
export type SharedConnection = {
  /** Resolves when the stream has ended. Throws `NotShared`, or as `readStream` does. */
  follow(request: StreamRequest, hear: (event: HeardEvent) => void, signal: AbortSignal): Promise<void>;
};

type Subscriber = {
  readonly hear: (event: HeardEvent) => void;
  /** The console has ended it: as it should, or with an error. */
  readonly end: (error?: unknown) => void;
  /** It is of no more use here. */
  readonly fail: (error: unknown) => void;
};

type Connection = {
  readonly id: string;
  readonly subscribers: Map<string, Subscriber>;
  readonly close: () => void;
};

/** Milliseconds for which a connection without subscribers stays open, as one page leaves and the next one opens. */
const lingers = 1000;
/** After how long a console that has no shared connections is asked for one again, in ms. */
const askedAgainAfter = 60_000;

/** Creates the one connection of those who share it. */
export function createSharedConnection(send: Send): SharedConnection {
  let current: Promise<Connection> | undefined;
  let notSharedUntil = 0;
  let count = 0;

  const open = (): Promise<Connection> => {
    const closing = new AbortController();
    const subscribers = new Map<string, Subscriber>();
    const opening = new Promise<Connection>((resolve, reject) => {
      const hear = (heard: HeardEvent): void => {
        const message = readEvent<'events.open'>(connecting, heard);
        if (message?.event === 'connection')
          resolve({ id: message.data.id, subscribers, close: () => closing.abort(broken()) });
        if (message?.event === 'event') deliver(subscribers, message.data);
        if (message?.event === 'ended') end(subscribers, message.data);
      };
      const lost = (error: unknown): void => {
        if (current === opening) current = undefined;
        reject(error);
        for (const { end } of subscribers.values()) end(broken());
      };
      readStream(send, connecting.path, { signal: closing.signal, hear }).then(
        () => lost(broken()),
        (error: unknown) => {
          if (!isRefusal(error)) return lost(error);
          // A stream by itself says why it is refused, or works. Who signs in again is served at once.
          if (error.status !== 401) notSharedUntil = Date.now() + askedAgainAfter;
          lost(new NotShared());
        },
      );
    });
    return opening;
  };

  const closeWhenIdle = (connection: Connection, opening: Promise<Connection>): void => {
    setTimeout(() => {
      if (connection.subscribers.size > 0) return;
      if (current === opening) current = undefined;
      connection.close();
    }, lingers);
  };

  const subscribe = (
    connection: Connection,
    id: string,
    { route, params, query, lastEventId }: StreamRequest,
  ): Promise<unknown> =>
    callRoute(send, subscribing, {
      params: { connection: connection.id },
      body: {
        id,
        route,
        params: { ...params },
        query: { ...query },
        ...(lastEventId === undefined ? {} : { last_event_id: lastEventId }),
      },
    });

  const carry = async (
    connection: Connection,
    request: StreamRequest,
    hear: (event: HeardEvent) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    signal.throwIfAborted();
    count += 1;
    const id = `s${count}`;
    let isOver = false;
    let leave = (): void => undefined;
    const subscribed = subscribe(connection, id, request);
    try {
      await new Promise<void>((resolve, fail) => {
        const end = (error?: unknown): void => {
          isOver = true;
          if (error === undefined) resolve();
          else fail(error);
        };
        connection.subscribers.set(id, { hear, end, fail });
        subscribed.catch((error: unknown) => end(isElsewhere(error) ? new NotShared() : error));
        leave = () => fail(signal.reason);
        signal.addEventListener('abort', leave);
      });
    } finally {
      signal.removeEventListener('abort', leave);
      connection.subscribers.delete(id);
      if (!isOver) {
        // After the subscription: what is not there yet cannot be ended. When it cannot, the connection's end ends it.
        subscribed
          .then(() => callRoute(send, unsubscribing, { params: { connection: connection.id, id } }))
          .catch(() => undefined);
      }
    }
  };

  return {
    async follow(request, hear, signal) {
      if (Date.now() < notSharedUntil) throw new NotShared();
      current ??= open();
      const opening = current;
      const connection = await opening;
      try {
        await carry(connection, request, hear, signal);
      } finally {
        closeWhenIdle(connection, opening);
      }
    },
  };
}

function deliver(subscribers: Connection['subscribers'], { subscription, ...heard }: CarriedEvent): void {
  const subscriber = subscribers.get(subscription);
  try {
    subscriber?.hear({ ...heard, id: heard.id });
  } catch (error) {
    subscriber?.fail(error);
  }
}

function end(subscribers: Connection['subscribers'], ended: EndedSubscription): void {
  const { subscription, status, error, retry_after: retryAfter } = ended;
  subscribers
    .get(subscription)
    ?.end(
      status === undefined
        ? undefined
        : new CallFailed(
            errorNameOf(status),
            error ?? `The console answered ${status}.`,
            status,
            retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
          ),
    );
}

/** Tells whether a subscription was refused because of the connection: not found on this console, or full. */
function isElsewhere(error: unknown): boolean {
  return error instanceof CallFailed && (error.status === 404 || error.status === 429);
}
