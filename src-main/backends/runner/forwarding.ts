import { connect, type Server, type Socket } from 'node:net';
import type { ListenerOrder } from '#shared/gen/datasource/v1/runners_pb.js';
import { errorMessage } from '../../base/error-message.ts';
import { socketServer } from '../../base/http-server.ts';
import { listenOn } from '../../base/process-end.ts';

/** State of one listener, as a heartbeat reports it. */
export type ListenerState = { readonly id: string; readonly listening: boolean; readonly reason: string };

/** The ports of a runner. */
export type Forwarding = {
  /** Opens what was ordered and is not open, and closes the rest. */
  follow(orders: readonly Pick<ListenerOrder, 'id' | 'port' | 'targetHost' | 'targetPort'>[]): Promise<void>;
  states(): ListenerState[];
  close(): Promise<void>;
};

type Order = Parameters<Forwarding['follow']>[0][number];
type Open = { readonly order: Order; readonly server: Server; readonly sockets: Set<Socket>; reason: string };

/** Most clients of one listener at a time. */
const mostClients = 200;

/** Longest a target may take to accept, in ms. */
const patience = 10_000;

/** Forwards bytes from ports of `host` to the targets of connections; it reads and changes none of them. */
export function createForwarding(host: string): Forwarding {
  const open = new Map<string, Open>();

  const close = ({ order, server, sockets }: Open): Promise<void> => {
    open.delete(order.id);
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  };

  const listen = async (order: Order): Promise<void> => {
    const sockets = new Set<Socket>();
    const server = socketServer({ allowHalfOpen: true }, (client) => forward(client, order, sockets));
    server.maxConnections = mostClients;
    const entry: Open = { order, server, sockets, reason: '' };
    open.set(order.id, entry);
    const failed = (error: unknown): void => {
      const why =
        error instanceof Error && 'code' in error
          ? String(error.code)
          : errorMessage(error).replace(/\.$/, '');
      entry.reason = `Port ${order.port} cannot be opened: ${why}.`;
    };
    await listenOn(server, { port: order.port, host }).catch(failed);
    server.on('error', failed);
  };

  return {
    async follow(orders) {
      const gone = [...open.values()].filter(
        ({ order, reason }) => reason !== '' || !orders.some((wanted) => isSame(wanted, order)),
      );
      await Promise.all(gone.map(close));
      await Promise.all(orders.filter(({ id }) => !open.has(id)).map(listen));
    },
    states: () =>
      [...open.values()].map(({ order, server, reason }) => ({
        id: order.id,
        listening: reason === '' && server.listening,
        reason,
      })),
    async close() {
      await Promise.all([...open.values()].map(close));
    },
  };
}

function isSame(one: Order, other: Order): boolean {
  return (
    one.id === other.id &&
    one.port === other.port &&
    one.targetHost === other.targetHost &&
    one.targetPort === other.targetPort
  );
}

function forward(client: Socket, { targetHost, targetPort }: Order, sockets: Set<Socket>): void {
  const target = connect({ host: targetHost, port: targetPort, allowHalfOpen: true });
  target.setTimeout(patience, () => {
    if (target.connecting) target.destroy();
  });
  for (const [socket, other] of [
    [client, target],
    [target, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  }
}
