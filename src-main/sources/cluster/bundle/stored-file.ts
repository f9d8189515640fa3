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

async function* pieces(
  handle: FileHandle,
  from: number,
  to: number,
  pieceLength: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let at = from;
  while (at < to && signal?.aborted !== true) {
    const buffer = Buffer.allocUnsafe(Math.min(pieceLength, to - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead);
  }
}
