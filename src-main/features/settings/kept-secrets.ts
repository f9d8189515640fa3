import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { type Keychain, KeychainError } from '../../sources/keychain/index.ts';
import type { Seal } from './seal.ts';
import { deleteSealed, readSealed, readSealedOne, type SettingsTables, writeSealed } from './store.ts';

/** Storage of a secret: the system's keychain, or sealed in the store. */
export type KeptIn = 'keychain' | 'sealed';

export type KeptSecretsOptions = {
  readonly db: Kysely<SettingsTables>;
  readonly keychain: Keychain;
  /**
   * Seal under the store key; undefined if that key is in a file beside the store, which would protect
   * nothing.
   */
  readonly seal: Seal | undefined;
  /** True when other consoles use the same store and should find the secrets there. */
  readonly shared: boolean;
};

/** The secrets as recorded in the store. */
export type KeptRows = {
  /** Those sealed in the store, opened. */
  readonly sealed: ReadonlyMap<string, string>;
  /** Names of those that another key sealed. */
  readonly sealedElsewhere: readonly string[];
  /** Those that a keychain holds: under each name a mark that changes with every change of the secret. */
  readonly inKeychain: ReadonlyMap<string, string>;
};

/** The secrets that were given to the console, by free name. */
export type KeptSecrets = {
  /** Returns where a newly set secret is stored, or the reason why it cannot be stored. */
  destination(): Promise<KeptIn | { readonly refused: string }>;
  /** Returns every secret in the store; the keychain is not read. */
  rows(): Promise<KeptRows>;
  /** One of those the keychain holds. Throws `KeychainError`. */
  fromKeychain(name: string): Promise<string | undefined>;
  /** A secret wherever it is kept. Throws `KeychainError` when it is in a keychain that cannot be read. */
  get(name: string): Promise<string | undefined>;
  /** Throws `Refused` where there is no place for it, `Conflict` where it would replace what another key sealed. */
  set(name: string, value: string): Promise<KeptIn>;
  /** True when there was one. */
  delete(name: string): Promise<boolean>;
};

/** Advice shown where no secret can be stored. */
const noDestination =
  'This console cannot store secrets: it has no keychain, and its store key is in a file beside the store. Set CONSOLE_STORE_KEY, run `operator-console keys protect`, or start it where a keychain is available.';

/** Value of a store row, in place of a sealed text, when the secret is in the keychain. */
const keychainMark = 'keychain:';

/**
 * Keeps secrets in the keychain when there is one, else sealed in the store, else not at all: never in plain
 * text. The store has a row for each, so that a start reads from the keychain only the secrets it holds (each
 * costs 7 ms of the main thread), and of a secret stored in two places because one was unreachable, one
 * counts.
 */
export function createKeptSecrets({ db, keychain, seal, shared }: KeptSecretsOptions): KeptSecrets {
  /** Texts as last opened, so that only what changed is opened again. */
  const known = new Map<string, { sealed: string; value: string | undefined }>();

  const open = (name: string, sealed: string): string | undefined => {
    const before = known.get(name);
    if (before?.sealed === sealed) return before.value;
    const value = seal?.open(name, sealed);
    known.set(name, { sealed, value });
    return value;
  };

  const destination = async (): Promise<KeptIn | { refused: string }> => {
    // A secret in one machine's keychain would be missing on the others.
    if (shared && seal !== undefined) return 'sealed';
    const { state, detail } = await keychain.state();
    if (state === 'available') return 'keychain';
    if (seal !== undefined) return 'sealed';
    return { refused: state === 'locked' ? `${noDestination} ${detail}` : noDestination };
  };

  return {
    destination,

    async rows() {
      const rows = await readSealed(db);
      for (const name of known.keys()) if (!rows.some((row) => row.name === name)) known.delete(name);
      const sealed = new Map<string, string>();
      const inKeychain = new Map<string, string>();
      const sealedElsewhere: string[] = [];
      for (const row of rows) {
        if (row.sealed.startsWith(keychainMark)) {
          inKeychain.set(row.name, row.sealed);
          continue;
        }
        const value = open(row.name, row.sealed);
        if (value === undefined) sealedElsewhere.push(row.name);
        else sealed.set(row.name, value);
      }
      return { sealed, sealedElsewhere, inKeychain };
    },

    fromKeychain: (name) => keychain.get(name),

    async get(name) {
      const row = await readSealedOne(db, name);
      if (row === undefined) return undefined;
      return row.sealed.startsWith(keychainMark) ? keychain.get(name) : open(name, row.sealed);
    },

    async set(name, value) {
      const keptIn = await destination();
      if (typeof keptIn === 'object')
        throw new ConsoleError('Refused', `${name} was not saved. ${keptIn.refused}`);
      const row = await readSealedOne(db, name);
      const foreign =
        row !== undefined && !row.sealed.startsWith(keychainMark) && open(name, row.sealed) === undefined;
      if (foreign) {
        throw new ConsoleError(
          'Conflict',
          `${name} was not saved: the store has one sealed with another store key. Give this console that key, or delete ${name} first.`,
        );
      }
      if (keptIn === 'sealed' && seal !== undefined) {
        await writeSealed(db, { name, sealed: seal.close(name, value) });
        await forgetInKeychain(keychain, name);
      } else {
        await refusedByKeychain(name, () => keychain.set(name, value));
        await writeSealed(db, { name, sealed: keychainMark + randomBytes(12).toString('base64url') });
      }
      return keptIn;
    },

    async delete(name) {
      const row = await readSealedOne(db, name);
      if (row === undefined) return false;
      if (row.sealed.startsWith(keychainMark)) await refusedByKeychain(name, () => keychain.delete(name));
      else await forgetInKeychain(keychain, name);
      return deleteSealed(db, name);
    },
  };
}

/** A copy in a keychain that does not answer is out of reach, and does not count: the store's row says so. */
async function forgetInKeychain(keychain: Keychain, name: string): Promise<void> {
  try {
    await keychain.delete(name);
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
  }
}

async function refusedByKeychain<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    throw new ConsoleError('Refused', `${name} was not changed. ${error.message}`, {}, { cause: error });
  }
}
