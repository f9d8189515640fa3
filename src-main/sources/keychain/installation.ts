import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolderSync } from '../../base/make-folder.ts';

const schema = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) });

/** Returns a new name for an installation, which distinguishes its entries from another's. */
export function newInstallationId(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The name of the installation in this data folder, or undefined before it has one. It lies in the folder, so that a
 * folder that is moved keeps its keys. Throws an Error naming a file that cannot be read: taking another name would
 * lose the keys.
 */
export function readInstallationId(folder: string): string | undefined {
  const file = installationFile(folder);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text)).id;
  } catch (error) {
    throw new Error(
      `${file} is damaged: it names the keys of this data folder in the keychain. Nothing was changed: restore it from a copy.`,
      { cause: error },
    );
  }
}

/** Gives the data folder this name; false when it already has one. */
export function claimInstallationId(folder: string, id: string): boolean {
  makeFolderSync(folder);
  try {
    writeFileSync(installationFile(folder), `${JSON.stringify({ id })}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function installationFile(folder: string): string {
  return join(folder, 'installation.json');
}
