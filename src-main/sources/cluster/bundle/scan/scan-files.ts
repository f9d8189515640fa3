import { createLogScanner, type LineHit, mostHits } from '../../../../log-scan/index.ts';
import { BundleError, inWords } from '../bundle-error.ts';
import { shownName } from '../entry-path.ts';
import { UnreadFile } from '../file-content.ts';
import { gunzipped } from '../gunzip.ts';
import type { BundleEntry, BundleSource } from '../source.ts';

/** A file of a bundle with what was found in it. */
export type ScannedFile = {
  /** In the bundle. */
  readonly path: string;
  /** In the order of lines. */
  readonly hits: readonly LineHit[];
  /** Lines that hold a literal, by its index, also those that are not given. */
  readonly counts: readonly number[];
};

export type ScanOptions = {
  readonly source: BundleSource;
  readonly literals: readonly string[];
  /** Bytes of the bundle's file so far. */
  readonly onRead: (bytes: number) => void;
  /** A file with a hit, in the order they lie. It is not kept. */
  readonly onFile: (file: ScannedFile) => void;
};

export type Scanned = {
  /** Of every file and link. */
  readonly paths: readonly string[];
  /** Paths of links, by the path they lead to. */
  readonly links: ReadonlyMap<string, readonly string[]>;
  /** Files and bytes that were looked through. */
  readonly looked: { readonly files: number; readonly bytes: number };
  /** What could not be looked through, a sentence each. */
  readonly flaws: readonly string[];
};

/** Objects are read as such, and archives inside of the archive are not opened. */
const notText = /\.(?:json|ya?ml|tar|tgz|tar\.gz|zip)$/i;
const isGzip = /\.gz$/i;
/** Bytes that a packed log may unpack to; the largest real ones have a tenth of it. */
const mostUnpacked = 1024 * 1024 * 1024;
/** Hits of one literal in all files after which only the first and the last of a file are given. */
const mostHitsOfOne = 500;
/** Characters of all hits together, with the lines around them; real bundles have half of it. */
const mostText = 32 * 1024 * 1024;
const mostFlaws = 200;

/**
 * Looks through every file of a bundle that is no file of objects, in one pass over it: nothing is unpacked to the disk,
 * and no more of it is in memory than a piece of one file. Throws `BundleError` for what is hostile.
 */
export async function scanFiles({ source, literals, onRead, onFile }: ScanOptions): Promise<Scanned> {
  const scanner = createLogScanner(literals);
  const paths: string[] = [];
  const links = new Map<string, string[]>();
  const flaws: string[] = [];
  const given = new Array<number>(literals.length).fill(0);
  const looked = { files: 0, bytes: 0 };
  let text = 0;
  const onFlaw = (sentence: string): void => {
    if (flaws.length < mostFlaws) flaws.push(sentence);
  };
  for await (const entry of source.walk({ onRead, onFlaw })) {
    paths.push(entry.path);
    if (entry.link !== undefined) links.set(entry.link, [...(links.get(entry.link) ?? []), entry.path]);
    if (entry.link !== undefined || entry.size === 0 || notText.test(entry.path)) continue;
    const scan = scanner.begin((literal) => ((given[literal] ?? 0) < mostHitsOfOne ? mostHits : 1));
    const hits: LineHit[] = [];
    const take = (found: readonly LineHit[]): void => {
      for (const hit of found) {
        if (text > mostText) return;
        text += lengthOf(hit);
        if (text > mostText) onFlaw(tooMuchText);
        hits.push(hit);
      }
    };
    looked.files += 1;
    try {
      for await (const piece of textOf(entry)) {
        looked.bytes += piece.length;
        take(scan.feed(piece));
      }
    } catch (error) {
      // The bundle as a whole is refused; or this file, whose error is a clause.
      if (error instanceof BundleError) throw error;
      onFlaw(`${shownName(entry.path)} was looked through only in part: ${inWords(error)}.`);
    }
    take(scan.end());
    for (const { literal } of hits) given[literal] = (given[literal] ?? 0) + 1;
    if (hits.length > 0) onFile({ path: entry.path, hits, counts: scan.counts });
  }
  return { paths, links, looked, flaws };
}

const tooMuchText =
  'More lines match than are kept (32 MB of them): those of the files after these are counted, and not shown.';

function lengthOf({ text, before, after }: LineHit): number {
  let length = text.length;
  for (const line of before) length += line.length;
  for (const line of after) length += line.length;
  return length;
}

/** The bytes of a file, unpacked if it is packed. Throws an error whose message is a clause. */
async function* textOf(entry: BundleEntry): AsyncGenerator<Buffer> {
  if (!isGzip.test(entry.path)) {
    yield* entry.read();
    return;
  }
  const read = Promise.withResolvers<void>();
  const ending = createGzipEnding();
  const packed = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const piece of entry.read()) {
        ending.see(piece);
        yield piece;
      }
    } finally {
      read.resolve();
    }
  };
  const gunzip = gunzipped(packed());
  let unpacked = 0;
  try {
    for await (const piece of gunzip) {
      if (!Buffer.isBuffer(piece)) continue;
      unpacked += piece.length;
      if (unpacked > mostUnpacked) throw new UnreadFile('it unpacks to more than 1 GB');
      yield piece;
    }
    if (ending.isCutOff(unpacked)) throw new UnreadFile('it was cut off');
  } catch (error) {
    if (error instanceof UnreadFile) throw error;
    throw new UnreadFile(`it cannot be unpacked (${inWords(error)})`, { cause: error });
  } finally {
    gunzip.destroy();
    // The bundle is read in one go: nobody may still be reading this entry when the next one is looked for.
    await read.promise;
  }
}

/**
 * Whether a packed file was cut off, which unpacking does not say (gunzip.ts): a gzip file ends in the number of bytes
 * it unpacks to (RFC 1952, 2.3.1). Of a file that may have several members nothing is said.
 */
function createGzipEnding() {
  let tail: Buffer = Buffer.alloc(0);
  let seen = 0;
  let mayHaveMore = false;
  return {
    see(piece: Buffer): void {
      mayHaveMore ||= piece.indexOf(memberStart, seen === 0 ? 1 : 0) >= 0;
      seen += piece.length;
      tail = Buffer.from(Buffer.concat([tail, piece.subarray(-4)]).subarray(-4));
    },
    isCutOff: (unpacked: number): boolean =>
      !mayHaveMore && (tail.length < 4 || tail.readUInt32LE(0) !== unpacked % 2 ** 32),
  };
}

/** What a member of a gzip file begins with (RFC 1952, 2.3). */
const memberStart = Buffer.from([0x1f, 0x8b, 0x08]);
