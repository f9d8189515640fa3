import { hkdfSync, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { errorMessage } from '../../base/error-message.ts';
import { secretFault } from '../../config/index.ts';
import { type Keychain, KeychainError } from '../../sources/keychain/index.ts';
import { isEncryptedFile, StoreError } from '../../store/index.ts';
import {
  addKeyFile,
  hasSealedKey,
  keyFile,
  openSealedKey,
  readKeyFile,
  sealedKeyFile,
  writeSealedKey,
} from './store-key-files.ts';

export type StoreKeySource = 'env' | 'keychain' | 'passphrase' | 'file';

/** The purpose of a subkey; each purpose has its own, so that none can be used for another. */
export type StoreKeyUse = 'store' | 'sealing' | 'head';

/** The key everything else is derived from. */
export type StoreKey = {
  readonly source: StoreKeySource;
  /** 32 bytes (HKDF-SHA-256, RFC 5869). */
  subkey(use: StoreKeyUse): Buffer;
  /** The key itself, to keep it elsewhere. */
  readonly root: Buffer;
};

/** Prompts the person at the terminal for a text without echoing it; undefined when there is no terminal. */
export type PromptSecret = (question: string) => Promise<string>;

export type StoreKeyLocations = {
  /** Data folder. */
  readonly folder: string;
  /** CONSOLE_STORE_KEY. */
  readonly fromEnvironment: Buffer | undefined;
  readonly keychain: Keychain;
  /** CONSOLE_KEY_PASSPHRASE. */
  readonly passphrase: string | undefined;
  readonly prompt: PromptSecret | undefined;
};

/** Name of the store key in the keychain. */
const storeKeyEntry = 'CONSOLE_STORE_KEY';

/** Number of attempts at the passphrase. */
const tries = 3;
/** Length of a new key, in bytes. */
const newKeyBytes = 32;

/** A store key from its bytes, 32 at least. */
export function storeKeyOf(source: StoreKeySource, root: Buffer): StoreKey {
  return {
    source,
    root,
    subkey: (use) => Buffer.from(hkdfSync('sha256', root, '', `operator-console ${use}`, 32)),
  };
}

/**
 * The store key from the first place that has it: environment, keychain, passphrase, file; undefined when none has.
 * Throws `StoreError` for a wrong or missing passphrase and for a damaged file, `KeychainError` for a keychain that is
 * locked while no other place has the key.
 */
async function findStoreKey(locations: StoreKeyLocations): Promise<StoreKey | undefined> {
  const { folder, fromEnvironment, keychain } = locations;
  if (fromEnvironment !== undefined) return storeKeyOf('env', fromEnvironment);
  let trouble: KeychainError | undefined;
  try {
    const held = await heldKey(keychain);
    if (held !== undefined) return held;
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    trouble = error;
  }
  if (hasSealedKey(folder)) return storeKeyOf('passphrase', await promptPassphrase(locations));
  const fromFile = explained(() => readKeyFile(folder));
  if (fromFile !== undefined) return storeKeyOf('file', fromFile);
  if (trouble !== undefined) throw trouble;
  return undefined;
}

/**
 * The key for the store in `storeFile` (undefined: a database, which we do not encrypt), or undefined where there is
 * none and nothing that it would open. Throws `StoreError` when an encrypted store exists and its key is not to be
 * found: a new one would open nothing.
 */
export async function locateStoreKey(
  locations: StoreKeyLocations,
  storeFile: string | undefined,
): Promise<StoreKey | undefined> {
  const encrypted = storeFile !== undefined && isEncryptedFile(storeFile);
  try {
    const found = await findStoreKey(locations);
    if (found !== undefined || !encrypted) return found;
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    if (!encrypted) return undefined;
    throw new StoreError(notFound(storeFile, error.state, error.message), { cause: error });
  }
  const { state, detail } = await locations.keychain.state();
  throw new StoreError(notFound(storeFile, state, detail));
}

/**
 * The key as `locateStoreKey` finds it; where there is none, a new one, in the keychain when there is one, else in a
 * file for its owner only.
 */
export async function openStoreKey(
  locations: StoreKeyLocations,
  storeFile: string | undefined,
): Promise<StoreKey> {
  return (await locateStoreKey(locations, storeFile)) ?? makeStoreKey(locations);
}

/**
 * Keeps the key in the keychain or under a passphrase, and nowhere else: the old places are emptied once the new one
 * was read back. The key stays the same, so a running console is not disturbed. Throws `KeychainError`.
 */
export async function moveStoreKey(
  { folder, keychain }: Pick<StoreKeyLocations, 'folder' | 'keychain'>,
  root: Buffer,
  to: 'keychain' | { readonly passphrase: string },
): Promise<void> {
  const text = root.toString('base64');
  if (to === 'keychain') {
    await keychain.set(storeKeyEntry, text);
    if ((await keychain.get(storeKeyEntry)) !== text)
      throw new StoreError('The keychain did not return the key it was given. The key was not moved.');
    rmSync(sealedKeyFile(folder), { force: true });
  } else {
    await writeSealedKey(folder, root, to.passphrase);
    if ((await openSealedKey(folder, to.passphrase))?.equals(root) !== true)
      throw new StoreError(
        `${sealedKeyFile(folder)} did not return the key it was given. The key was not moved.`,
      );
    await keychain.delete(storeKeyEntry);
  }
  rmSync(keyFile(folder), { force: true });
}

async function heldKey(keychain: Keychain): Promise<StoreKey | undefined> {
  const held = await keychain.get(storeKeyEntry);
  if (held === undefined) return undefined;
  const fault = secretFault(storeKeyEntry, held);
  if (fault === undefined) return storeKeyOf('keychain', Buffer.from(held, 'base64'));
  throw new StoreError(`The keychain's entry for the store key ${fault} Nothing was changed.`);
}

async function makeStoreKey({ folder, keychain }: StoreKeyLocations): Promise<StoreKey> {
  const key = randomBytes(newKeyBytes);
  try {
    if (await keychain.add(storeKeyEntry, key.toString('base64'))) return storeKeyOf('keychain', key);
    const held = await heldKey(keychain);
    if (held !== undefined) return held;
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
  }
  if (addKeyFile(folder, key)) return storeKeyOf('file', key);
  // Another start made one a moment ago.
  return storeKeyOf('file', readKeyFile(folder) ?? key);
}

async function promptPassphrase({ folder, passphrase, prompt }: StoreKeyLocations): Promise<Buffer> {
  const file = sealedKeyFile(folder);
  const open = (given: string): Promise<Buffer | undefined> => openSealedKey(folder, given);
  if (passphrase !== undefined) {
    const key = await open(passphrase);
    if (key !== undefined) return key;
    throw new StoreError(
      `CONSOLE_KEY_PASSPHRASE is not the passphrase of ${file}, so the store cannot be opened. Nothing was changed: set the right one.`,
    );
  }
  if (prompt === undefined) {
    throw new StoreError(
      `The store key is protected by a passphrase (${file}) and there is no terminal to ask for it: set CONSOLE_KEY_PASSPHRASE, or start the console from a terminal.`,
    );
  }
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const key = await open(
      await prompt(`Passphrase of the store key${attempt === 0 ? '' : ' (wrong passphrase, try again)'}: `),
    );
    if (key !== undefined) return key;
  }
  throw new StoreError(
    `${tries} wrong passphrases for ${file}. Nothing was changed: restart with the right one.`,
  );
}

