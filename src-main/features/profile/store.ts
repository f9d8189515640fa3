import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** One person's preferences; enum values as their proto numbers. */
export type ProfileRow = { email: string; theme: number; density: number; default_tab: string };
export type ProfileTables = { profiles: ProfileRow };

export const profileMigrations: Migrations = {
  '2026-11-02-profiles': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('profiles')
        .addColumn('email', 'text', (c) => c.primaryKey())
        .addColumn('theme', 'integer', (c) => c.notNull())
        .addColumn('density', 'integer', (c) => c.notNull())
        .addColumn('default_tab', 'text', (c) => c.notNull())
        .execute();
    },
  },
};

/** The stored profile, or undefined. */
export async function readProfile(db: Kysely<ProfileTables>, email: string): Promise<ProfileRow | undefined> {
  return db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirst();
}

/**
 * Changes the given fields in one statement, so that two windows changing different fields at once both win;
 * a person without a profile gets the defaults for the rest.
 */
export async function changeProfile(
  db: Kysely<ProfileTables>,
  defaults: ProfileRow,
  changes: Partial<Omit<ProfileRow, 'email'>>,
): Promise<ProfileRow> {
  return db
    .insertInto('profiles')
    .values({ ...defaults, ...changes })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email: defaults.email, ...changes }))
    .returningAll()
    .executeTakeFirstOrThrow();
}
