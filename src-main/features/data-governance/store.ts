import type { Kysely } from 'kysely';
import type { DataGovernanceFinding } from '#shared/api/data-governance.ts';
import type { Migrations } from '../../store/index.ts';

/** One finding as its App last reported it. Times are epoch milliseconds. */
export type FindingRow = {
  app: string;
  finding: string;
  title: string;
  severity: DataGovernanceFinding['severity'];
  subject: string;
  rule: string | null;
  detail: string | null;
  found_at: number;
  resolved_at: number | null;
  /** Time it was resolved, else found: the larger of two reports of one finding counts. */
  version: number;
  /** SHA-256 of the report, which decides between two of the same version, so that their order does not matter. */
  digest: string;
  received_at: number;
};

export type DataGovernanceTables = { data_governance_findings: FindingRow };

export const dataGovernanceMigrations: Migrations = {
  '2026-11-23-data-governance': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('data_governance_findings')
        .addColumn('app', 'text', (c) => c.notNull())
        .addColumn('finding', 'text', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('severity', 'text', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('rule', 'text')
        .addColumn('detail', 'text')
        .addColumn('found_at', 'bigint', (c) => c.notNull())
        .addColumn('resolved_at', 'bigint')
        .addColumn('version', 'bigint', (c) => c.notNull())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('data_governance_findings_key', ['app', 'finding'])
        .execute();
    },
  },
};
