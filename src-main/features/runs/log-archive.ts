import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { addAbortSignal, pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, fromFdPromise, getFileNameLowLevel, validateFileName, type ZipFile } from 'yauzl';

/** Thrown when an archive is not safe to read; the message is a clause for the person. */
export class NotTrusted extends Error {
  override readonly name = 'NotTrusted';
}

export type LogFile = {
  readonly name: string;
  /** Bytes that it says it has. */
  readonly size: number;
  /** Its bytes, inflated as they are read; ends when `signal` aborts. They may be more or fewer than `size`. */
  open(signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
};

const mega = 1024 * 1024;
const mostEntries = 10_000;
/** Bytes of an entry's header: its name and other metadata. */
const largestHead = 8192;
/** Bytes of all entries together. */
const mostInflated = 1024 * mega;
/** A text that is as repetitive as this beyond so many bytes is no log. */
const suspiciousRatio = 1000;
const suspiciousFrom = 10 * mega;

/**
 * The files of a log archive, as listed in its directory; nothing is inflated yet. Throws `NotTrusted` for a
 * file that is no zip, or a malicious one. The caller closes the file.
 */
export async function readArchive({ fd }: FileHandle): Promise<readonly LogFile[]> {
  const zip = await fromFdPromise(fd, { autoClose: false, decodeStrings: false }).catch(noZip);
  if (zip.entryCount > mostEntries)
    throw new NotTrusted(
      `it has ${zip.entryCount.toLocaleString('en-GB')} entries, and 10,000 are read at most`,
    );
  const files: LogFile[] = [];
  const extents: { readonly from: number; readonly to: number }[] = [];
  let inflated = 0;
  const entries = zip.eachEntry();
  for (;;) {
    const next = await entries.next().catch(noZip);
    if (next.done === true) break;
    const entry = next.value;
    const name = nameOf(entry);
    inflated += entry.uncompressedSize;
    checkEntry(entry, name, inflated);
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch(noZip);
    extents.push({ from: entry.relativeOffsetOfLocalHeader, to: fileDataStart + entry.compressedSize });
    if (!name.endsWith('/')) files.push({ name, size: entry.uncompressedSize, open: opener(zip, entry) });
  }
  checkOverlap(extents);
  return files;
}

function noZip(error: unknown): never {
  throw new NotTrusted(`it is no zip that can be read (${error instanceof Error ? error.message : error})`);
}

function nameOf(entry: Entry): string {
  if (entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength > largestHead)
    throw new NotTrusted('the head of one of its entries is longer than any log needs');
  const name = getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    entry.fileNameRaw,
    entry.extraFields,
    // With backslashes as they are: they are refused, not made into slashes.
    true,
  );
  if (validateFileName(name) !== null)
    throw new NotTrusted(`its entry ${JSON.stringify(name.slice(0, 200))} would lie outside of its folder`);
  return name;
}

/** `inflated`: bytes that it and the entries before it say they have. */
function checkEntry(entry: Entry, name: string, inflated: number): void {
  const shown = JSON.stringify(name.slice(0, 200));
  if (entry.isEncrypted()) throw new NotTrusted(`its entry ${shown} is encrypted`);
  if (!entry.canDecodeFileData())
    throw new NotTrusted(
      `its entry ${shown} is packed in a way that is not read (${entry.compressionMethod})`,
    );
  if (inflated > mostInflated) throw new NotTrusted('it would inflate to more than 1 GB');
  const { uncompressedSize: size, compressedSize } = entry;
  if (size > suspiciousFrom && size > suspiciousRatio * compressedSize)
    throw new NotTrusted(`its entry ${shown} would inflate to more than 1,000 times its size`);
}

/** Entries that share bytes are how a small archive holds a text of any length. */
function checkOverlap(extents: readonly { readonly from: number; readonly to: number }[]): void {
  let end = 0;
  for (const { from, to } of extents.toSorted((a, b) => a.from - b.from)) {
    if (from < end) throw new NotTrusted('two of its entries share the same bytes');
    end = to;
  }
}

function opener(zip: ZipFile, entry: Entry): LogFile['open'] {
  return async (signal) => {
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    return addAbortSignal(signal, entry.compressionMethod === 0 ? packed : inflating(packed));
  };
}

/** Not the library's own inflating: that one is not ended with the stream it makes. */
function inflating(packed: Readable): Readable {
  // What goes wrong is thrown to who reads the end of it.
  return pipeline(packed, createInflateRaw({ chunkSize: 64 * 1024 }), () => undefined);
}
