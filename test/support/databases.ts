import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { StoreLocation } from '../../src-main/store/index.ts';

/** The run's PostgreSQL server, or why there is none: a suite that needs it skips, and says so in its name. */
export const postgres = inject('postgres');

/** A new, empty database on the run's PostgreSQL server. */
export async function newPostgresDatabase(): Promise<string> {
  if ('missing' in postgres) throw new Error(postgres.missing);
  const name = `t_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** A kind of database the product runs on, for suites that run on each. */
export type Dialect = {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** The reason its suite is skipped here. */
  readonly missing: string | undefined;
  /** A new, empty store place, and how to take it away. */
  place(): Promise<{ place: StoreLocation; remove(): void }>;
};

/** Both databases: every store suite runs once for each. */
export const dialects: readonly Dialect[] = [
  {
    name: 'SQLite',
    missing: undefined,
    async place() {
      const folder = mkdtempSync(join(tmpdir(), 'console-store-'));
      return {
        place: { kind: 'sqlite', file: join(folder, 'console.db'), encryption: randomBytes(32) },
        remove: () => rmSync(folder, { recursive: true, force: true }),
      };
    },
  },
  {
    name: 'PostgreSQL',
    missing: 'missing' in postgres ? postgres.missing : undefined,
    async place() {
      return { place: { kind: 'postgres', url: await newPostgresDatabase() }, remove: () => undefined };
    },
  },
];
