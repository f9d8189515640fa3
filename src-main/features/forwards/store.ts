import type { Kysely } from 'kysely';
import { type ForwardDefinition, forwardDefinition } from '#shared/api/forwards.ts';
import type { Migrations } from '../../store/index.ts';

/** A kept forward: its definition as JSON, by name. */
export type ForwardRow = { name: string; definition: string };
export type ForwardTables = { forwards: ForwardRow };

export const forwardMigrations: Migrations = {
  '2026-11-24-forwards': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('forwards')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('definition', 'text', (c) => c.notNull())
        .execute();
    },
  },
};

/** Reads every kept forward, by name. One that this version cannot read is left out: it was written by another. */
export async function readForwards(db: Kysely<ForwardTables>): Promise<ForwardDefinition[]> {
  const rows = await db.selectFrom('forwards').select('definition').orderBy('name').execute();
  return rows.flatMap((row) => {
    const parsed = forwardDefinition.safeParse(JSON.parse(row.definition));
    return parsed.success ? [parsed.data] : [];
  });
}

/** Keeps a forward; false, and nothing is changed, where the name is taken. */
export async function addForward(db: Kysely<ForwardTables>, definition: ForwardDefinition): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('forwards')
    .values({ name: definition.name, definition: JSON.stringify(definition) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Replaces a kept forward by one of the same name. */
export async function changeForward(db: Kysely<ForwardTables>, definition: ForwardDefinition): Promise<void> {
  await db
    .updateTable('forwards')
    .set({ definition: JSON.stringify(definition) })
    .where('name', '=', definition.name)
    .execute();
}

/** Forgets a forward; false where there is none of that name. */
export async function removeForward(db: Kysely<ForwardTables>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('forwards').where('name', '=', name).executeTakeFirst();
  return numDeletedRows === 1n;
}
