import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** One saved view, pin or note; `kind` as its proto number, times in epoch milliseconds, `shared` 0 or 1. */
export type WorkspaceItemRow = {
  id: string;
  owner: string;
  kind: number;
  title: string;
  address: string;
  text: string;
  shared: number;
  revision: number;
  created_at: number;
  updated_at: number;
};

export type WorkspaceTables = { workspace_items: WorkspaceItemRow };

export const workspaceMigrations: Migrations = {
  '2026-11-23-workspace': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('workspace_items')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('owner', 'text', (c) => c.notNull())
        .addColumn('kind', 'integer', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('address', 'text', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('shared', 'integer', (c) => c.notNull())
        .addColumn('revision', 'bigint', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('workspace_items_owner').on('workspace_items').column('owner').execute();
      await db.schema
        .createIndex('workspace_items_shared')
        .on('workspace_items')
        .columns(['shared', 'updated_at'])
        .execute();
    },
  },
};
