import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** One act: claimed by its key before anything is done. */
export type ActRow = {
  act_id: string;
  /** Chosen by the caller; unique. */
  key: string;
  digest: string;
  target: string;
  act: string;
  /** JSON of `ActObject`. */
  object: string;
  /** JSON of the arguments. */
  args: string;
  /** Email of the person, or the name of what acts for the platform. */
  actor: string;
  sentence: string;
  /** `open` until it ended, then its outcome. */
  state: string;
  progress: string;
  /** JSON of the evidence of each write that may have been sent; null before the first. */
  evidence: string | null;
  /** JSON of what undoes it; null when nothing does. */
  undo: string | null;
  /** Epoch ms. */
  started_at: number;
  ended_at: number | null;
  /** Epoch ms of the last sign that a console carries it out. */
  alive_at: number;
};
export type ActTables = { acts: ActRow };

export const actMigrations: Migrations = {
  '2026-11-23-acts': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('acts')
        .addColumn('act_id', 'text', (c) => c.primaryKey())
        .addColumn('key', 'text', (c) => c.notNull().unique())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('target', 'text', (c) => c.notNull())
        .addColumn('act', 'text', (c) => c.notNull())
        .addColumn('object', 'text', (c) => c.notNull())
        .addColumn('args', 'text', (c) => c.notNull())
        .addColumn('actor', 'text', (c) => c.notNull())
        .addColumn('sentence', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('progress', 'text', (c) => c.notNull())
        .addColumn('evidence', 'text')
        .addColumn('undo', 'text')
        .addColumn('started_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('alive_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('acts_by_start').on('acts').column('started_at').execute();
      await db.schema.createIndex('acts_open').on('acts').columns(['state', 'alive_at']).execute();
    },
  },
};

/** The acts of a console's store. */
export type ActStore = {
  /** Keeps a new act; false when its key is taken. */
  claim(row: ActRow): Promise<boolean>;
  byKey(key: string): Promise<ActRow | undefined>;
  change(actId: string, change: Partial<ActRow>): Promise<void>;
  /** Acts that are open and gave no sign since a time (epoch ms), oldest first. */
  abandoned(before: number): Promise<ActRow[]>;
  /** Takes an abandoned act over; false when another console did, or it gave a sign meanwhile. */
  takeOver(row: Pick<ActRow, 'act_id' | 'alive_at'>, now: number): Promise<boolean>;
  /** Newest first. */
  list(filter: { target?: string | undefined; key?: string | undefined; limit: number }): Promise<ActRow[]>;
};

/** Keeps acts in the console's database. */
export function createActStore(db: Kysely<ActTables>): ActStore {
  return {
    async claim(row) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('acts')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    byKey: (key) => db.selectFrom('acts').selectAll().where('key', '=', key).executeTakeFirst(),
    async change(actId, change) {
      await db.updateTable('acts').set(change).where('act_id', '=', actId).execute();
    },
    abandoned: (before) =>
      db
        .selectFrom('acts')
        .selectAll()
        .where('state', '=', 'open')
        .where('alive_at', '<', before)
        .orderBy('started_at')
        .execute(),
    async takeOver({ act_id: id, alive_at: seen }, now) {
      const { numUpdatedRows } = await db
        .updateTable('acts')
        .set({ alive_at: now })
        .where('act_id', '=', id)
        .where('state', '=', 'open')
        .where('alive_at', '=', seen)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    list({ target, key, limit }) {
      let query = db
        .selectFrom('acts')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('act_id')
        .limit(limit);
      if (target !== undefined) query = query.where('target', '=', target);
      if (key !== undefined) query = query.where('key', '=', key);
      return query.execute();
    },
  };
}
