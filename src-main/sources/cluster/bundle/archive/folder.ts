import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../../base/error-message.ts';
import { BundleError } from '../bundle-error.ts';
import { linkedPath, shownName } from './entry-path.ts';
import { checkEntries } from './limits.ts';
import type { OpenFiles } from './open-files.ts';
import type { BundleEntry, BundleSource, Walk } from './source.ts';
import { fileAt } from './stored-file.ts';

/** The files of a folder, read in place. Links to folders are not gone into. */
export function folderSource(root: string, changedAt: number, files: OpenFiles): BundleSource {
  return {
    bytes: undefined,
    changedAt,
    walk: (walk) => entriesOf(root, files, walk),
  };
}

async function* entriesOf(
  root: string,
  files: OpenFiles,
  { onRead, onFlaw }: Walk,
): AsyncGenerator<BundleEntry> {
  const waiting = [''];
  let entries = 0;
  let bytes = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const names = await readdir(join(root, folder)).catch((error: unknown) => {
      if (folder === '')
        throw new BundleError(`The folder cannot be read (${errorMessage(error)}): check who may read it.`, {
          cause: error,
        });
      onFlaw(`The folder ${shownName(folder)} was not read: ${errorMessage(error)}.`);
      return [];
    });
    for (const name of names.sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const file = join(root, path);
      const facts = await lstat(file).catch(() => undefined);
      if (facts === undefined) continue;
      checkEntries(++entries);
      if (facts.isDirectory()) {
        waiting.push(path);
        continue;
      }
      const link = facts.isSymbolicLink() ? linkedPath(path, await readlink(file)) : undefined;
      if (facts.isSymbolicLink() && link === undefined) {
        onFlaw(`The link ${shownName(path)} was not followed: it leaves the bundle.`);
        continue;
      }
      if (!facts.isFile() && link === undefined) {
        onFlaw(`${shownName(path)} was not read: it is neither a file nor a folder.`);
        continue;
      }
      const stored = fileAt(files, file, facts.size);
      yield {
        path,
        size: facts.size,
        changedAt: facts.mtimeMs,
        link,
        stored,
        read: () => stored.read(0, facts.size),
      };
      bytes += facts.size;
      onRead(bytes);
    }
  }
}
