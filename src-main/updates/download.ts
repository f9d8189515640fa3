import { createHash } from 'node:crypto';
import { createReadStream, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { addressOn, type Feed, type Update } from './feed.ts';
import { UpdateRefused } from './manifest.ts';

export type DownloadOptions = {
  readonly feed: Feed;
  readonly update: Update;
  /** Folder of downloads. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Bytes that are there, of all. */
  readonly onProgress?: (received: number, size: number) => void;
};

/**
 * Downloads the package of an update and returns its path, whole and as the signed manifest says. What a cut download
 * left is kept and continued the next time. Throws `UpdateRefused` for a package that is another than the manifest's, of
 * which nothing is kept, and the error of the network.
 */
export async function downloadUpdate(options: DownloadOptions): Promise<string> {
  const { feed, update, folder, signal, onProgress } = options;
  const { name, size, sha512 } = update.file;
  const target = join(folder, `${update.manifest.version}-${name}`);
  const part = `${target}.part`;
  await makeFolder(folder);
  if (sizeOf(target) === size && (await digestOf(target)) === sha512) return target;
  let received = sizeOf(part);
  if (received > size) {
    rmSync(part);
    received = 0;
  }
  if (received < size) {
    const answer = await fetch(addressOn(feed, name), {
      signal,
      redirect: 'error',
      headers: received === 0 ? {} : { range: `bytes=${received}-` },
    });
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      throw new Error(`The update server answered ${answer.status}.`);
    }
    // A server without ranges sends all of it.
    const goesOn = answer.status === 206;
    if (!goesOn) received = 0;
    const out = await open(part, goesOn ? 'a' : 'w', 0o600);
    try {
      for await (const piece of answer.body) {
        received += piece.length;
        if (received > size) break;
        await out.write(piece);
        onProgress?.(received, size);
      }
      await out.sync();
    } finally {
      await out.close();
    }
    if (received < size) throw new Error('The download was cut. It goes on from there the next time.');
  }
  if (received > size || (await digestOf(part)) !== sha512) {
    rmSync(part, { force: true });
    throw new UpdateRefused(
      `The package of ${update.manifest.version} is not the one that was released. It was removed, and the version that runs stays.`,
    );
  }
  renameSync(part, target);
  return target;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest('hex');
}
