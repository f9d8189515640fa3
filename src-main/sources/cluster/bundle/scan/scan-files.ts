import { errorMessage } from '../../../../base/error-message.ts';
import { createLogScanner, type LineHit, mostHits } from '../../../../log-scan/index.ts';
import { shownName } from '../archive/entry-path.ts';
import { held } from '../archive/file-content.ts';
import type { BundleSource } from '../archive/source.ts';
import { BundleError } from '../bundle-error.ts';
import { createSurveyor, type Survey } from '../survey.ts';
import { unpackedLog } from './packed-log.ts';

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
  /** A file with a hit, about in the order they lie. It is not kept. */
  readonly onFile: (file: ScannedFile) => void;
};

export type Scanned = {
  readonly survey: Survey;
  /** Number of files and bytes scanned. */
  readonly looked: { readonly files: number; readonly bytes: number };
  /** Everything that could not be scanned, a sentence each. */
  readonly flaws: readonly string[];
};

/** Objects are read as such, and archives inside of the archive are not opened. */
const notText = /\.(?:json|ya?ml|tar|tgz|tar\.gz|zip)$/i;
const isGzip = /\.gz$/i;
/** Bytes of a packed log up to which it is kept in memory as it is; real ones have a tenth of it. */
const largestHeld = 4 * 1024 * 1024;
/** Hits of one literal in all files after which only the first and the last of a file are given. */
const mostHitsOfOne = 500;
/** Characters of all hits together, with the lines around them; real bundles have half of it. */
const mostText = 32 * 1024 * 1024;
const mostFlaws = 200;

/**
 * Looks through every file of a bundle that is no file of objects, in one pass over it: nothing is unpacked to the disk,
 * and no more of it is in memory than a piece of one file and two packed ones. Throws `BundleError` for what is hostile.
 */
export async function scanFiles({ source, literals, onRead, onFile }: ScanOptions): Promise<Scanned> {
  const scanner = createLogScanner(literals);
  const surveyor = createSurveyor();
  const flaws: string[] = [];
  const given = new Array<number>(literals.length).fill(0);
  const looked = { files: 0, bytes: 0 };
  let text = 0;
  const onFlaw = (sentence: string): void => {
    if (flaws.length < mostFlaws) flaws.push(sentence);
  };
  const lookThrough = async (path: string, pieces: AsyncIterable<Buffer>): Promise<void> => {
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
      for await (const piece of pieces) {
        looked.bytes += piece.length;
        take(scan.feed(piece));
      }
    } catch (error) {
      // The bundle as a whole is refused; or this file, whose error is a clause.
      if (error instanceof BundleError) throw error;
      onFlaw(`${shownName(path)} was looked through only in part: ${errorMessage(error)}.`);
    }
    take(scan.end());
    for (const { literal } of hits) given[literal] = (given[literal] ?? 0) + 1;
    if (hits.length > 0) onFile({ path, hits, counts: scan.counts });
  };
  /** A packed log is unpacked while the walk goes on, one at a time: else both would wait for each other. */
  let beside: Promise<void> = Promise.resolve();
  for await (const entry of source.walk({ onRead, onFlaw })) {
    const { path, link, size } = entry;
    surveyor.see(entry);
    if (link !== undefined || size === 0 || notText.test(path)) continue;
    if (!isGzip.test(path)) await lookThrough(path, entry.read());
    else if (size > largestHeld) await lookThrough(path, unpackedLog(entry.read()));
    else {
      const packed = await held(entry);
      await beside;
      beside = lookThrough(path, unpackedLog(packed.read()));
      // Whoever awaits it next hears of it.
      beside.catch(() => undefined);
    }
  }
  await beside;
  return { survey: surveyor.survey(), looked, flaws };
}

const tooMuchText =
  'More lines match than are kept (32 MB of them): those of the files after these are counted, and not shown.';

function lengthOf({ text, before, after }: LineHit): number {
  let length = text.length;
  for (const line of before) length += line.length;
  for (const line of after) length += line.length;
  return length;
}
