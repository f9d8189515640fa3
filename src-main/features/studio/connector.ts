import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/** Opens a connection to the studio where it is not reached by its address; each call is a new one. */
export type Dial = () => Promise<Duplex>;

/** Milliseconds to connect to the studio. */
const CONNECT_MS = 5_000;

/**
 * All studio sockets read into one buffer, from which each chunk is copied at once. Node would otherwise allocate 64 KiB
 * for every read and give most of it back: measured, garbage collection fell from 12 to 8 % of a small request.
 */
const readIntoSharedBuffer = {
  buffer: Buffer.allocUnsafeSlow(65_536),
  callback(this: unknown, bytes: number, buffer: Uint8Array): boolean {
    // Node calls it as a method of the socket (net.js, onStreamRead of stream_base_commons.js).
    return this instanceof Socket && this.push(Buffer.from(buffer.subarray(0, bytes)));
  },
};

/**
 * Returns undici's connector to the studio: by its address, or by `dial`. HTTP/1.1 only: gRPC-web and
 * WebSocket need no more, and one request per socket keeps an abort to one socket.
 */
export function studioConnector(upstream: URL, dial?: Dial): buildConnector.connector {
  if (dial === undefined) {
    return buildConnector({
      timeout: CONNECT_MS,
      allowH2: false,
      ...(upstream.protocol === 'http:' ? { onread: readIntoSharedBuffer } : {}),
    });
  }
  return (_options, callback) => {
    dial().then(
      (stream) => callback(null, asSocket(stream)),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** The socket methods undici calls beyond those of a stream; they have no effect on a tunnel. */
class TunnelSocket extends Duplex {
  readonly alpnProtocol = false;
  ref = (): this => this;
  unref = (): this => this;
  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  setTimeout = (): this => this;
}

function asSocket(stream: Duplex): Socket {
  const socket = new TunnelSocket({
    read: () => stream.resume(),
    write: (chunk, encoding, done) => void stream.write(chunk, encoding, done),
    final: (done) => void stream.end(done),
    destroy: (error, done) => {
      stream.destroy();
      done(error);
    },
  });
  stream.on('data', (chunk) => {
    if (!socket.push(chunk)) stream.pause();
  });
  stream.on('end', () => socket.push(null));
  stream.on('error', (error) => socket.destroy(error));
  stream.on('close', () => {
    if (!stream.readableEnded) socket.destroy(new Error('The connection through the cluster was closed.'));
  });
  // undici takes a net.Socket; what it uses of one is here.
  return socket as unknown as Socket;
}
