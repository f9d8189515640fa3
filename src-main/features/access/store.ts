import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** A session admin, where the environment names none. */
export type SessionAdminRow = { email: string; added_at: number };
export type AccessTables = { session_admins: SessionAdminRow };

export const accessMigrations: Migrations = {
  '2026-11-03-session-admins': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('session_admins')
        .addColumn('email', 'text', (c) => c.primaryKey())
        .addColumn('added_at', 'bigint', (c) => c.notNull())
        .execute();
    },
  },
};

/** The stored session admins, in order of their names. */
export async function readSessionAdmins(db: Kysely<AccessTables>): Promise<string[]> {
  const rows = await db.selectFrom('session_admins').select('email').orderBy('email').execute();
  return rows.map(({ email }) => email);
}

/** Makes exactly these people the session admins; who was one before keeps their date. */
export async function replaceSessionAdmins(
  db: Kysely<AccessTables>,
  emails: readonly string[],
  at: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Takes the rows' locks: of two changes at once the later one is made on what the earlier one left.
    await tx
      .updateTable('session_admins')
      .set((row) => ({ added_at: row.ref('added_at') }))
      .execute();
    await tx.deleteFrom('session_admins').where('email', 'not in', emails).execute();
    await tx
      .insertInto('session_admins')
      .values(emails.map((email) => ({ email, added_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
