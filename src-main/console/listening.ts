import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOn } from '../base/process-end.ts';

/**
 * Connections the system takes until they are accepted. At Node's 511 the rest of a burst is dropped, and each of those is
 * tried again after 1, 3 and 7 s.
 */
const backlog = 4096;

/** Resolves when the server accepts connections. Rejects when the address is taken or not ours. */
export function listen(server: Server, at: { host: string; port: number }): Promise<AddressInfo> {
  return listenOn(server, { port: at.port, host: at.host, backlog });
}

/** Stops accepting; what is open may finish within `drainMs`, then it is cut off: WebSockets with `closeProxy`. */
export async function drain(server: Server, drainMs: number, closeProxy: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept-alive connection becomes idle only when its last answer is out, which server.close() does not wait to see.
  const sweep = setInterval(() => server.closeIdleConnections(), 25);
  const cutOff = setTimeout(() => {
    server.closeAllConnections();
    void closeProxy();
  }, drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
  await closeProxy();
}
