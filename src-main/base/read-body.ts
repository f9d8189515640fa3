import type { IncomingMessage } from 'node:http';

/** The error for a request whose body is larger than its reader takes. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly limit: number;
  constructor(limit: number) {
    super(`The body is larger than ${limit} bytes.`);
    this.limit = limit;
  }
}

/**
 * Reads the body of a request, of at most `limit` bytes. Throws BodyTooLarge by its announced length, before any of it is
 * kept, or as soon as it is longer; the connection still carries an answer then.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  /** The rest is read and forgotten: a client that is still sending would not see the answer otherwise. */
  const tooLarge = (): BodyTooLarge => {
    request.resume();
    return new BodyTooLarge(limit);
  };
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  // Leaving a usual loop destroys the request, and with it the way the answer takes.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > limit) throw tooLarge();
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

/** Reads a JSON body, of at most `limit` bytes. Throws BodyTooLarge, and a SyntaxError for what is no JSON. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  return JSON.parse((await readBody(request, limit)).toString('utf8'));
}
