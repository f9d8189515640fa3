import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Migrations } from '../../store/index.ts';

/** One person's preferences; enum values as their proto numbers. */
export type ProfileRow = { email: string; theme: number; density: number; default_tab: string };
/** A person's choice of columns for one table; `hidden` is a JSON array of column names. */
type ColumnsRow = { email: string; table_name: string; hidden: string };
export type ProfileTables = { profiles: ProfileRow; profile_columns: ColumnsRow };

/** Names of hidden columns by table. */
export type HiddenColumns = { readonly table: string; readonly hidden: readonly string[] };

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
  '2026-11-22-profile-columns': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('profile_columns')
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('table_name', 'text', (c) => c.notNull())
        .addColumn('hidden', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('profile_columns_pk', ['email', 'table_name'])
        .execute();
    },
  },
};

const hiddenNames = z.array(z.string());

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

/** Reads the person's choices of columns, by table name. */
export async function readColumns(
  db: Kysely<ProfileTables>,
  email: string,
): Promise<readonly HiddenColumns[]> {
  const rows = await db
    .selectFrom('profile_columns')
    .select(['table_name', 'hidden'])
    .where('email', '=', email)
    .orderBy('table_name')
    .execute();
  return rows.map(({ table_name, hidden }) => ({
    table: table_name,
    hidden: hiddenNames.parse(JSON.parse(hidden)),
  }));
}

/** Replaces the person's choice for one table in one statement: two windows that change two tables both win. */
export async function changeColumns(
  db: Kysely<ProfileTables>,
  email: string,
  { table, hidden }: HiddenColumns,
): Promise<void> {
  const text = JSON.stringify(hidden);
  await db
    .insertInto('profile_columns')
    .values({ email, table_name: table, hidden: text })
    .onConflict((conflict) => conflict.columns(['email', 'table_name']).doUpdateSet({ hidden: text }))
    .execute();
}
