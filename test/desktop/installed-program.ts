import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * A copy of the rig's Electron under the product's own name, by which Electron takes itself for an installed program.
 * Removed at the end of the run.
 */
export function installedExecutable(): string {
  const { ELECTRON_RIG: executable } = process.env;
  if (executable === undefined) throw new Error('Run this with npm run test:desktop.');
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(dirname(executable), folder, { recursive: true });
  const installed = join(folder, 'operator-console');
  renameSync(join(folder, basename(executable)), installed);
  return installed;
}
