import { mkdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Reason a folder could not be made: it exists, its parent must be made first, or it cannot be. */
type Obstacle = 'exists' | 'no parent' | 'refused';

/**
 * Makes a folder for this user only, with the folders above it. Throws the error of the system when it cannot be made. Node's own
 * `recursive: true` never returns where a file system answers ENOENT for a folder whose parent exists, as /proc does: 24.21 holds a
 * core for as long as the process lives.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const obstacle = obstacleOf(folder, error);
    if (obstacle === 'refused') throw error;
    if (obstacle === 'exists') return;
    await makeFolder(dirname(folder));
    await makeFolder(folder);
  }
}

/** The same as `makeFolder`, at once. */
export function makeFolderSync(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const obstacle = obstacleOf(folder, error);
    if (obstacle === 'refused') throw error;
    if (obstacle === 'exists') return;
    makeFolderSync(dirname(folder));
    makeFolderSync(folder);
  }
}

function obstacleOf(folder: string, error: unknown): Obstacle {
  // A file system that can only be read answers EROFS for a folder that is there, too.
  if (isFolder(folder)) return 'exists';
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing && !isFolder(dirname(folder)) && dirname(folder) !== folder ? 'no parent' : 'refused';
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
