import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** Largest body in bytes that is collected before it is forwarded: what Node's request buffer holds anyway. */
export const COLLECTED_BYTES = 65_536;

/**
 * Collects a body of known, small length and hands it over whole. One write to the studio instead of a stream, and a
 * body that never comes to its end never reaches the studio. The caller watches for the client's going.
 */
export function collectBody(req: IncomingMessage, length: number, done: (body: Buffer) => void): void {
  // Head and body mostly arrive in one packet: then the body is there as soon as the parser's tick is over.
  process.nextTick(() => {
    if (req.readableLength === length) {
      const body: unknown = req.read();
      if (Buffer.isBuffer(body)) done(body);
      return;
    }
    const body = Buffer.allocUnsafe(length);
    let filled = 0;
    req.on('data', (chunk: Buffer) => {
      filled += chunk.copy(body, filled);
      if (filled === length) done(body);
    });
  });
}

/**
 * A request's body as the stream undici reads. Not the request itself: undici destroys its body when the studio
 * answers early, and a destroyed request stops its connection for good. Back-pressure reaches the client's socket
 * through `pause`; a body cut short never ends, so the studio never takes it for whole.
 */
export class RequestBody extends Readable {
  readonly #req: IncomingMessage;
  readonly #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#req.pause();
  };
  readonly #onEnd = (): void => {
    this.push(null);
  };

  constructor(req: IncomingMessage) {
    super({ highWaterMark: COLLECTED_BYTES });
    this.#req = req;
    req.on('data', this.#onData);
    req.on('end', this.#onEnd);
  }

  override _read(): void {
    this.#req.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#req.off('data', this.#onData);
    this.#req.off('end', this.#onEnd);
    // What the client still sends is read and forgotten (discardBody bounds it).
    this.#req.resume();
    callback(error);
  }
}
