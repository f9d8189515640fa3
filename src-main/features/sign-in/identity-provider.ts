import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { createIdTokens, IdTokenError, type UsedTokens } from '../../id-token/index.ts';
import type { SignInTables } from './store.ts';

export type IdentityProviderOptions = {
  readonly db: Kysely<SignInTables>;
  readonly clientId: string;
  readonly issuer: string;
  /** URL of the signing keys; taken from the issuer's discovery document when undefined. */
  readonly jwksUrl: string | undefined;
  /** Emails that may sign in, in lower case; undefined refuses everyone (RTE-013). */
  readonly allowedEmails: readonly string[] | undefined;
  readonly now: () => number;
};

/** Verifies an ID token and answers the email it signs in. */
export type IdentityProvider = { verify(credential: string): Promise<string> };

/**
 * Checks an ID token and the sign-in allowlist. Throws `NotSignedIn` for an invalid or used token, `NotAllowed` for a
 * person who is not on the list, `Unavailable` when the keys cannot be read.
 */
export function createIdentityProvider({
  db,
  allowedEmails,
  clientId,
  ...options
}: IdentityProviderOptions): IdentityProvider {
  const idTokens = createIdTokens({ ...options, audience: clientId, used: usedIn(db, options.now) });
  return {
    async verify(credential) {
      try {
        const { email, redeem } = await idTokens.verify(credential);
        if (allowedEmails?.includes(email) !== true) {
          throw new ConsoleError(
            'NotAllowed',
            allowedEmails === undefined
              ? 'CONSOLE_ALLOWED_EMAILS is not set, so nobody may sign in through the identity provider.'
              : 'This account may not sign in here: ask the administrator of this console to add it to CONSOLE_ALLOWED_EMAILS.',
          );
        }
        await redeem();
        return email;
      } catch (error) {
        if (!(error instanceof IdTokenError)) throw error;
        const name = error.kind === 'keys' ? 'Unavailable' : 'NotSignedIn';
        throw new ConsoleError(name, error.message, {}, { cause: error });
      }
    },
  };
}

/** Used tokens in the store: several consoles on one database are one console. */
function usedIn(db: Kysely<SignInTables>, now: () => number): UsedTokens {
  return {
    async take(id, until) {
      await db.deleteFrom('used_id_tokens').where('expires_at', '<', now()).execute();
      const { numInsertedOrUpdatedRows: taken } = await db
        .insertInto('used_id_tokens')
        .values({ token_hash: id, expires_at: until })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return taken === 1n;
    },
  };
}
