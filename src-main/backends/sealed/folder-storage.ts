import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { capitalised } from '#shared/text.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type ObjectStorage, type PlacedObject, StorageUnavailable } from './storage.ts';

const suffix = '.sealed';
/** No object's name begins with a dot. */
const draftsFolder = '.drafts';
/** A draft nobody has written to for this long was left by a writer that died, in milliseconds. */
const draftLivesMs = 24 * 60 * 60_000;

/**
 * Keeps objects as files `<root>/<name>.sealed`, for this user alone. Written as a draft, synced and renamed: whenever the machine stops,
 * a file is whole or not there.
 */
export function folderStorage(root: string): ObjectStorage {
  const name = `the folder ${root}`;
  const drafts = join(root, draftsFolder);
  const fileOf = (object: string): string => `${join(root, ...object.split('/'))}${suffix}`;
  const unavailable = (error: unknown): unknown =>
    error instanceof Error && 'code' in error && typeof error.code === 'string'
      ? new StorageUnavailable(
          `${capitalised(name)} cannot be used (${error.code}): check that it is there, its owner and mode, and the room on its disk.`,
          { cause: error },
        )
      : error;

  return {
    name,
    async check() {
      try {
        await makeFolder(drafts);
        await access(drafts, constants.R_OK | constants.W_OK);
        for (const draft of await readdir(drafts)) {
          const { mtimeMs } = await stat(join(drafts, draft));
          if (Date.now() - mtimeMs > draftLivesMs) await rm(join(drafts, draft), { force: true });
        }
      } catch (error) {
        throw unavailable(error);
      }
    },
    async write(object, pieces) {
      const file = fileOf(object);
      const draft = join(drafts, randomUUID());
      try {
        await makeFolder(drafts);
        await makeFolder(dirname(file));
        await writeDraft(draft, pieces);
        await rename(draft, file);
        await syncFolder(dirname(file));
      } catch (error) {
        // The failure that led here is the one to tell.
        await rm(draft, { force: true }).catch(() => undefined);
        throw unavailable(error);
      }
    },
    async open(object, headBytes) {
      let file: FileHandle;
      try {
        file = await open(fileOf(object), 'r');
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw unavailable(error);
      }
      try {
        return await openFile(file, headBytes, unavailable);
      } catch (error) {
        await file.close();
        throw unavailable(error);
      }
    },
    async list(prefix) {
      const parts = prefix.split('/').slice(0, -1);
      try {
        const found = await filesUnder(join(root, ...parts), parts.map((part) => `${part}/`).join(''));
        return found.filter((object) => object.startsWith(prefix)).sort();
      } catch (error) {
        throw unavailable(error);
      }
    },
    async remove(object) {
      try {
        await rm(fileOf(object), { force: true });
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

async function openFile(
  file: FileHandle,
  headBytes: number,
  unavailable: (error: unknown) => unknown,
): Promise<PlacedObject> {
  const { size } = await file.stat();
  const head = Buffer.allocUnsafeSlow(Math.min(headBytes, size));
  await readFully(file, head, 0);
  return {
    size,
    head,
    async *read(start, end, pieceBytes) {
      const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start));
      for (let at = start; at < end; at += pieceBytes) {
        const wanted = piece.subarray(0, Math.min(pieceBytes, end - at));
        try {
          await readFully(file, wanted, at);
        } catch (error) {
          throw unavailable(error);
        }
        yield wanted;
      }
    },
    close: () => file.close(),
  };
}

/** Fills the buffer from a place in the file. A file that ends before was cut while it was open. */
async function readFully(file: FileHandle, buffer: Buffer, position: number): Promise<void> {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) throw new StorageUnavailable('A sealed file became shorter while it was read.');
    filled += bytesRead;
  }
}

async function writeDraft(draft: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(pieces);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the names in a folder are on the disk. Windows opens no folder, and keeps the names itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function filesUnder(folder: string, prefix: string): Promise<string[]> {
  let entries: Awaited<ReturnType<typeof readEntries>>;
  try {
    entries = await readEntries(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory())
      found.push(...(await filesUnder(join(folder, entry.name), `${prefix}${entry.name}/`)));
    else if (entry.name.endsWith(suffix)) found.push(`${prefix}${entry.name.slice(0, -suffix.length)}`);
  }
  return found;
}

function readEntries(folder: string) {
  return readdir(folder, { withFileTypes: true });
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
