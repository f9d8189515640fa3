import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** One asset; prices in the smallest unit of its currency, days as YYYY-MM-DD, `nodes` a JSON array of patterns. */
export type AssetRow = {
  id: string;
  name: string;
  currency: string;
  price: number;
  residual: number;
  in_service_on: string;
  lifetime_months: number;
  nodes: string;
  revision: number;
  updated_by: string;
  updated_at: number;
};

export type CapexTables = { capex_assets: AssetRow };

export const capexMigrations: Migrations = {
  '2026-11-23-capex': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('capex_assets')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull().unique())
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('price', 'bigint', (c) => c.notNull())
        .addColumn('residual', 'bigint', (c) => c.notNull())
        .addColumn('in_service_on', 'text', (c) => c.notNull())
        .addColumn('lifetime_months', 'integer', (c) => c.notNull())
        .addColumn('nodes', 'text', (c) => c.notNull())
        .addColumn('revision', 'bigint', (c) => c.notNull())
        .addColumn('updated_by', 'text', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .execute();
    },
  },
};
