import { setImmediate as turn } from 'node:timers/promises';
import { errorMessage } from '../../../../base/error-message.ts';
import { BundleError } from '../bundle-error.ts';
import { insidePath, linkedPath, shownName } from './entry-path.ts';
import { gunzipped, packedLength } from './gunzip.ts';
import { checkEntries, checkExpansion } from './limits.ts';
import type { BundleEntry, BundleFile, BundleSource, Walk } from './source.ts';
import { partOf } from './stored-file.ts';
import { DamagedTar, readTar, type TarEntry } from './tar.ts';

export function tarSource(file: BundleFile, packing: 'gzip' | 'plain'): BundleSource {
  return {
    bytes: file.bytes,
    changedAt: file.changedAt,
    walk: (walk) => entriesOf(file, packing, walk),
  };
}

async function* entriesOf(
  file: BundleFile,
  packing: 'gzip' | 'plain',
  walk: Walk,
): AsyncGenerator<BundleEntry> {
  let entries = 0;
  try {
    for await (const entry of readTar(packing === 'gzip' ? unzipped(file, walk) : plain(file, walk))) {
      checkEntries(++entries);
      const safe = safeEntry(entry, walk.onFlaw);
      if (safe === undefined) continue;
      // Of a plain archive any part can be read again where it lies.
      const stored = packing === 'plain' ? partOf(file.handle, entry.offset, entry.size) : undefined;
      yield { ...safe, size: entry.size, changedAt: entry.changedAt, stored, read: () => entry.read() };
    }
  } catch (error) {
    if (!(error instanceof DamagedTar) && !isDamagedGzip(error)) throw error;
    const clause = error instanceof DamagedTar ? error.message : `it is damaged (${errorMessage(error)})`;
    if (entries === 0) {
      throw new BundleError(`${file.name} is no archive that can be read: ${clause}.`, { cause: error });
    }
    walk.onFlaw(
      `The archive is not whole: ${clause}. What came before is shown, what came after is missing.`,
    );
  }
}

/** Its path and where it links to; undefined for what is no file, and for what is refused. */
function safeEntry(
  { name, type, linkName }: TarEntry,
  onFlaw: Walk['onFlaw'],
): Pick<BundleEntry, 'path' | 'link'> | undefined {
  if (type === 'folder') return undefined;
  const path = insidePath(name);
  if (path === undefined || path === '') {
    onFlaw(`The entry ${shownName(name)} was refused: it would lie outside of the bundle.`);
    return undefined;
  }
  if (type === 'file') return { path, link: undefined };
  if (type === 'other') {
    onFlaw(`The entry ${shownName(path)} was refused: it is a device or another thing that is no file.`);
    return undefined;
  }
  // A hard link names its target from the root of the archive, a symbolic one from where it lies.
  const link = type === 'symlink' ? linkedPath(path, linkName) : insidePath(linkName);
  if (link === undefined || link === '') {
    onFlaw(`The link ${shownName(path)} was refused: it leaves the bundle.`);
    return undefined;
  }
  return { path, link };
}

function isDamagedGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
}

async function* plain({ handle, bytes }: BundleFile, { onRead }: Walk): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of partOf(handle, 0, bytes).read(0, bytes)) {
    read += chunk.length;
    onRead(read);
    yield chunk;
  }
}

async function* unzipped({ handle, bytes }: BundleFile, { onRead }: Walk): AsyncGenerator<Buffer> {
  const gunzip = gunzipped(partOf(handle, 0, bytes, packedLength).read(0, bytes));
  let unpacked = 0;
  try {
    for await (const chunk of gunzip) {
      unpacked += chunk.length;
      checkExpansion(gunzip.bytesWritten, unpacked);
      onRead(gunzip.bytesWritten);
      yield chunk;
      // Chunks that wait are read without a turn of the event loop, which is when the next one is begun to be unpacked:
      // without this, unpacking stands still while they are worked on.
      await turn();
    }
  } finally {
    gunzip.destroy();
  }
}
