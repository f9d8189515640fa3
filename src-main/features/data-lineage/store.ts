import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** One observed flow as one app reports it. Times are epoch milliseconds. */
export type LineageEdgeRow = {
  app: string;
  from_node: string;
  to_node: string;
  kind: string;
  count: number;
  last_seen: number;
};

export type DataLineageTables = { lineage_edges: LineageEdgeRow };

export const dataLineageMigrations: Migrations = {
  '2026-11-23-data-lineage': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('lineage_edges')
        .addColumn('app', 'text', (c) => c.notNull())
        .addColumn('from_node', 'text', (c) => c.notNull())
        .addColumn('to_node', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('count', 'bigint', (c) => c.notNull())
        .addColumn('last_seen', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('lineage_edges_key', ['app', 'from_node', 'to_node', 'kind'])
        .execute();
      // What is kept and what is shown are the newest.
      await db.schema
        .createIndex('lineage_edges_last_seen')
        .on('lineage_edges')
        .column('last_seen')
        .execute();
    },
  },
};
