import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { OpenStreams } from './open-streams.ts';

/** Most bytes a client may send before its WebSocket is open: it has to wait for the answer (RFC 6455 section 4.1). */
const MOST_EARLY = 65_536;

/** A client whose WebSocket the studio has not answered yet. */
export type WaitingClient = {
  /** Hands the connection over, with what arrived on it so far still to be read. */
  take(): Socket;
};

/**
 * Reads on while the studio decides, because only a connection that is read shows that its peer has gone: it is closed
 * then, and with it what was asked of the studio.
 */
export function waitingClient(socket: Socket, head: Buffer): WaitingClient {
  const early = [head];
  let size = head.length;
  const onData = (bytes: Buffer): void => {
    early.push(bytes);
    size += bytes.length;
    if (size > MOST_EARLY) socket.destroy();
  };
  const onEnd = (): void => void socket.destroy();
  socket.on('data', onData).on('end', onEnd);
  return {
    take() {
      socket.off('data', onData).off('end', onEnd).pause();
      if (size > 0) socket.unshift(Buffer.concat(early));
      return socket;
    },
  };
}

/**
 * Completes a WebSocket upgrade and carries bytes both ways until either side ends (RFC 6455 4.2.2). `headers` are
 * the studio's, already cleaned. The pair stays in `open` while it lives.
 */
export function joinSockets(
  waiting: WaitingClient,
  upstream: Duplex,
  headers: readonly string[],
  session: string,
  open: OpenStreams,
): void {
  const client = waiting.take();
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
