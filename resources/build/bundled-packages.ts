import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Folder of the lists that the builds leave for `write-notices.ts`, below the project's root. */
export const packageLists = 'out/packages';

/** Writes the folders of all packages whose code or styles are in the bundle to `out/packages/<name>.json`. */
export function listPackages(root: string, name: string): Plugin {
  const folders = new Set<string>();
  return {
    name: 'list-packages',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          // A style sheet leaves nothing in the chunk that imports it.
          if (renderedLength === 0 && !/\.css(?:\?|$)/.test(id)) continue;
          const folder = packageOf(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
    },
    writeBundle() {
      mkdirSync(join(root, packageLists), { recursive: true });
      writeFileSync(
        join(root, packageLists, `${name}.json`),
        `${JSON.stringify([...folders].toSorted(), undefined, 2)}\n`,
      );
    },
  };
}

/**
 * Returns the folder of the package that a module is of, such as `node_modules/react`, or undefined for our own code. What a
 * bundler adds by itself, under a name that begins with a NUL, is the bundler's.
 */
export function packageOf(id: string): string | undefined {
  const file = id.replace(/^\0+/, '').split('?', 1)[0] ?? '';
  const own = /^(vite|rolldown)\//.exec(file)?.[1];
  if (own !== undefined) return `node_modules/${own}`;
  const at = file.lastIndexOf('/node_modules/');
  if (at < 0) return undefined;
  // Some packages have a package.json in a folder of theirs that only says how its modules are read.
  for (let folder = dirname(file); folder.length > at; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8')))
      return folder.slice(folder.indexOf('/node_modules/') + 1);
  }
  return undefined;
}
