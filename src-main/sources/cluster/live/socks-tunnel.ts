import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ClusterFailure } from './failures.ts';

/** Failure replies of a SOCKS5 proxy (RFC 1928, 6). */
const replies: Readonly<Record<number, string>> = {
  2: 'its rules do not allow it',
  3: 'its network is unreachable',
  4: 'the host is unreachable',
  5: 'the connection is refused',
};

/** A connection to `host:port` through a SOCKS5 proxy without a sign-in, such as `ssh -D`; the proxy resolves the name. */
export async function socksTunnel(proxy: URL, host: string, port: number, limit: number): Promise<Socket> {
  const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port || 1080) });
  const deadline = AbortSignal.timeout(limit);
  const end = (): void => void socket.destroy(new Error('The proxy did not answer in time.'));
  deadline.addEventListener('abort', end, { once: true });
  const name = Buffer.from(host);
  try {
    await once(socket, 'connect', { signal: deadline });
    socket.write(Buffer.from([5, 1, 0]));
    const [, method] = await readBytes(socket, 2, deadline);
    if (method !== 0)
      throw new ClusterFailure(
        'unreachable',
        `The proxy ${proxy.host} asks for a sign-in, which is not supported.`,
      );
    socket.write(
      Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]),
    );
    const [, reply = 1, , kind, first = 0] = await readBytes(socket, 5, deadline);
    if (reply !== 0)
      throw new ClusterFailure(
        'unreachable',
        `The proxy ${proxy.host} does not connect to ${host}: ${replies[reply] ?? 'it failed'}.`,
      );
    // The rest of the address it is bound to, and the port.
    await readBytes(socket, (kind === 1 ? 3 : kind === 4 ? 15 : first) + 2, deadline);
    return socket;
  } catch (error) {
    socket.destroy();
    if (error instanceof ClusterFailure) throw error;
    throw new ClusterFailure(
      'unreachable',
      `The proxy ${proxy.host} cannot be reached: check proxy-url in the kubeconfig.`,
      undefined,
      {
        cause: error,
      },
    );
  } finally {
    deadline.removeEventListener('abort', end);
  }
}

async function readBytes(socket: Socket, count: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = socket.read(count);
    if (Buffer.isBuffer(bytes) && bytes.length === count) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error('The proxy closed the connection.');
    await Promise.race([once(socket, 'readable', { signal }), once(socket, 'end', { signal })]);
  }
}
