import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** One attempt to act on a finding. Times are epoch milliseconds. */
export type HarnessActRow = {
  finding: string;
  /** Revision of the finding: what was found then. */
  revision: string;
  attempt: number;
  /** Email of who asked for it. */
  by: string;
  /** `acting`: begun, and not known to have ended. */
  state: 'acting' | 'done' | 'failed' | 'refused' | 'unknown';
  sentence: string;
  begun_at: number;
  ended_at: number | null;
  /** ID of the queued command or of the act. */
  ref: string | null;
};

export type HarnessTables = { harness_acts: HarnessActRow };

export const harnessMigrations: Migrations = {
  '2026-11-23-harness': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('harness_acts')
        .addColumn('finding', 'text', (c) => c.notNull())
        .addColumn('revision', 'text', (c) => c.notNull())
        .addColumn('attempt', 'integer', (c) => c.notNull())
        .addColumn('by', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('sentence', 'text', (c) => c.notNull())
        .addColumn('begun_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('ref', 'text')
        .addPrimaryKeyConstraint('harness_acts_key', ['finding', 'revision', 'attempt'])
        .execute();
    },
  },
};

/** Returns the newest attempt to act on a finding of this revision. */
export function lastAttempt(
  db: Kysely<HarnessTables>,
  finding: string,
  revision: string,
): Promise<HarnessActRow | undefined> {
  return db
    .selectFrom('harness_acts')
    .selectAll()
    .where('finding', '=', finding)
    .where('revision', '=', revision)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the newest attempt of each of these revisions. */
export async function lastAttempts(
  db: Kysely<HarnessTables>,
  revisions: readonly string[],
): Promise<ReadonlyMap<string, HarnessActRow>> {
  if (revisions.length === 0) return new Map();
  const rows = await db
    .selectFrom('harness_acts')
    .selectAll()
    .where('revision', 'in', revisions)
    .orderBy('attempt')
    .execute();
  return new Map(rows.map((row) => [row.revision, row]));
}

/** Keeps that an attempt begins; of several of one number the first counts, and is returned to all. */
export async function beginAttempt(db: Kysely<HarnessTables>, row: HarnessActRow): Promise<HarnessActRow> {
  await db
    .insertInto('harness_acts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['finding', 'revision', 'attempt']).doNothing())
    .execute();
  return db
    .selectFrom('harness_acts')
    .selectAll()
    .where('finding', '=', row.finding)
    .where('revision', '=', row.revision)
    .where('attempt', '=', row.attempt)
    .executeTakeFirstOrThrow();
}

/** Keeps how an attempt ended. */
export async function endAttempt(
  db: Kysely<HarnessTables>,
  { finding, revision, attempt }: HarnessActRow,
  ended: Pick<HarnessActRow, 'ended_at' | 'ref' | 'sentence' | 'state'>,
): Promise<void> {
  await db
    .updateTable('harness_acts')
    .set(ended)
    .where('finding', '=', finding)
    .where('revision', '=', revision)
    .where('attempt', '=', attempt)
    .execute();
}
