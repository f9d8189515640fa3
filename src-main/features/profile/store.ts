import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Migrations } from '../../store/index.ts';

/** One person's preferences; enum values as their proto numbers. */
export type ProfileRow = { email: string; theme: number; density: number; default_tab: string };
/** How a person arranged one table; `hidden` is a JSON array of column names, `widths` a JSON object of pixels by column. */
type ColumnsRow = { email: string; table_name: string; hidden: string; sort: string; widths: string };
export type ProfileTables = { profiles: ProfileRow; profile_columns: ColumnsRow };

/** How a person arranged one table. */
export type TableArrangement = {
  readonly table: string;
  /** Names of hidden columns. */
  readonly hidden: readonly string[];
  /** The column it is sorted by, after `-` when descending; empty is the table's own order. */
  readonly sort: string;
  /** Pixels by column. */
  readonly widths: Readonly<Record<string, number>>;
};

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
  '2026-11-22-profile-table-order': {
    async up(db: Kysely<unknown>) {
      // One column a statement: SQLite adds no more at once.
      for (const [column, empty] of [
        ['sort', ''],
        ['widths', '{}'],
      ] as const) {
        await db.schema
          .alterTable('profile_columns')
          .addColumn(column, 'text', (c) => c.notNull().defaultTo(empty))
          .execute();
      }
    },
  },
};

const hiddenNames = z.array(z.string());
const columnWidths = z.record(z.string(), z.number());

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

/** Reads how the person arranged tables, by table name. */
export async function readTables(
  db: Kysely<ProfileTables>,
  email: string,
): Promise<readonly TableArrangement[]> {
  const rows = await db
    .selectFrom('profile_columns')
    .select(['table_name', 'hidden', 'sort', 'widths'])
    .where('email', '=', email)
    .orderBy('table_name')
    .execute();
  return rows.map(({ table_name, hidden, sort, widths }) => ({
    table: table_name,
    hidden: hiddenNames.parse(JSON.parse(hidden)),
    sort,
    widths: columnWidths.parse(JSON.parse(widths)),
  }));
}

/** Replaces how the person arranged one table in one statement: two windows that change two tables both win. */
export async function changeTable(
  db: Kysely<ProfileTables>,
  email: string,
  { table, hidden, sort, widths }: TableArrangement,
): Promise<void> {
  const changed = { hidden: JSON.stringify(hidden), sort, widths: JSON.stringify(widths) };
  await db
    .insertInto('profile_columns')
    .values({ email, table_name: table, ...changed })
    .onConflict((conflict) => conflict.columns(['email', 'table_name']).doUpdateSet(changed))
    .execute();
}