function notFound(file: string, state: 'available' | 'locked' | 'absent' | 'off', detail: string): string {
  const start = `The store ${file} is encrypted and its key was not found.`;
  const end = 'Nothing was changed.';
  const elsewhere = 'set CONSOLE_STORE_KEY, or restore its file (store.key or store-key.sealed)';
  switch (state) {
    case 'available':
      return `${start} It is not in this person's keychain: the store was created by another person or on another machine, or was moved without the rest of its folder (installation.json names the key). ${end} Start it where it was created, or ${elsewhere}.`;
    case 'locked':
      return `${start} It may be in the keychain, which cannot be read now. ${detail} ${end}`;
    case 'absent':
      return `${start} It may be in a keychain, and none answers here. ${end} Start the console in the desktop session of the person who created the store, or ${elsewhere}.`;
    case 'off':
      return `${start} The keychain was not searched: CONSOLE_KEYCHAIN is off. ${end} Remove the variable, or ${elsewhere}.`;
  }
}

function explained<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StoreError(errorMessage(error), { cause: error });
  }
}

/** Returns a warning about a weak location of the key, with what to set, or undefined. */
export function storeKeyNotice(source: StoreKeySource, folder: string): string | undefined {
  if (source !== 'file') return undefined;
  return `The store key is in ${keyFile(folder)}, readable by its owner only: that protects the store from other users, not from anyone who copies the folder. Run \`operator-console keys protect\`, set CONSOLE_STORE_KEY, or move it to a keychain with \`operator-console keys protect --keychain\`.`;
}
