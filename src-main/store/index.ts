import { Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { postgresDialect, sqliteDialect } from './dialects.ts';
import { openSqlite } from './open-sqlite.ts';
import { consoleLabels, explained, StoreError, type StoreLabels } from './trouble.ts';

export { localNotices, type Notices } from './notices.ts';
export { isEncryptedFile } from './open-sqlite.ts';
export { sharedNotices } from './shared-notices.ts';
export { exactText, storableText } from './storable-text.ts';
export { explained, StoreError, type StoreLabels, storeTrouble } from './trouble.ts';

/** Migrations by name; the names sort in the order they run and are never changed once landed. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The location of a store. */
export type StoreLocation =
  | {
      readonly kind: 'sqlite';
      /** The file, or `:memory:`. */
      readonly file: string;
      /** Raw key of 32 bytes, or the decision to keep the file in plain text. */
      readonly encryption: Buffer | 'none';
    }
  | {
      readonly kind: 'postgres';
      /** Connection URL, password included. */
      readonly url: string;
    };

export type StoreOptions = {
  readonly location: StoreLocation;
  /** Every table's migrations, put together by the program that opens the store. */
  readonly migrations: Migrations;
  /** Called for a connection to PostgreSQL that broke while idle; it is replaced. */
  readonly onIdleError?: (error: Error) => void;
  /**
   * Longest time PostgreSQL may take to answer one query, in ms; 30 s by default. Migrations have no limit.
   */
  readonly patience?: number;
  /** Names of the program and its settings in messages; by default those of the console. */
  readonly labels?: StoreLabels;
};

/** An open store: one set of tables and queries on either database. */
export type Store<Tables> = {
  readonly db: Kysely<Tables>;
  readonly kind: StoreLocation['kind'];
  /** Name for people, without secrets. */
  readonly name: string;
  close(): Promise<void>;
};

/** Most connections one console keeps to PostgreSQL (docs/scale.md). */
const mostConnections = 10;
const usualPatience = 30_000;

/**
 * Opens the store and brings its schema up to date; several programs may do so at once. Throws `StoreError`, and
 * changes nothing, when it cannot be reached or read, or when a newer program made it. A failure later on is a
 * `StoreError`, too, thrown by the query that met it.
 */
export async function openStore<Tables>(options: StoreOptions): Promise<Store<Tables>> {
  const { location: place, labels = consoleLabels } = options;
  const name = storeName(place, labels);
  const explain = (error: unknown): unknown => explained(error, place.kind, name, labels);
  if (place.kind === 'sqlite') {
    const db = openEmbedded<Tables>(place, name, labels, explain);
    try {
      await migrate(db, options, name);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    return { db, kind: place.kind, name, close: () => db.destroy() };
  }
  const connect = (most: number, patience: number | undefined, tell = explain): Kysely<Tables> =>
    new Kysely<Tables>({
      dialect: postgresDialect({
        url: place.url,
        mostConnections: most,
        patience,
        onIdleError: options.onIdleError ?? (() => undefined),
        explain: tell,
      }),
    });
  // After a statement that failed, PostgreSQL answers every other one with "current transaction is aborted".
  let first: unknown;
  const migrating = connect(1, undefined, (error) => {
    first ??= explain(error);
    return first;
  });
  try {
    await migrate(migrating, options, name);
  } finally {
    await migrating.destroy();
  }
  const db = connect(mostConnections, options.patience ?? usualPatience);
  return { db, kind: place.kind, name, close: () => db.destroy() };
}

function openEmbedded<Tables>(
  { file, encryption }: Extract<StoreLocation, { kind: 'sqlite' }>,
  name: string,
  labels: StoreLabels,
  explain: (error: unknown) => unknown,
): Kysely<Tables> {
  try {
    return new Kysely({ dialect: sqliteDialect({ database: openSqlite(file, encryption) }, explain) });
  } catch (error) {
    if (
      encryption === 'none' &&
      error instanceof Error &&
      'code' in error &&
      error.code === 'SQLITE_NOTADB'
    ) {
      throw new StoreError(
        labels.key === undefined
          ? `${name} is encrypted, or not a store. Nothing was changed: name another file in ${labels.file}.`
          : `${name} is encrypted and no key was given, or it is not a store. Nothing was changed: use the key it was created with.`,
        { cause: error },
      );
    }
    throw explain(error);
  }
}

/** Key of the advisory lock that consoles starting together take turns by: "console" in ASCII. */
const migrationLock = '27988542850428005';

async function migrate<Tables>(
  db: Kysely<Tables>,
  { location: place, migrations, labels = consoleLabels }: StoreOptions,
  name: string,
): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      // SQLite's transaction holds the write lock from its beginning; PostgreSQL's has to ask.
      if (place.kind === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)}::bigint)`.execute(tx);
      const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => ({ ...migrations }) } });
      const { error } = await migrator.migrateToLatest();
      // Thrown, so that the transaction is rolled back: half of a schema is none.
      if (error !== undefined) throw error;
    });
  } catch (error) {
    const newer =
      error instanceof Error && /previously executed migration (\S+) is missing/.exec(error.message);
    if (!newer) throw error;
    throw new StoreError(
      `${name} was made by a newer version of this program (it has "${newer[1]}"). ` +
        `Nothing was changed: start that version, or point the ${labels.program} at another store.`,
      { cause: error },
    );
  }
}

/** Throws `StoreError` for a URL that names no PostgreSQL database; it may hold a password, so it is not repeated. */
function storeName(place: StoreLocation, { database }: StoreLabels): string {
  if (place.kind === 'sqlite') return `The store ${place.file}`;
  const url = URL.canParse(place.url) ? new URL(place.url) : undefined;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new StoreError(
      `${database} is not the address of a PostgreSQL database: give postgres://USER:PASSWORD@HOST:PORT/DATABASE.`,
    );
  }
  return `The database ${url.host}${url.pathname}`;
}
