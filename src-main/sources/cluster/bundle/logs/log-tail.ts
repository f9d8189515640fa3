import { errorMessage } from '../../../../base/error-message.ts';
import { gunzipped } from '../archive/gunzip.ts';
import type { StoredFile } from '../archive/stored-file.ts';

/** A part of a container's log. */
export type LogPart = {
  readonly file: StoredFile;
  readonly from: number;
  readonly to: number;
  readonly isGzip: boolean;
};

/** The bytes of a log's parts, oldest first; with `tail` only the newest lines of all together. */
export async function* logBytes(
  parts: readonly LogPart[],
  tail: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (tail === undefined) {
    for (const part of parts) yield* bytesOf(part, signal);
    return;
  }
  let lines = tail;
  const chosen: { readonly part: LogPart; readonly lines: number }[] = [];
  for (let i = parts.length - 1; i >= 0 && lines > 0; i--) {
    const part = parts[i];
    if (part === undefined) break;
    const found = part.isGzip ? await countLines(part, signal) : (await tailStart(part, lines, signal)).lines;
    chosen.unshift({ part, lines: Math.min(found, lines) });
    lines -= found;
  }
  for (const { part, lines: wanted } of chosen) {
    if (part.isGzip) yield* lastLines(part, wanted, signal);
    else yield* bytesOf({ ...part, from: (await tailStart(part, wanted, signal)).from }, signal);
  }
}

async function* bytesOf(
  { file, from, to, isGzip }: LogPart,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = file.read(from, to, signal);
  if (!isGzip) {
    yield* bytes;
    return;
  }
  const gunzip = gunzipped(bytes);
  try {
    yield* gunzip;
  } catch (error) {
    throw new Error(`A rotated part of the log cannot be unpacked: ${errorMessage(error)}.`, {
      cause: error,
    });
  } finally {
    gunzip.destroy();
  }
}

const newline = 0x0a;

/**
 * Finds the start of the last lines, reading backwards from the end, and the number found of those requested.
 */
async function tailStart(
  { file, from, to }: LogPart,
  wanted: number,
  signal: AbortSignal,
): Promise<{ readonly from: number; readonly lines: number }> {
  let end = to;
  let lines = 0;
  let isLast = true;
  while (end > from) {
    const start = Math.max(from, end - 64 * 1024);
    const pieces: Buffer[] = [];
    for await (const piece of file.read(start, end, signal)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    if (bytes.length === 0) break;
    if (isLast && bytes.at(-1) !== newline) lines += 1;
    for (
      let at = bytes.lastIndexOf(newline);
      at >= 0;
      at = at === 0 ? -1 : bytes.lastIndexOf(newline, at - 1)
    ) {
      if (lines === wanted) return { from: start + at + 1, lines };
      lines += 1;
    }
    isLast = false;
    end = start;
  }
  return { from, lines: Math.min(lines, wanted) };
}

async function countLines(part: LogPart, signal: AbortSignal): Promise<number> {
  let lines = 0;
  let last: number | undefined = newline;
  for await (const piece of bytesOf(part, signal)) {
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines += 1;
    last = piece.at(-1);
  }
  return last === newline ? lines : lines + 1;
}

async function* lastLines(part: LogPart, wanted: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let skip = (await countLines(part, signal)) - wanted;
  for await (const piece of bytesOf(part, signal)) {
    let from = 0;
    while (skip > 0) {
      const at = piece.indexOf(newline, from);
      if (at < 0) break;
      from = at + 1;
      skip -= 1;
    }
    if (skip <= 0 && from < piece.length) yield piece.subarray(from);
  }
}
