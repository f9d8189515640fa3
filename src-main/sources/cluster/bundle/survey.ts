import type { BundleEntry } from './archive/source.ts';
import { type FoundLayout, findLayout } from './layouts/index.ts';
import { isPlausibleTime } from './taken-time.ts';

/** Facts about a bundle from its file names. */
export type Survey = {
  readonly files: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly newestFile: number;
  /** Undefined when it holds nothing that is known. */
  readonly found: FoundLayout | undefined;
  /** Paths of links, by the path of the file they lead to. */
  readonly links: ReadonlyMap<string, readonly string[]>;
};

export type Surveyor = {
  see(entry: BundleEntry): void;
  /** Returns the survey of the files so far. */
  survey(): Survey;
};

export function createSurveyor(): Surveyor {
  const paths: string[] = [];
  const targets = new Map<string, string>();
  let bytes = 0;
  let newestFile = 0;
  return {
    see(entry) {
      if (entry.link !== undefined) targets.set(entry.path, entry.link);
      paths.push(entry.path);
      bytes += entry.size;
      if (isPlausibleTime(entry.changedAt)) newestFile = Math.max(newestFile, entry.changedAt);
    },
    survey: () => ({
      files: paths.length,
      bytes,
      newestFile,
      found: findLayout(paths),
      links: linksOf(targets),
    }),
  };
}

/** A link may lead to another one; one that leads nowhere, or in a circle, is of no file. */
function linksOf(targets: ReadonlyMap<string, string>): Map<string, string[]> {
  const links = new Map<string, string[]>();
  for (const [link, target] of targets) {
    let file = target;
    for (let hops = 0; hops < 8 && targets.has(file); hops++) file = targets.get(file) ?? file;
    links.set(file, [...(links.get(file) ?? []), link]);
  }
  return links;
}
