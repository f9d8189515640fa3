import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the last step of the build writes. */
export const builtFile = 'out/renderer/third-party-notices.txt';

/** What the build reads, below the project's root. A new dependency changes the lock file. */
const sources = [
  'src-main',
  'src-renderer',
  'src-shared',
  'resources',
  'electron.vite.config.ts',
  'package-lock.json',
  'package.json',
];

/** Whether the last build ended, and no source was written since. */
export function isBuilt(root: string): boolean {
  const built = statSync(join(root, builtFile), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return false;
  return sources.every((name) => newestBelow(join(root, name)) <= built);
}

/** When a file, or the newest file and folder below a folder, was written: a folder's own time tells of a file removed. */
function newestBelow(path: string): number {
  const own = statSync(path, { throwIfNoEntry: false });
  if (own === undefined) return 0;
  if (!own.isDirectory()) return own.mtimeMs;
  const below = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(own.mtimeMs, ...below.map((name) => statSync(join(path, name)).mtimeMs));
}
