import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { errorMessage } from '../../../../base/error-message.ts';
import { BundleError } from '../bundle-error.ts';
import { insidePath, linkedPath, shownName } from './entry-path.ts';
import { checkEntries, checkExpansion } from './limits.ts';
import type { BundleEntry, BundleFile, BundleSource, Walk } from './source.ts';

const longestLink = 4096;
const chunkSize = 256 * 1024;

export function zipSource(file: BundleFile): BundleSource {
  return {
    bytes: file.bytes,
    changedAt: file.changedAt,
    walk: (walk) => entriesOf(file, walk),
  };
}

/** A zip's directory is at its end: one that was cut off cannot be read at all. */
async function* entriesOf(file: BundleFile, walk: Walk): AsyncGenerator<BundleEntry> {
  const notRead = (error: unknown): never => {
    throw new BundleError(`${file.name} is no zip archive that can be read: ${errorMessage(error)}.`, {
      cause: error,
    });
  };
  const zip = await fromFdPromise(file.handle.fd, { autoClose: false, decodeStrings: false }).catch(notRead);
  checkEntries(zip.entryCount);
  const expansion = { packed: 0, unpacked: 0 };
  const entries = zip.eachEntry();
  for (;;) {
    const next = await entries.next().catch(notRead);
    if (next.done === true) return;
    const entry = next.value;
    const read = (): AsyncGenerator<Buffer> => contentOf(zip, entry, { file, expansion });
    const safe = await safeEntry(entry, read, walk.onFlaw);
    if (safe === undefined) continue;
    yield {
      ...safe,
      size: entry.uncompressedSize,
      changedAt: entry.getLastModDate().getTime(),
      stored: undefined,
      read,
    };
    walk.onRead(Math.min(file.bytes, entry.relativeOffsetOfLocalHeader + entry.compressedSize));
  }
}

async function safeEntry(
  entry: Entry,
  read: BundleEntry['read'],
  onFlaw: Walk['onFlaw'],
): Promise<Pick<BundleEntry, 'path' | 'link'> | undefined> {
  // Windows writes backslashes: they become slashes before the name is judged.
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  if (name.endsWith('/')) return undefined;
  const path = insidePath(name);
  if (path === undefined || path === '') {
    onFlaw(`The entry ${shownName(name)} was refused: it would lie outside of the bundle.`);
    return undefined;
  }
  if (entry.isEncrypted() || !entry.canDecodeFileData()) {
    onFlaw(
      `The entry ${shownName(path)} was not read: it is encrypted, or packed in a way that is not read.`,
    );
    return undefined;
  }
  // The upper half holds the file's type on the systems that have one (S_IFMT).
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type === 0 || type === 0o100000) return { path, link: undefined };
  if (type !== 0o120000) {
    onFlaw(`The entry ${shownName(path)} was refused: it is a device or another thing that is no file.`);
    return undefined;
  }
  const link = linkedPath(path, await shortText(read()));
  if (link === undefined || link === '') {
    onFlaw(`The link ${shownName(path)} was refused: it leaves the bundle.`);
    return undefined;
  }
  return { path, link };
}

async function shortText(bytes: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length > longestLink) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, longestLink);
}

/**
 * Yields a file's unpacked bytes; the limits apply to their actual length, not to the size the directory
 * declares.
 */
async function* contentOf(
  zip: ZipFile,
  entry: Entry,
  { file, expansion }: { file: BundleFile; expansion: { packed: number; unpacked: number } },
): AsyncGenerator<Buffer> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  // What goes wrong is thrown to who reads the end of it.
  const stream: Readable =
    entry.compressionMethod === 0
      ? packed
      : pipeline(packed, createInflateRaw({ chunkSize }), () => undefined);
  expansion.packed += entry.compressedSize;
  try {
    for await (const chunk of stream) {
      expansion.unpacked += chunk.length;
      // Entries may share the same bytes of the archive: they count once.
      checkExpansion(Math.min(expansion.packed, file.bytes), expansion.unpacked);
      yield chunk;
    }
  } finally {
    stream.destroy();
    packed.destroy();
  }
}
