import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UploadedFile } from '#shared/api/targets.ts';
import { ConsoleError } from '#shared/errors.ts';

/** Bytes of an uploaded bundle: larger ones are opened by their path. */
const uploadLimit = 4 * 1024 ** 3;

/** Milliseconds without a byte after which an upload is given up: it holds one of few places. */
const longestSilence = 60_000;

/** Writes an upload into a folder and returns its file. Throws TooLarge, BadInput for one that stalls, or what broke it off. */
export async function keepUpload(upload: UploadedFile, folder: string, signal: AbortSignal): Promise<string> {
  const tooLarge = (): ConsoleError =>
    new ConsoleError(
      'TooLarge',
      `The file is larger than ${uploadLimit / 1024 ** 3} GB: open it by its path on the console's machine.`,
    );
  if ((upload.length ?? 0) > uploadLimit) throw tooLarge();
  const file = join(folder, 'upload');
  const to = createWriteStream(file, { mode: 0o600, flags: 'wx' });
  await once(to, 'open');
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), longestSilence);
  try {
    await pipeline(
      async function* () {
        let bytes = 0;
        for await (const piece of upload.bytes) {
          timer.refresh();
          bytes += piece.length;
          if (bytes > uploadLimit) throw tooLarge();
          yield piece;
        }
      },
      to,
      { signal: AbortSignal.any([signal, stalled.signal]) },
    );
  } catch (error) {
    if (!stalled.signal.aborted) throw error;
    throw new ConsoleError(
      'BadInput',
      `The upload stalled for ${longestSilence / 1000} s: upload the file again.`,
    );
  } finally {
    clearTimeout(timer);
  }
  return file;
}
