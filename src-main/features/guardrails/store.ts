import type { Kysely } from 'kysely';
import { type ActClass, type Autonomy, actClass, autonomy } from '#shared/api/guardrails.ts';
import type { Migrations } from '../../store/index.ts';

/** Autonomy that somebody chose for a class of acts. */
export type GuardrailRow = { class: string; autonomy: string };
/** The one row that says which change of the guardrails was the last. */
export type GuardrailsChangeRow = {
  id: number;
  revision: number;
  changed_at: number | null;
  changed_by: string | null;
};
export type GuardrailTables = { guardrails: GuardrailRow; guardrails_change: GuardrailsChangeRow };

export const guardrailMigrations: Migrations = {
  '2026-11-23-guardrails': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('guardrails')
        .addColumn('class', 'text', (c) => c.primaryKey())
        .addColumn('autonomy', 'text', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('guardrails_change')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('revision', 'integer', (c) => c.notNull())
        .addColumn('changed_at', 'bigint')
        .addColumn('changed_by', 'text')
        .execute();
      // A migration is given the database without its tables; the one written to was made a line above.
      await (db as Kysely<GuardrailTables>)
        .insertInto('guardrails_change')
        .values({ id: 1, revision: 0, changed_at: null, changed_by: null })
        .execute();
    },
  },
};

export type Chosen = Readonly<Partial<Record<ActClass, Autonomy>>>;

/** The stored choice and the change that made it. `changedAt` in epoch ms. */
export type StoredGuardrails = {
  readonly chosen: Chosen;
  readonly revision: number;
  readonly changedAt: number | undefined;
  readonly changedBy: string | undefined;
};

/** Reads the stored choice with its revision. */
export async function readGuardrails(db: Kysely<GuardrailTables>): Promise<StoredGuardrails> {
  // The revision first: a change between the two reads makes it stale, never newer than the choice.
  const change = await db.selectFrom('guardrails_change').selectAll().executeTakeFirstOrThrow();
  return storedOf(change, await db.selectFrom('guardrails').selectAll().execute());
}

export type GuardrailsChange = {
  readonly chosen: Chosen;
  /** Revision the change was based on. */
  readonly revision: number;
  readonly by: string | undefined;
  /** Epoch ms. */
  readonly at: number;
};

/** Keeps the chosen autonomies; classes that the change does not name stay. False, and no change, for another revision. */
export function changeGuardrails(
  db: Kysely<GuardrailTables>,
  { chosen, revision, by, at }: GuardrailsChange,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Takes the row's lock: of two changes at once only one finds its revision.
    const { numUpdatedRows } = await tx
      .updateTable('guardrails_change')
      .set({ revision: revision + 1, changed_at: at, changed_by: by ?? null })
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const rows = Object.entries(chosen).map(([name, value]) => ({ class: name, autonomy: value }));
    if (rows.length > 0)
      await tx
        .insertInto('guardrails')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('class').doUpdateSet((row) => ({ autonomy: row.ref('excluded.autonomy') })),
        )
        .execute();
    return true;
  });
}

function storedOf(change: GuardrailsChangeRow, rows: readonly GuardrailRow[]): StoredGuardrails {
  const chosen: Partial<Record<ActClass, Autonomy>> = {};
  for (const row of rows) {
    const name = actClass.safeParse(row.class);
    const value = autonomy.safeParse(row.autonomy);
    // A value that is none of ours was not written by this console: nothing may act on it.
    if (name.success) chosen[name.data] = value.success ? value.data : 'off';
  }
  return {
    chosen,
    revision: change.revision,
    changedAt: change.changed_at ?? undefined,
    changedBy: change.changed_by ?? undefined,
  };
}
