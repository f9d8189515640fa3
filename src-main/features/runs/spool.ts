import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleError } from '#shared/errors.ts';

/** A stream of bytes put by, so that it can be read at any place. */
export type Spool = {
  readonly handle: FileHandle;
  /** Closes it and removes it from the disk; idempotent. Never throws: no caller could handle the error. */
  remove(): Promise<void>;
};

/**
 * Puts bytes by in a file of the temporary folder that only this user can open, and whose name is taken away at once:
 * not even a crash leaves it behind. (Windows may keep the name until `remove`.) Throws what `bytes` throws when that is
 * a `ConsoleError`, otherwise `Unavailable`.
 */
export async function spool(bytes: AsyncIterable<Uint8Array>): Promise<Spool> {
  const spooled = await emptySpool().catch(notKept);
  try {
    await spooled.handle.writeFile(bytes);
    return spooled;
  } catch (error) {
    await spooled.remove();
    return notKept(error);
  }
}

async function emptySpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'console-spool-'));
  const unlink = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const handle = await open(join(folder, 'spool'), 'wx+', 0o600).catch(async (error) => {
    await unlink();
    throw error;
  });
  let named = true;
  await unlink().then(
    () => {
      named = false;
    },
    () => undefined,
  );
  let removed: Promise<void> | undefined;
  return {
    handle,
    remove() {
      removed ??= handle
        .close()
        .then(() => (named ? unlink() : undefined))
        .catch(() => undefined);
      return removed;
    },
  };
}

function notKept(error: unknown): never {
  if (error instanceof ConsoleError) throw error;
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  throw new ConsoleError(
    'Unavailable',
    `The log was not read: the temporary folder of the console could not keep its archive${code}. Make room there, or check who may write to it.`,
    {},
    { cause: error },
  );
}
