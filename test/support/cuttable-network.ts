import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttableNetwork = {
  /** Leads to the server, with its scheme. */
  readonly url: string;
  /** From now on nothing passes, without notice: connections stay open, new ones are taken. */
  cut(): void;
  /** New connections pass; those of before stay dead, as after a change of network. */
  mend(): void;
  close(): void;
};

/** A way to a server that can be cut as a cable is, without a FIN or an RST. */
export async function cuttableNetwork(server: URL): Promise<CuttableNetwork> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const listener = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = connect(Number(server.port), server.hostname);
    keep(far);
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    url: `${server.protocol}//127.0.0.1:${port}`,
    cut() {
      isCut = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    mend: () => {
      isCut = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
