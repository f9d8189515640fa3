import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './repo-root.ts';

const built = join(repoRoot, 'out/main/cli.js');
const madeFrom = ['src-main', 'src-shared', 'package-lock.json', 'electron.vite.config.ts'];

/**
 * The program `operator-console` to start with Node: the built one, as it ships, while no source is newer; else the
 * source itself. The built one is there in a quarter of the time, and the tests start it some hundred times.
 */
export const program = isCurrent() ? built : join(repoRoot, 'src-main/cli.ts');

/** A folder counts as well: it is changed when a file goes. */
function isCurrent(): boolean {
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return madeFrom.every((name) => {
    const place = join(repoRoot, name);
    const below = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: 'utf8' })
      : [];
    return ['', ...below].every((part) => statSync(join(place, part)).mtimeMs <= mtimeMs);
  });
}
