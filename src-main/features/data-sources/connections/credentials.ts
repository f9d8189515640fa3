import { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';
import { type KeptIn, type KeptSecrets, writeBoundSecret } from '../../settings/index.ts';

/** The place where each credential of a connection is kept, by its key. */
export type CredentialPlaces = Readonly<Record<string, KeptIn>>;

const places = z.record(z.string(), z.enum(['keychain', 'sealed']));

/** Reads the column of a connection's row. */
export function parsePlaces(text: string): CredentialPlaces {
  return places.parse(JSON.parse(text));
}

/** The credentials of connections: given once, kept with the endpoint they were given for, and never read out here. */
export type Credentials = {
  /**
   * Keeps what was given and forgets what is null; returns where all of them are now. Throws `Refused` where they cannot
   * be kept: those that were kept before the failure are kept.
   */
  change(
    connection: { readonly id: string; readonly endpoint: string; readonly places: CredentialPlaces },
    given: Readonly<Record<string, string | null>>,
  ): Promise<CredentialPlaces>;
  forget(id: string, keys: readonly string[]): Promise<void>;
};

/** Keeps credentials in the keychain, or sealed in the store. */
export function createCredentials(kept: KeptSecrets): Credentials {
  const nameOf = (id: string, key: string): string => `connection/${id}/${key}`;
  return {
    async change({ id, endpoint, places: before }, given) {
      const after: Record<string, KeptIn> = { ...before };
      // Asked once, before the first: where nothing can be kept, nothing is.
      const destination = Object.values(given).some((value) => value !== null) && (await kept.destination());
      if (typeof destination === 'object')
        throw new ConsoleError('Refused', `The credentials were not kept. ${destination.refused}`);
      for (const [key, value] of Object.entries(given)) {
        if (value === null) {
          await kept.delete(nameOf(id, key));
          delete after[key];
        } else after[key] = await kept.set(nameOf(id, key), writeBoundSecret(value, endpoint));
      }
      return after;
    },
    async forget(id, keys) {
      for (const key of keys) await kept.delete(nameOf(id, key));
    },
  };
}
