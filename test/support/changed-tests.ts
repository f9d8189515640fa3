import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Matches a quoted string of a source: an import, or a program that it starts by its path. */
const quoted = /['"]([^'"\n]+)['"]/g;
const sources = ['src-main', 'src-shared', 'src-renderer', 'test'];

/**
 * Returns the contract tests that reach one of the changed files: those of its own folder first, then those over the
 * fewest imports, the shorter ones first. A file that is no TypeScript is reached by the sources that name its folder.
 */
export function reachedTests(root: string, changed: readonly string[]): string[] {
  const texts = new Map(
    sources
      .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  );
  const importers = importersOf(texts);
  const distances = new Map<string, number>();
  const queue: string[] = [];
  const reach = (file: string, distance: number): void => {
    if (distances.has(file)) return;
    distances.set(file, distance);
    queue.push(file);
  };
  for (const file of changed) {
    if (/\.tsx?$/.test(file)) reach(file, 0);
    else
      for (const [source, text] of texts)
        if (dirname(file) !== '.' && text.includes(dirname(file))) reach(source, 1);
  }
  for (let file = queue.shift(); file !== undefined; file = queue.shift())
    for (const importer of importers.get(file) ?? []) reach(importer, (distances.get(file) ?? 0) + 1);
  const folders = changed.map(mirrorOf);
  const rank = (file: string): number =>
    folders.includes(dirname(file)) || changed.includes(file) ? 0 : (distances.get(file) ?? 0);
  return [...distances.keys()]
    .filter((file) => /^test\/contract\/.*\.test\.ts$/.test(file) && texts.has(file))
    .sort((a, b) => rank(a) - rank(b) || (texts.get(a)?.length ?? 0) - (texts.get(b)?.length ?? 0));
}

/** The folder of the contract tests of a source. */
function mirrorOf(file: string): string {
  const feature = /^src-shared\/api\/([^/]+)\.ts$/.exec(file)?.[1];
  if (feature !== undefined) return `test/contract/features/${feature}`;
  return dirname(file).replace(/^src-main/, 'test/contract');
}

function importersOf(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, text] of texts)
    for (const [, name = ''] of text.matchAll(quoted)) {
      const target = targetOf(file, name);
      if (target === undefined || !texts.has(target)) continue;
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  return importers;
}

function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('#shared/')) return `src-shared/${name.slice('#shared/'.length)}`;
  if (name.startsWith('.')) return normalize(join(dirname(file), name));
  return /^(?:src-\w+|test)\/.*\.tsx?$/.test(name) ? name : undefined;
}
