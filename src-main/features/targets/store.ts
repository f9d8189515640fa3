import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** The target a person reads unless a request names another. */
export type TargetTables = { target_choices: { email: string; target: string } };

export const targetMigrations: Migrations = {
  '2026-11-21-target-choices': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('target_choices')
        .addColumn('email', 'text', (c) => c.primaryKey())
        .addColumn('target', 'text', (c) => c.notNull())
        .execute();
    },
  },
};

export async function readChoice(db: Kysely<TargetTables>, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('target_choices')
    .select('target')
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.target;
}

export async function keepChoice(db: Kysely<TargetTables>, email: string, target: string): Promise<void> {
  await db
    .insertInto('target_choices')
    .values({ email, target })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ target }))
    .execute();
}
