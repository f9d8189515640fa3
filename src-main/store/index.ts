import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { openSqlite } from './open-sqlite.ts';

/** Migrations by name; the names sort in the order they run and are never changed once landed. */
export type Migrations = Readonly<Record<string, Migration>>;

export type StoreOptions = {
  /** SQLite file, or `:memory:`. */
  readonly file: string;
  /** Every table's migrations, put together by the program that opens the store. */
  readonly migrations: Migrations;
};

/** Opens the store and brings its schema up to date. Throws, and changes nothing, when a newer program made it. */
export async function openStore<Tables>(options: StoreOptions): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(options.file) }) });
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...options.migrations }) },
    });
    const known = new Set(Object.keys(options.migrations));
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) {
      const newer =
        error instanceof Error && /previously executed migration (\S+) is missing/.exec(error.message);
      if (newer !== null && newer !== false && !known.has(newer[1] ?? '')) {
        throw new Error(
          `The store ${options.file} was made by a newer version of this program (it has "${newer[1]}"). ` +
            'Nothing was changed: start that version, or point the data folder elsewhere.',
          { cause: error },
        );
      }
      throw error;
    }
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
