import { ConsoleError } from '#shared/errors.ts';
import { KeychainError } from '../../sources/keychain/index.ts';
import type { KeptSecrets } from './kept-secrets.ts';

/** Credentials of other features, such as a connection's password, kept by the rules of the console's own keys. */
export type Credentials = {
  /** The credential, or undefined. Throws `Unavailable` while the keychain that holds it is locked. */
  get(name: string): Promise<string | undefined>;
  /** Throws `Refused` where nothing can be kept, saying what to set; 16 kB at most. */
  set(name: string, value: string): Promise<void>;
  /** True when there was one. */
  delete(name: string): Promise<boolean>;
};

/** Most bytes of one credential. */
const mostBytes = 16_384;

/** Names are free text, such as `connection/<id>/password`. */
export function createCredentials(kept: KeptSecrets): Credentials {
  // No variable is called so: a credential can never take the place of a key.
  const nameOf = (name: string): string => `credential/${name}`;
  return {
    async get(name) {
      try {
        return await kept.get(nameOf(name));
      } catch (error) {
        if (!(error instanceof KeychainError)) throw error;
        throw new ConsoleError(
          'Unavailable',
          `A credential cannot be read. ${error.message}`,
          {},
          { cause: error },
        );
      }
    },
    async set(name, value) {
      if (Buffer.byteLength(value) > mostBytes)
        throw new ConsoleError('TooLarge', `A credential is ${mostBytes / 1024} kB at most.`);
      await kept.set(nameOf(name), value);
    },
    delete: (name) => kept.delete(nameOf(name)),
  };
}
