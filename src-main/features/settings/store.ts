import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** A secret sealed under the store key: useless without it. */
export type SealedKeyRow = { name: string; sealed: string };
export type SettingsTables = { sealed_keys: SealedKeyRow };

export const settingsMigrations: Migrations = {
  '2026-11-05-sealed-keys': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('sealed_keys')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('sealed', 'text', (c) => c.notNull())
        .execute();
    },
  },
};

/** Every sealed secret. */
export function readSealed(db: Kysely<SettingsTables>): Promise<SealedKeyRow[]> {
  return db.selectFrom('sealed_keys').selectAll().execute();
}

/** Reads one sealed secret, or undefined. */
export function readSealedOne(db: Kysely<SettingsTables>, name: string): Promise<SealedKeyRow | undefined> {
  return db.selectFrom('sealed_keys').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Keeps a sealed secret in place of what was there. */
export async function writeSealed(db: Kysely<SettingsTables>, row: SealedKeyRow): Promise<void> {
  await db
    .insertInto('sealed_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed: row.sealed }))
    .execute();
}

/** True when there was one. */
export async function deleteSealed(db: Kysely<SettingsTables>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sealed_keys').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
