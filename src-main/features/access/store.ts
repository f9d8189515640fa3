import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** A session admin, where the environment names none. */
export type SessionAdminRow = { email: string; added_at: number };
/** The one row that says which change of the list was the last. */
export type SessionAdminsChangeRow = {
  id: number;
  revision: number;
  changed_at: number | null;
  changed_by: string | null;
};
export type AccessTables = {
  session_admins: SessionAdminRow;
  session_admins_change: SessionAdminsChangeRow;
};

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
  '2026-11-22-session-admins-revision': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('session_admins_change')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('revision', 'integer', (c) => c.notNull())
        .addColumn('changed_at', 'bigint')
        .addColumn('changed_by', 'text')
        .execute();
      // A migration is given the database without its tables; the one written to was made a line above.
      await (db as Kysely<AccessTables>)
        .insertInto('session_admins_change')
        .values({ id: onlyRow, revision: 0, changed_at: null, changed_by: null })
        .execute();
    },
  },
};

const onlyRow = 1;

/** The stored list and the change that made it. `changedAt` in epoch ms; both undefined for a list from before revisions. */
export type StoredSessionAdmins = {
  readonly emails: readonly string[];
  readonly revision: number;
  readonly changedAt: number | undefined;
  readonly changedBy: string | undefined;
};

/** Reads the stored session admins, in order of their names, with their revision. */
export async function readSessionAdmins(db: Kysely<AccessTables>): Promise<StoredSessionAdmins> {
  // The revision first: a change between the two reads makes it stale, never newer than the list.
  const change = await db.selectFrom('session_admins_change').selectAll().executeTakeFirstOrThrow();
  return { ...changeOf(change), emails: await emailsIn(db) };
}

export type SessionAdminsChange = {
  readonly emails: readonly string[];
  /** Revision of the list the change was based on; undefined sets the list regardless. */
  readonly revision: number | undefined;
  /** True to name the first ones: a list that has somebody on it is not changed. */
  readonly onlyFirst: boolean;
  readonly by: string | undefined;
  /** Epoch ms. */
  readonly at: number;
};

/**
 * Makes exactly these people the session admins; who was one before keeps their date. Changes nothing and returns the
 * stored list when it is not of the revision that the change names, or not empty although the change names the first ones.
 */
export function replaceSessionAdmins(
  db: Kysely<AccessTables>,
  { emails, revision, onlyFirst, by, at }: SessionAdminsChange,
): Promise<StoredSessionAdmins | undefined> {
  return db.transaction().execute(async (tx) => {
    // Takes the row's lock: of two changes at once the later one is compared with what the earlier one left.
    const last = await tx
      .updateTable('session_admins_change')
      .set((row) => ({ revision: row.ref('revision') }))
      .returningAll()
      .executeTakeFirstOrThrow();
    const stored = await emailsIn(tx);
    const newer = revision !== undefined && revision !== last.revision;
    if (newer || (onlyFirst && stored.length > 0)) return { ...changeOf(last), emails: stored };
    await tx.deleteFrom('session_admins').where('email', 'not in', emails).execute();
    await tx
      .insertInto('session_admins')
      .values(emails.map((email) => ({ email, added_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (stored.join() !== emails.toSorted().join())
      await tx
        .updateTable('session_admins_change')
        .set({ revision: last.revision + 1, changed_at: at, changed_by: by ?? null })
        .execute();
    return undefined;
  });
}

async function emailsIn(db: Kysely<AccessTables>): Promise<string[]> {
  const rows = await db.selectFrom('session_admins').select('email').execute();
  // Sorted here: each database has a collation of its own.
  return rows.map(({ email }) => email).toSorted();
}

function changeOf({ revision, changed_at, changed_by }: SessionAdminsChangeRow) {
  return { revision, changedAt: changed_at ?? undefined, changedBy: changed_by ?? undefined };
}
