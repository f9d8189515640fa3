import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Resolves when the server accepts connections. Rejects when the address is taken or not ours. */
export function listen(server: Server, at: { host: string; port: number }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server listens on no port'));
      else resolve(address);
    });
  });
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
