import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { listenOn } from '../base/process-end.ts';

/** The host and port a server listens on. */
export type Endpoint = { readonly host: string; readonly port: number };

/** Listens on loopback, on a port the system chooses. */
export async function listen(server: NetServer): Promise<void> {
  await listenOn(server, { port: 0, host: '127.0.0.1' });
}

/** Returns the address a server listens on. Throws when it does not listen. */
export function endpointOf(server: NetServer): Endpoint {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return { host: '127.0.0.1', port: address.port };
}

/** `http://127.0.0.1:PORT` of a server that listens. */
export function urlOf(server: NetServer): string {
  const { host, port } = endpointOf(server);
  return `http://${host}:${port}`;
}

/** Stops at once: what is open is cut off. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
