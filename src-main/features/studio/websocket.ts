import type { Duplex } from 'node:stream';
import type { OpenStreams } from './open-streams.ts';

/**
 * Completes a WebSocket upgrade and carries bytes both ways until either side ends (RFC 6455 4.2.2). `headers` are
 * the studio's, already cleaned. The pair stays in `open` while it lives.
 */
export function joinSockets(
  client: Duplex,
  upstream: Duplex,
  headers: readonly string[],
  session: string,
  open: OpenStreams,
): void {
  const pair = {
    slot: -1,
    session,
    abort: () => {
      client.destroy();
      upstream.destroy();
    },
  };
  open.add(pair);
  const end = (): void => {
    open.remove(pair);
    pair.abort();
  };
  client.on('error', end).on('close', end);
  upstream.on('error', end).on('close', end);
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i] ?? ''}: ${headers[i + 1] ?? ''}\r\n`;
  client.write(`${head}\r\n`, 'latin1');
  client.pipe(upstream).pipe(client);
}
