import type { Kysely } from 'kysely';
import type { Judgement } from '#shared/api/judgement.ts';
import type { Migrations } from '../../store/index.ts';

/** One finding as its platform last submitted it. Times are epoch milliseconds. */
export type SubmissionRow = {
  platform: string;
  finding: string;
  title: string;
  severity: string | null;
  subject: string | null;
  detail: string | null;
  url: string | null;
  found_at: number | null;
  /** Time of its first submission. */
  submitted_at: number;
};

/** The newest verdict of one App on one finding. */
export type JudgementRow = {
  platform: string;
  finding: string;
  app: string;
  verdict: Judgement['verdict'];
  reason: string;
  run_id: string | null;
  judged_at: number;
  received_at: number;
};

export type JudgementTables = {
  judgement_submissions: SubmissionRow;
  judgements: JudgementRow;
};

export const judgementMigrations: Migrations = {
  '2026-11-23-judgement': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('judgement_submissions')
        .addColumn('platform', 'text', (c) => c.notNull())
        .addColumn('finding', 'text', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('severity', 'text')
        .addColumn('subject', 'text')
        .addColumn('detail', 'text')
        .addColumn('url', 'text')
        .addColumn('found_at', 'bigint')
        .addColumn('submitted_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('judgement_submissions_key', ['platform', 'finding'])
        .execute();
      await db.schema
        .createTable('judgements')
        .addColumn('platform', 'text', (c) => c.notNull())
        .addColumn('finding', 'text', (c) => c.notNull())
        .addColumn('app', 'text', (c) => c.notNull())
        .addColumn('verdict', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('run_id', 'text')
        .addColumn('judged_at', 'bigint', (c) => c.notNull())
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('judgements_key', ['platform', 'finding', 'app'])
        .execute();
      await db.schema
        .createIndex('judgement_submissions_submitted')
        .on('judgement_submissions')
        .column('submitted_at')
        .execute();
      await db.schema.createIndex('judgements_judged').on('judgements').column('judged_at').execute();
    },
  },
};
