import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** A connection; times are epoch milliseconds in every table here. */
export type ConnectionRow = {
  id: string;
  name: string;
  type: string;
  tenant: string;
  /** JSON object of text by name. */
  settings: string;
  /** JSON object: where each credential is kept, by its key. */
  credentials: string;
  revision: number;
  created_at: number;
  created_by: string | null;
  updated_at: number;
  updated_by: string | null;
};

/** The last probe of a connection. */
export type ConnectionStatusRow = {
  connection_id: string;
  /** JSON as routes answer it. */
  status: string;
  /** Revision of the connection that was probed. */
  revision: number;
  probed_at: number;
};

export type RunnerRow = {
  id: string;
  name: string;
  address: string;
  /** JSON object of text by name. */
  labels: string;
  version: string;
  /** SHA-256 of its token, base64url; null before it is enrolled and after it is revoked. */
  token_hash: string | null;
  created_at: number;
  created_by: string | null;
  enrolled_at: number | null;
  last_seen_at: number | null;
  revoked_at: number | null;
  revoked_by: string | null;
};

/** An enrolment ticket. */
export type RunnerTicketRow = {
  id: string;
  runner_id: string;
  /** SHA-256 of its secret, base64url. */
  secret_hash: string;
  created_at: number;
  created_by: string | null;
  expires_at: number;
};

export type ListenerRow = {
  id: string;
  name: string;
  runner_id: string;
  connection_id: string;
  port: number;
  /** As its runner last reported: 1 when it listens, 0 when it does not, null before. */
  listening: number | null;
  reason: string;
  reported_at: number | null;
  created_at: number;
  created_by: string | null;
};

/** A cloud provider as it is configured. */
export type ProviderRow = {
  provider: string;
  enabled: number;
  project: string | null;
  updated_at: number;
  updated_by: string | null;
};

export type DataSourceTables = {
  connections: ConnectionRow;
  connection_statuses: ConnectionStatusRow;
  runners: RunnerRow;
  runner_tickets: RunnerTicketRow;
  runner_listeners: ListenerRow;
  providers: ProviderRow;
};

export const dataSourceMigrations: Migrations = {
  '2026-11-23-data-sources': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('connections')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('tenant', 'text', (c) => c.notNull())
        .addColumn('settings', 'text', (c) => c.notNull())
        .addColumn('credentials', 'text', (c) => c.notNull())
        .addColumn('revision', 'integer', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('created_by', 'text')
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_by', 'text')
        .addUniqueConstraint('connections_name', ['tenant', 'name'])
        .execute();
      await db.schema
        .createTable('connection_statuses')
        .addColumn('connection_id', 'text', (c) => c.primaryKey())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('revision', 'integer', (c) => c.notNull())
        .addColumn('probed_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('runners')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull().unique())
        .addColumn('address', 'text', (c) => c.notNull())
        .addColumn('labels', 'text', (c) => c.notNull())
        .addColumn('version', 'text', (c) => c.notNull())
        .addColumn('token_hash', 'text', (c) => c.unique())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('created_by', 'text')
        .addColumn('enrolled_at', 'bigint')
        .addColumn('last_seen_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .addColumn('revoked_by', 'text')
        .execute();
      await db.schema
        .createTable('runner_tickets')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('runner_id', 'text', (c) => c.notNull())
        .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('created_by', 'text')
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('runner_listeners')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('runner_id', 'text', (c) => c.notNull())
        .addColumn('connection_id', 'text', (c) => c.notNull())
        .addColumn('port', 'integer', (c) => c.notNull())
        .addColumn('listening', 'integer')
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('reported_at', 'bigint')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('created_by', 'text')
        .addUniqueConstraint('runner_listeners_port', ['runner_id', 'port'])
        .execute();
      await db.schema
        .createTable('providers')
        .addColumn('provider', 'text', (c) => c.primaryKey())
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('project', 'text')
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_by', 'text')
        .execute();
    },
  },
};
