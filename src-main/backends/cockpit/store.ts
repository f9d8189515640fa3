import { rm, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Migrations, openStore, type Store } from '../../store/index.ts';

/** The tables of the cockpit. Times are epoch ms. */
export type CockpitTables = {
  accounts: { email: string; password_hash: string; admin: number };
  sources: { name: string; url: string; fetched_at: number | null };
  domains: {
    source: string;
    name: string;
    owner: string;
    /** JSON array of names. */
    depends_on: string;
    /** Little-endian 32-bit floats of the index width; null while grounding is inactive. */
    embedding: Uint8Array | null;
  };
  findings: { source: string; domain: string; text: string };
  schedules: {
    source: string;
    cron: string;
    triggered_at: number | null;
    outcome: string | null;
    detail: string;
  };
};

const migrations: Migrations = {
  '001-cockpit': {
    async up(db) {
      await db.schema
        .createTable('accounts')
        .addColumn('email', 'text', (column) => column.primaryKey())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('admin', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('sources')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('fetched_at', 'bigint')
        .execute();
      await db.schema
        .createTable('domains')
        .addColumn('source', 'text', (column) => column.notNull().references('sources.name'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('depends_on', 'text', (column) => column.notNull())
        .addColumn('embedding', 'blob')
        .addPrimaryKeyConstraint('domains_key', ['source', 'name'])
        .execute();
      await db.schema
        .createTable('findings')
        .addColumn('source', 'text', (column) => column.notNull().references('sources.name'))
        .addColumn('domain', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('schedules')
        .addColumn('source', 'text', (column) => column.primaryKey().references('sources.name'))
        .addColumn('cron', 'text', (column) => column.notNull())
        .addColumn('triggered_at', 'bigint')
        .addColumn('outcome', 'text')
        .addColumn('detail', 'text', (column) => column.notNull())
        .execute();
    },
  },
};

export type CockpitStore = Store<CockpitTables>;

/** Opens the store in `file` (absolute, or `:memory:`) and brings its schema up to date. Throws `StoreError`. */
export function openCockpitStore(file: string): Promise<CockpitStore> {
  // Embedded only, as SQLITE_PATH says; its folder is the pod's own, and its replica is sealed.
  return openStore<CockpitTables>({
    location: { kind: 'sqlite', file, encryption: 'none' },
    migrations,
    labels: { program: 'cockpit backend', database: 'SQLITE_PATH', file: 'SQLITE_PATH' },
  });
}

/** Writes a whole copy of the store at this moment to `file` (https://www.sqlite.org/lang_vacuum.html, VACUUM INTO). */
export async function copyStore({ db }: CockpitStore, file: string): Promise<void> {
  await rm(file, { force: true });
  // Made before SQLite would make it under the process's umask; an empty file it takes.
  await writeFile(file, '', { mode: 0o600, flag: 'wx' });
  await sql`vacuum into ${file}`.execute(db);
}

/** Rows changed since the store was opened: the same number means the same content. */
export async function changesOf({ db }: CockpitStore): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db);
  return rows[0]?.count ?? 0;
}
