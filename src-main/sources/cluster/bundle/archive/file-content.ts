import { errorMessage } from '../../../../base/error-message.ts';
import { BundleError } from '../bundle-error.ts';
import { shownName } from './entry-path.ts';
import { largestObjectFile } from './limits.ts';
import type { BundleEntry } from './source.ts';

/** The reason one file is not read; its message is a clause. */
export class UnreadFile extends Error {
  override readonly name = 'UnreadFile';
}

/** All of a file of objects. Throws `UnreadFile`. */
export async function contentOf(entry: BundleEntry): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of bounded(entry)) parts.push(part);
  } catch (error) {
    if (error instanceof BundleError || error instanceof UnreadFile) throw error;
    throw new UnreadFile(errorMessage(error));
  }
  return Buffer.concat(parts);
}

/** An entry that can be read after its place in the archive has gone by; in memory, as far as it is whole, if it is stored nowhere. */
export async function held(entry: BundleEntry): Promise<BundleEntry> {
  const { stored } = entry;
  if (stored !== undefined) return { ...entry, read: () => stored.read(0, stored.length) };
  const pieces: Buffer[] = [];
  let failure: unknown;
  try {
    for await (const piece of bounded(entry)) pieces.push(Buffer.from(piece));
  } catch (error) {
    failure = error;
  }
  return {
    ...entry,
    async *read() {
      yield* pieces;
      if (failure !== undefined) throw failure;
    },
  };
}

/** Yields a file's bytes; the limit applies to its actual length, not to the size the archive declares. */
async function* bounded(entry: BundleEntry): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const part of entry.read()) {
    length += part.length;
    if (length > largestObjectFile) throw new UnreadFile('it is larger than 64 MB');
    yield part;
  }
}

/** Yields the bytes of a log up to where it is damaged, and reports the damage in a sentence. */
export async function* asFarAsWhole(
  entry: BundleEntry,
  onFlaw: (sentence: string) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* entry.read();
  } catch (error) {
    if (error instanceof BundleError) throw error;
    onFlaw(`The log ${shownName(entry.path)} is not whole: ${errorMessage(error)}.`);
  }
}

/** A text of its own, empty for none: one that was cut from a file's text would keep all of that in memory. */
export const ownText = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value).toString() : '';
