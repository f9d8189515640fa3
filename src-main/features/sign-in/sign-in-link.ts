import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { SignInTables } from './store.ts';

/** Lifetime of a link, in ms. */
const linkLifetime = 10 * 60_000;

export type SignInLinks = {
  /** A new one-time token. */
  create(): Promise<string>;
  /** True once for each token, within its lifetime; in one statement, so that two redeemers cannot both win. */
  redeem(token: string): Promise<boolean>;
};

/** One-time sign-in links of the local operator. The store holds digests only. */
export function createSignInLinks(db: Kysely<SignInTables>, now: () => number): SignInLinks {
  const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');
  return {
    async create() {
      const token = randomBytes(32).toString('base64url');
      await db.deleteFrom('sign_in_links').where('expires_at', '<=', now()).execute();
      await db
        .insertInto('sign_in_links')
        .values({ token_hash: digest(token), expires_at: now() + linkLifetime })
        .execute();
      return token;
    },
    async redeem(token) {
      const { numUpdatedRows } = await db
        .updateTable('sign_in_links')
        .set({ used: 1 })
        .where('token_hash', '=', digest(token))
        .where('used', '=', 0)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

/** The address that redeems a token. */
export function signInAddress(origin: string, token: string): string {
  return `${origin}/auth/link?token=${token}`;
}
