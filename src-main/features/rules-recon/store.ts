import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** The newest observation of one rule. Times are epoch milliseconds. */
export type RuleObservationRow = {
  tenant: string;
  rule: string;
  statement: string | null;
  /** JSON: facts by name. */
  facts: string;
  /** JSON: a list of sources and what was seen there. */
  evidence: string;
  run_id: string | null;
  observed_at: number;
  /** SHA-256 of what was observed: of two observations of one moment, the one with the larger digest counts. */
  digest: string;
};

export type RulesReconTables = { rule_observations: RuleObservationRow };

export const rulesReconMigrations: Migrations = {
  '2026-11-23-rules-recon': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('rule_observations')
        .addColumn('tenant', 'text', (c) => c.notNull())
        .addColumn('rule', 'text', (c) => c.notNull())
        .addColumn('statement', 'text')
        .addColumn('facts', 'text', (c) => c.notNull())
        .addColumn('evidence', 'text', (c) => c.notNull())
        .addColumn('run_id', 'text')
        .addColumn('observed_at', 'bigint', (c) => c.notNull())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('rule_observations_key', ['tenant', 'rule'])
        .execute();
      // What is kept is the newest.
      await db.schema
        .createIndex('rule_observations_observed')
        .on('rule_observations')
        .column('observed_at')
        .execute();
    },
  },
};
