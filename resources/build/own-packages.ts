import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a folder with a `package.json` of its own, as its lock says, unless they are there: what only
 * a benchmark, the packaging or the contracts need does not come with every `npm ci`.
 */
export function installOwnPackages(folder: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const wanted = statSync(join(folder, 'package-lock.json')).mtimeMs;
  if (existsSync(installed) && statSync(installed).mtimeMs >= wanted) return;
  console.error(`Installing the packages of ${folder}, once`);
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    // The output belongs to the tool that is run next.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status}.`);
}
