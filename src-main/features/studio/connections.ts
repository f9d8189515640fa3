import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type Dial, studioConnector } from './connector.ts';

/** Idle connections kept after a burst; beyond that they are closed as they come back. */
const MOST_IDLE = 256;

/** One connection to the studio: an undici client that carries one request at a time and reconnects by itself. */
export type Connection = {
  readonly client: Client;
  /** Requests answered on the present socket. A request that fails on a used socket may have met its closing. */
  served: number;
  /** Whether the present socket ended in an error rather than in a FIN. */
  broken: boolean;
  idle: boolean;
};

/** The studio's connections. There is no upper bound: a waiting stream must never starve another request. */
export type Connections = {
  /** The connection used last, or a new one. */
  take(): Connection;
  /** Returns a connection that has not been used before. */
  fresh(): Connection;
  /** Returns a connection whose response ended to the pool. */
  release(connection: Connection): void;
  /** Closes a connection in an unknown state. */
  discard(connection: Connection): void;
  close(): Promise<void>;
};

/**
 * Keeps one undici `Client` per connection in a stack. undici's `Pool` looks through all its clients for a free one
 * and announces every change by event: with 2,000 open streams that costs each request 2,000 looks.
 */
export function createConnections(upstream: URL, dial?: Dial): Connections {
  const connect = studioConnector(upstream, dial);
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  let closed = false;

  const forget = (connection: Connection): Promise<void> => {
    all.delete(connection);
    return connection.client.destroy();
  };

  const fresh = (): Connection => {
    const connection: Connection = {
      served: 0,
      broken: false,
      idle: false,
      client: new Client(upstream.origin, {
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: 4_000,
        bodyTimeout: 0,
        maxHeaderSize: 65_536,
        connect: (options, callback) =>
          connect(options, (...outcome) => {
            connection.served = 0;
            connection.broken = false;
            const socket: Socket | null = outcome[1];
            socket?.on('error', () => {
              connection.broken = true;
            });
            callback(...outcome);
          }),
      }),
    };
    connection.client.on('disconnect', () => {
      if (!connection.idle) return;
      connection.idle = false;
      idle.splice(idle.indexOf(connection), 1);
      void forget(connection);
    });
    all.add(connection);
    return connection;
  };

  return {
    fresh,
    take() {
      const connection = idle.pop();
      if (connection === undefined) return fresh();
      connection.idle = false;
      return connection;
    },
    release(connection) {
      if (closed || idle.length >= MOST_IDLE) {
        void forget(connection);
        return;
      }
      connection.served++;
      connection.idle = true;
      idle.push(connection);
    },
    discard(connection) {
      void forget(connection);
    },
    async close() {
      closed = true;
      idle.length = 0;
      await Promise.all([...all].map(forget));
    },
  };
}
