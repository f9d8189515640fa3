import type { Generated, Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

export type SignInMethod = 'password' | 'identity-provider' | 'link' | 'desktop';

/** One signed-in session. Times are epoch milliseconds. */
export type SessionRow = {
  /** SHA-256 of the cookie's value, base64url: the value itself is never stored. */
  id_hash: string;
  email: string;
  method: SignInMethod;
  user_agent: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
};

/** A one-time sign-in link that was not redeemed yet. */
export type SignInLinkRow = { token_hash: string; expires_at: number; used: Generated<number> };

/** An ID token that signed somebody in, until it would have expired. */
export type UsedIdTokenRow = { token_hash: string; expires_at: number };

export type SignInTables = {
  sessions: SessionRow;
  sign_in_links: SignInLinkRow;
  used_id_tokens: UsedIdTokenRow;
};

export const signInMigrations: Migrations = {
  '2026-11-01-sessions': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('sessions')
        .addColumn('id_hash', 'text', (c) => c.primaryKey())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('method', 'text', (c) => c.notNull())
        .addColumn('user_agent', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('sessions_by_email').on('sessions').column('email').execute();
      await db.schema
        .createTable('sign_in_links')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .addColumn('used', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
    },
  },
  '2026-11-22-used-id-tokens': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('used_id_tokens')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
    },
  },
};
