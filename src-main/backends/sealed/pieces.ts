/**
 * The same bytes in pieces of exactly `bytes` each, but for the last one. Every piece is a buffer of its own; no more than one is held at
 * a time.
 */
export async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let piece: Buffer | undefined;
  let filled = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      piece ??= Buffer.allocUnsafeSlow(bytes);
      const taken = Math.min(bytes - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled === bytes) {
        yield piece;
        piece = undefined;
        filled = 0;
      }
    }
  }
  if (piece !== undefined) yield piece.subarray(0, filled);
}

/** A stream whose first piece was already taken, whole again. */
export async function* startingWith(
  first: Buffer,
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  yield* rest;
}
