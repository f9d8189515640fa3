import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { OpenFiles } from './open-files.ts';

/** Bytes on the disk that can be read again, any part of them. */
export type StoredFile = {
  readonly length: number;
  /** From one place to before another; ends early where the file does, or when the signal aborts. */
  read(from: number, to: number, signal?: AbortSignal): AsyncGenerator<Buffer>;
};

const usualPiece = 64 * 1024;

/** A part of a file that is open, read in pieces of so many bytes; the handle stays its owner's. */
export function partOf(
  handle: FileHandle,
  offset: number,
  length: number,
  pieceLength = usualPiece,
): StoredFile {
  return {
    length,
    read: (from, to, signal) =>
      pieces(handle, offset + from, offset + Math.min(to, length), pieceLength, signal),
  };
}

/** A file that is opened for each read, and never through a symbolic link. */
export function fileAt(files: OpenFiles, path: string, length: number): StoredFile {
  return {
    length,
    async *read(from, to, signal) {
      const handle = await files.open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        yield* pieces(handle, from, Math.min(to, length), usualPiece, signal);
      } finally {
        await files.close(handle);
      }
    },
  };
}

/** The next piece is read while one is worked on. */
async function* pieces(
  handle: FileHandle,
  from: number,
  to: number,
  pieceLength: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let at = from;
  const readNext = (): Promise<Buffer> => {
    const reading = readAt(handle, at, Math.min(pieceLength, to - at));
    // It is awaited when the piece before it is done with; until then a failure is nobody's.
    reading.catch(() => undefined);
    return reading;
  };
  let next = readNext();
  try {
    while (signal?.aborted !== true) {
      const piece = await next;
      if (piece.length === 0) return;
      at += piece.length;
      next = readNext();
      yield piece;
    }
  } finally {
    // Nobody may close the file while it is still read; who left does not want to know how that ends.
    await next.catch(() => undefined);
  }
}

/** Bytes of a file; fewer where it ends, none for no length. */
async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, length));
  if (buffer.length === 0) return buffer;
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
  return bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead);
}
