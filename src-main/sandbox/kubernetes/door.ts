import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { socketServer } from '../../base/http-server.ts';
import { type Endpoint, endpointOf, listen } from '../listening.ts';

/** A port on loopback behind which a server is started by whoever comes first. */
export type Door = {
  /** Undefined once the server could not be started: nobody listens then. */
  endpoint(): Endpoint | undefined;
  /** Takes nothing new and cuts what is open. */
  close(): Promise<void>;
};

/**
 * Listens for a server that costs too much to be started for nothing. `start` is called at the first connection, once; connections
 * wait until it ends, and are passed on to where it says. When it fails they are cut and the port is given up.
 */
export async function openDoor(start: () => Promise<Endpoint>): Promise<Door> {
  const open = new Set<Socket>();
  let started: Promise<Endpoint> | undefined;
  let failed = false;
  // What arrives waits in the socket until there is somebody to read it.
  const server = socketServer({ pauseOnConnect: true }, (socket) => {
    track(socket);
    started ??= start();
    started.then(
      (endpoint) => {
        if (socket.destroyed) return;
        const onward = connect(endpoint.port, endpoint.host);
        track(onward);
        // Either end that goes takes the other along, and there is nobody to tell.
        pipeline(socket, onward, socket, () => undefined);
      },
      () => {
        failed = true;
        void end();
      },
    );
  });
  const track = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  };
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  await listen(server);
  const endpoint = endpointOf(server);
  return { endpoint: () => (failed ? undefined : endpoint), close: end };
}
