import {
  type ColumnDefinitionBuilder,
  type GeneratedAlways,
  type Kysely,
  PostgresAdapter,
  sql,
} from 'kysely';
import type { Migrations, Store } from '../../store/index.ts';
import { noHash } from './record-text.ts';

/** One record of the chain. */
export type AuditRecordRow = {
  /** 1, 2, 3, ... without a gap; the record's text names it, too. */
  seq: number;
  /** Names one attempt to append, so that one whose end is not known is not repeated. Not part of the record. */
  append_id: string;
  /** The record as canonical JSON, which its hash is taken of. */
  body: string;
  /** SHA-256 of `body`, lower-case hex. */
  hash: string;
  // Read out of `body` by the database itself, to be looked for.
  actor: GeneratedAlways<string>;
  action: GeneratedAlways<string>;
  outcome: GeneratedAlways<string>;
  /** RFC 3339 in UTC, always of the same length: sorts as text. */
  at: GeneratedAlways<string>;
};

/** The chain's last record: one row, which every append changes and by which appends take turns. */
export type AuditHeadRow = { id: number; seq: number; hash: string };

/** The record that was last kept outside as the head: one row, on an embedded store only, which one console has. */
export type AuditKeptHeadRow = { id: number; seq: number };

export type AuditTables = {
  audit_records: AuditRecordRow;
  audit_head: AuditHeadRow;
  audit_kept_head: AuditKeptHeadRow;
};

/** The id of the one row of `audit_head`. */
export const headRow = 1;

export const auditMigrations: Migrations = {
  '2026-11-04-audit': {
    async up(db: Kysely<unknown>) {
      const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
      // Only a key of exactly this type is SQLite's own row number, in whose order the walk reads the file once.
      const key = postgres ? 'bigint' : 'integer';
      await db.schema
        .createTable('audit_records')
        .addColumn('seq', key, (c) => c.primaryKey())
        .addColumn('append_id', 'text', (c) => c.notNull().unique())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .$call((table) =>
          found.reduce((all, name) => all.addColumn(name, 'text', (c) => fromBody(c, name, postgres)), table),
        )
        // SQLite takes any type in any column unless told otherwise.
        .$call((table) => (postgres ? table : table.modifyEnd(sql`strict`)))
        .execute();
      for (const name of found)
        await db.schema
          .createIndex(`audit_records_by_${name}`)
          .on('audit_records')
          .columns([name, 'seq'])
          .execute();
      await db.schema
        .createTable('audit_head')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('seq', key, (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .execute();
      await sql`insert into audit_head (id, seq, hash) values (${sql.lit(headRow)}, 0, ${sql.lit(noHash)})`.execute(
        db,
      );
    },
  },
  '2026-11-22-audit-kept-head': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('audit_kept_head')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('seq', 'bigint', (c) => c.notNull())
        .execute();
    },
  },
};

/** The store's note of what was kept outside it. */
export type KeptHeadNote = {
  /** Number of the record; undefined when none was ever kept. */
  read(): Promise<number | undefined>;
  write(seq: number): Promise<void>;
};

/**
 * Returns the note of an embedded store. Consoles on one PostgreSQL keep a head each, in places of their own, so that
 * store has none.
 */
export function keptHeadNote({ db, kind }: Store<AuditTables>): KeptHeadNote | undefined {
  if (kind === 'postgres') return undefined;
  return {
    async read() {
      return (await db.selectFrom('audit_kept_head').select('seq').executeTakeFirst())?.seq;
    },
    async write(seq) {
      await db
        .insertInto('audit_kept_head')
        .values({ id: headRow, seq })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seq }))
        .execute();
    },
  };
}

/** The columns records are searched by. */
const found = ['actor', 'action', 'outcome', 'at'] as const;

/** A column that the database reads out of the record's text: kept in the table by PostgreSQL, in its index by SQLite. */
function fromBody(
  column: ColumnDefinitionBuilder,
  name: (typeof found)[number],
  postgres: boolean,
): ColumnDefinitionBuilder {
  if (postgres) return column.generatedAlwaysAs(sql`(body::jsonb ->> ${sql.lit(name)}) collate "C"`).stored();
  // A text that somebody broke must not keep the others from being found.
  return column.generatedAlwaysAs(
    sql`case when json_valid(body) then json_extract(body, ${sql.lit(`$.${name}`)}) end`,
  );
}
