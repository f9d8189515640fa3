import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Settings } from '#shared/api/settings.ts';
import { makeFolderSync } from '../base/make-folder.ts';
import { promptSecret } from '../base/prompt-secret.ts';
import type { Config } from '../config/index.ts';
import { type ConsoleTables, consoleMigrations } from '../console/tables.ts';
import type { HeadKeeper } from '../features/audit/index.ts';
import {
  createKeptSecrets,
  createSeal,
  fileHeadKeeper,
  type KeptSecrets,
  keychainHeadKeeper,
  openStoreKey,
  type StoreKey,
  type StoreKeyLocations,
  storeKeyNotice,
} from '../features/settings/index.ts';
import { createSystemKeychain, type Keychain, noKeychain } from '../sources/keychain/index.ts';
import { explained, openStore, type Store } from '../store/index.ts';

/** The console's store as its settings place it, opened with its key. */
export type ConsoleStore = {
  readonly store: Store<ConsoleTables>;
  /** Storage of the audit chain's head outside the store. */
  readonly auditHead: HeadKeeper | undefined;
  readonly storeKey: StoreKey;
  readonly keychain: Keychain;
  readonly kept: KeptSecrets;
  /** The store as shown on the settings page. */
  readonly status: Settings['store'];
};

/**
 * Opens the store that a console with these settings uses; for the console itself, and for commands run
 * alongside it. Prompts for the passphrase on the terminal if the key is protected by one. Throws
 * `StoreError`, and changes nothing, when the key is not found or the store cannot be opened. `onIdleError`
 * is called for a database connection that broke.
 */
export async function openConsoleStore(
  config: Config,
  onIdleError: (error: Error) => void = () => undefined,
): Promise<ConsoleStore> {
  const { databaseUrl } = config;
  const locations = storeKeyLocations(config);
  const { keychain } = locations;
  const storeKey = await openKey(config, locations);
  const store = await openStore<ConsoleTables>({
    location:
      databaseUrl === undefined
        ? { kind: 'sqlite', file: storeFile(config), encryption: storeKey.subkey('store') }
        : { kind: 'postgres', url: databaseUrl },
    migrations: consoleMigrations,
    onIdleError,
  });
  try {
    return {
      store,
      storeKey,
      keychain,
      auditHead: await headKeeper(config, storeKey, keychain),
      kept: keptSecrets(store, storeKey, keychain),
      status: statusOf(config, storeKey),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openKey(config: Config, locations: StoreKeyLocations): Promise<StoreKey> {
  const { dataDir, databaseUrl } = config;
  try {
    makeFolderSync(dataDir);
    return await openStoreKey(locations, databaseUrl === undefined ? storeFile(config) : undefined);
  } catch (error) {
    // A folder that may not be written, a full disk: the same words as for the store itself.
    throw explained(error, 'sqlite', `The data folder ${dataDir}`);
  }
}

/** Returns the locations where a console with these settings looks for its store key. */
export function storeKeyLocations(config: Config): StoreKeyLocations {
  return {
    folder: config.dataDir,
    fromEnvironment: config.storeKey,
    keychain: config.keychain ? createSystemKeychain(config.dataDir, process.env) : noKeychain(),
    passphrase: config.keyPassphrase,
    prompt: process.stdin.isTTY && process.stderr.isTTY ? promptSecret : undefined,
  };
}

/** The embedded store's file. */
export function storeFile(config: Config): string {
  return join(config.dataDir, 'console.db');
}

/** Returns the kept secrets of a store. They are sealed in it only under a key that is not beside it. */
export function keptSecrets(
  store: Store<ConsoleTables>,
  storeKey: StoreKey,
  keychain: Keychain,
): KeptSecrets {
  const maySeal = storeKey.source === 'env' || storeKey.source === 'passphrase';
  return createKeptSecrets({
    db: store.db,
    keychain,
    seal: maySeal ? createSeal(storeKey.subkey('sealing')) : undefined,
    shared: store.kind === 'postgres',
  });
}

async function headKeeper(config: Config, storeKey: StoreKey, keychain: Keychain): Promise<HeadKeeper> {
  const name = headName(config.databaseUrl);
  const available = storeKey.source === 'keychain' || (await keychain.state()).state === 'available';
  return available
    ? keychainHeadKeeper(keychain, name)
    : fileHeadKeeper(config.dataDir, name, storeKey.subkey('head'));
}

/**
 * Returns a name for the head of each database: a folder may be used with one database after another, and
 * each has its own chain.
 */
function headName(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return '';
  const { host, pathname } = new URL(databaseUrl);
  return `-${createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 16)}`;
}

function statusOf(config: Config, { source }: StoreKey): Settings['store'] {
  const notice = storeKeyNotice(source, config.dataDir);
  const more = { key_source: source, ...(notice === undefined ? {} : { notice }) };
  if (config.databaseUrl === undefined)
    return { kind: 'sqlite', place: storeFile(config), encrypted: true, ...more };
  const { host, pathname } = new URL(config.databaseUrl);
  return { kind: 'postgres', place: `${host}${pathname}`, encrypted: false, ...more };
}

/** Opens the store of what the sandbox platform reports: in memory, because all of it is made up at each start. */
export function openSandboxStore(): Promise<Store<ConsoleTables>> {
  return openStore<ConsoleTables>({
    location: { kind: 'sqlite', file: ':memory:', encryption: 'none' },
    migrations: consoleMigrations,
  });
}
