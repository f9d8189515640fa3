import { type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../../base/error-message.ts';
import { makeFolder } from '../../../../base/make-folder.ts';
import type { OpenFiles } from '../archive/open-files.ts';
import { partOf, type StoredFile } from '../archive/stored-file.ts';
import { BundleError } from '../bundle-error.ts';

/**
 * The logs of a compressed archive, put by uncompressed: gzip has no places to jump to, so that the end of one log
 * would otherwise cost unpacking the whole archive. Objects are never written to the disk.
 */
export type LogSpool = {
  /** Puts a log by. Throws `BundleError` when the disk does not take it. */
  keep(bytes: AsyncIterable<Buffer>): Promise<StoredFile>;
};

/** The one file that is written, in a folder of its bundle's own. */
export const spoolFile = (folder: string): string => join(folder, 'logs.spool');

/** Nothing is written before the first log. */
export function createLogSpool(folder: string, files: OpenFiles): LogSpool {
  const file = spoolFile(folder);
  let handle: FileHandle | undefined;
  let end = 0;

  const opened = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle;
    await makeFolder(folder);
    handle = await files.open(file, 'wx+', 0o600);
    // Without a name not even a crash leaves it behind; where the system keeps the name, who ends the thread removes it.
    await rm(file, { force: true }).catch(() => undefined);
    return handle;
  };

  return {
    async keep(bytes) {
      const into = await opened().catch((error: unknown) => notKept(folder, error));
      const from = end;
      for await (const piece of bytes) {
        for (let written = 0; written < piece.length; ) {
          const { bytesWritten } = await into
            .write(piece, written, piece.length - written, end)
            .catch((error: unknown) => notKept(folder, error));
          written += bytesWritten;
          end += bytesWritten;
        }
      }
      return partOf(into, from, end - from);
    },
  };
}

function notKept(folder: string, error: unknown): never {
  throw new BundleError(
    `The bundle's logs cannot be kept in ${folder} (${errorMessage(error)}): make room there, or unpack the bundle and open its folder.`,
    { cause: error },
  );
}
