import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3-multiple-ciphers';
import { errorMessage } from '../../base/error-message.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { SealedStore } from '../sealed/index.ts';
import { type BackendLog, StartupRefused } from '../serving/index.ts';
import { type CockpitStore, changesOf, copyStore } from './store.ts';

/** A sealed copy of the SQLite file in the replica bucket. */
export type ReplicaLocation = { readonly store: SealedStore; readonly object: string };

/** Interval at which a changed store is copied, in milliseconds: the most a lost pod loses. */
const copyEveryMs = 60_000;

/**
 * Puts the replica in the place of an SQLite file that is not there; without a replica nothing happens. Throws `StartupRefused` when one
 * exists but cannot be restored (BCK-073): to start empty would replace it with nothing.
 */
export async function restoreReplica(
  { store, object }: ReplicaLocation,
  file: string,
  log: BackendLog,
): Promise<void> {
  if (await exists(file)) return;
  const draft = `${file}.restoring`;
  try {
    // A bucket that is not there must not look like one that is empty.
    await store.check();
    const replica = await store.open(object);
    if (replica === undefined) {
      log.info({}, 'there is no replica of the store yet, so it begins empty');
      return;
    }
    try {
      await makeFolder(dirname(file));
      await pipeline(
        Readable.from(replica.read(0, replica.size)),
        createWriteStream(draft, { mode: 0o600, flags: 'w' }),
      );
    } finally {
      await replica.close();
    }
    checkSqlite(draft);
    await rename(draft, file);
    log.info({ bytes: replica.size }, 'the store was restored from its replica');
  } catch (error) {
    throw new StartupRefused(
      `replica restore failed: ${errorMessage(error)} Check the object-store credentials and the replica bucket.`,
      { cause: error },
    );
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Keeps the replica up to date from now on: a store that changed is copied every minute, and once more on `close`. A copy that fails is
 * logged and tried again; nobody's request waits for it.
 */
export function keepReplica(
  store: CockpitStore,
  file: string,
  location: ReplicaLocation,
  log: BackendLog,
): { close(): Promise<void> } {
  let copied = -1;
  let running: Promise<void> = Promise.resolve();
  const copy = async (): Promise<void> => {
    const changes = await changesOf(store);
    if (changes === copied) return;
    const draft = `${file}.replica`;
    try {
      await copyStore(store, draft);
      await location.store.put(location.object, createReadStream(draft));
      copied = changes;
    } finally {
      await rm(draft, { force: true });
    }
  };
  const inTurn = (): Promise<void> => {
    running = running.then(copy).catch((error: unknown) => {
      log.error({ err: error }, 'the replica of the store could not be written; it is tried again');
    });
    return running;
  };
  const timer = setInterval(inTurn, copyEveryMs);
  return {
    close: () => {
      clearInterval(timer);
      return inTurn();
    },
  };
}

function checkSqlite(file: string): void {
  const db = new Database(file, { readonly: true });
  try {
    const answer: unknown = db.pragma('quick_check', { simple: true });
    if (answer !== 'ok') throw new Error('The replica is damaged.');
  } finally {
    db.close();
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
