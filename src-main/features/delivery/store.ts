import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/**
 * The outcome of one attempt of a workflow run, from which the indicators are computed. Times are epoch
 * milliseconds here.
 */
export type RunOutcomeRow = {
  /** Login of the organisation: a console may be attached to another one later, or to the sandbox's. */
  org: string;
  repo: string;
  run_id: number;
  attempt: number;
  /** The workflow's file, without the `@ref` of one that another repository requires. */
  workflow: string;
  event: string;
  branch: string | null;
  /** True for a run on the repository's default branch. */
  on_default: number;
  sha: string;
  state: 'success' | 'failure' | 'cancelled' | 'skipped';
  started_at: number;
  ended_at: number;
  committed_at: number | null;
};

/**
 * From when to when the series has every run of a repository: a day without runs is a real zero only in between. `since`
 * is 0 where its whole history was read.
 */
export type RunSeriesRow = { org: string; repo: string; since: number; read_until: number };

export type DeliveryTables = { run_outcomes: RunOutcomeRow; run_series: RunSeriesRow };

export const deliveryMigrations: Migrations = {
  '2026-11-21-run-outcomes': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('run_outcomes')
        .addColumn('org', 'text', (c) => c.notNull())
        .addColumn('repo', 'text', (c) => c.notNull())
        .addColumn('run_id', 'bigint', (c) => c.notNull())
        .addColumn('attempt', 'integer', (c) => c.notNull())
        .addColumn('workflow', 'text', (c) => c.notNull())
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('branch', 'text')
        .addColumn('on_default', 'integer', (c) => c.notNull())
        .addColumn('sha', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('started_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint', (c) => c.notNull())
        .addColumn('committed_at', 'bigint')
        .addPrimaryKeyConstraint('run_outcomes_key', ['org', 'repo', 'run_id', 'attempt'])
        .execute();
      await db.schema.createIndex('run_outcomes_ended').on('run_outcomes').column('ended_at').execute();
      await db.schema
        .createTable('run_series')
        .addColumn('org', 'text', (c) => c.notNull())
        .addColumn('repo', 'text', (c) => c.notNull())
        .addColumn('since', 'bigint', (c) => c.notNull())
        .addColumn('read_until', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('run_series_key', ['org', 'repo'])
        .execute();
    },
  },
};
