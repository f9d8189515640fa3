import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './repo-root.ts';

const built = join(repoRoot, 'out/renderer');
const hash = /-([A-Za-z0-9_-]{8})\.(?:js|css)$/;

/** Puts the built web app into a folder, as the next version's build would: every file with another name. */
export function putBuild(folder: string, version: 'first' | 'next'): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(built, folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) });
  if (version === 'first') return;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => hash.test(name));
  const renamed = names.map((name) => [
    name,
    name.replace(hash, (text, sum) => text.replace(sum, `next${sum}`)),
  ]);
  for (const path of [join(folder, 'index.html'), ...names.map((name) => join(assets, name))]) {
    let text = readFileSync(path, 'utf8');
    for (const [from, to] of renamed) text = text.replaceAll(from ?? '', to ?? '');
    writeFileSync(path, text);
  }
  for (const [from, to] of renamed) renameSync(join(assets, from ?? ''), join(assets, to ?? ''));
}
