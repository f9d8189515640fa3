import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** A text of a definition, by its digest: kept as long as a playbook or a run names it. Times are epoch ms everywhere. */
export type PlaybookTextRow = { digest: string; text: string; kept_at: number };

/** A playbook that somebody saved; one that ships has a row only once it was changed or armed. */
export type PlaybookRow = {
  name: string;
  digest: string;
  /** 1 while its schedule and its events start it. */
  armed: number;
  revision: number;
  /** Until when its schedule was looked at. */
  scheduled_until: number;
  updated_at: number;
  updated_by: string;
};

export type RunState = 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';

export type PlaybookRunRow = {
  id: string;
  playbook: string;
  title: string;
  digest: string;
  state: RunState;
  /** Target that steps act on which name none. */
  target: string | null;
  /** 1 for a rehearsal: only the sandbox is read and acted on, and nothing is sent to agents or sessions. */
  rehearsal: number;
  inputs: string;
  event: string | null;
  started_by: string;
  started_kind: 'person' | 'schedule' | 'event';
  /** What started it by itself; no two runs have the same. */
  start_key: string | null;
  progress: string;
  /** Counts the changes, for who watches. */
  version: number;
  sentence: string;
  /** The console that works on it, until when, and how many leases there were: the fencing token. */
  lease_owner: string | null;
  lease_until: number;
  fence: number;
  /** When to look at it again. */
  wake_at: number;
  /** Counts what came in for it. */
  signals: number;
  deadline: number;
  started_at: number;
  ended_at: number | null;
};

/** What came in for a run from outside: a decision, a report, a wish to cancel. Never changed once it is in. */
export type PlaybookSignalRow = {
  run_id: string;
  /** Such as `decision/3`, `report/look/1/final` or `cancel`: the first of a name counts. */
  name: string;
  by: string;
  at: number;
  data: string;
};

export type PlaybookEventRow = { app: string; id: string; type: string; data: string; received_at: number };

export type PlaybookTables = {
  playbook_texts: PlaybookTextRow;
  playbooks: PlaybookRow;
  playbook_runs: PlaybookRunRow;
  playbook_signals: PlaybookSignalRow;
  playbook_events: PlaybookEventRow;
};

export const playbookMigrations: Migrations = {
  '2026-11-23-playbooks': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('playbook_texts')
        .addColumn('digest', 'text', (c) => c.primaryKey())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('kept_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('playbooks')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('armed', 'integer', (c) => c.notNull())
        .addColumn('revision', 'integer', (c) => c.notNull())
        .addColumn('scheduled_until', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_by', 'text', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('playbook_runs')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('playbook', 'text', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('target', 'text')
        .addColumn('rehearsal', 'integer', (c) => c.notNull())
        .addColumn('inputs', 'text', (c) => c.notNull())
        .addColumn('event', 'text')
        .addColumn('started_by', 'text', (c) => c.notNull())
        .addColumn('started_kind', 'text', (c) => c.notNull())
        .addColumn('start_key', 'text')
        .addColumn('progress', 'text', (c) => c.notNull())
        .addColumn('version', 'integer', (c) => c.notNull())
        .addColumn('sentence', 'text', (c) => c.notNull())
        .addColumn('lease_owner', 'text')
        .addColumn('lease_until', 'bigint', (c) => c.notNull())
        .addColumn('fence', 'integer', (c) => c.notNull())
        .addColumn('wake_at', 'bigint', (c) => c.notNull())
        .addColumn('signals', 'integer', (c) => c.notNull())
        .addColumn('deadline', 'bigint', (c) => c.notNull())
        .addColumn('started_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .execute();
      await db.schema
        .createIndex('playbook_runs_start')
        .on('playbook_runs')
        .column('start_key')
        .unique()
        .execute();
      await db.schema
        .createIndex('playbook_runs_due')
        .on('playbook_runs')
        .columns(['state', 'wake_at'])
        .execute();
      await db.schema.createIndex('playbook_runs_started').on('playbook_runs').column('started_at').execute();
      await db.schema
        .createTable('playbook_signals')
        .addColumn('run_id', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('by', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('data', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('playbook_signals_key', ['run_id', 'name'])
        .execute();
      await db.schema
        .createTable('playbook_events')
        .addColumn('app', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('data', 'text', (c) => c.notNull())
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('playbook_events_key', ['app', 'id'])
        .execute();
    },
  },
};
