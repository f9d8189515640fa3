import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { Pool, type PoolClient, type QueryResult, types } from 'pg';

/** Turns a driver's error into the one that is thrown. */
export type Explain = (error: unknown) => unknown;

/**
 * Embedded SQLite. A transaction takes the write lock when it begins, and so waits for it there: one that
 * finds out only at its first write that another process wrote meanwhile cannot continue
 * (SQLITE_BUSY_SNAPSHOT).
 */
export function sqliteDialect(config: SqliteDialectConfig, explain: Explain): Dialect {
  const dialect = new SqliteDialect(config);
  return {
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => new ImmediateDriver(config, explain),
  };
}

/** Kysely assumes otherwise, but SQLite rolls a `create table` back like anything else. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #explain: Explain;

  constructor(config: SqliteDialectConfig, explain: Explain) {
    super(config);
    this.#explain = explain;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const explain = this.#explain;
    return {
      async executeQuery<R>(query: CompiledQuery) {
        try {
          return await connection.executeQuery<R>(query);
        } catch (error) {
          throw explain(error);
        }
      },
      async *streamQuery<R>(query: CompiledQuery, chunkSize: number) {
        try {
          yield* connection.streamQuery<R>(query, chunkSize);
        } catch (error) {
          throw explain(error);
        }
      },
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      // On a full disk or a disk error SQLite has rolled back by itself (https://www.sqlite.org/lang_transaction.html,
      // section 3); the caller is to hear of the disk, not of this.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }
}

export type PostgresOptions = {
  readonly url: string;
  readonly mostConnections: number;
  /** Longest time the database may take to answer one query, in ms; undefined waits without limit. */
  readonly patience: number | undefined;
  /** Called for a connection that broke while idle; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
  readonly explain: Explain;
};

/** PostgreSQL, or a cluster that speaks its protocol. */
export function postgresDialect(options: PostgresOptions): Dialect {
  const { patience, explain } = options;
  const pool = new Pool({
    connectionString: options.url,
    max: options.mostConnections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'operator-console',
    ...(patience === undefined ? {} : { query_timeout: patience }),
    types: {
      // Counts and times: pg gives 64-bit integers as text; ours stay far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format),
    },
  });
  // Without these two listeners the process would end with the database's restart: an idle connection tells the pool,
  // one that is in use but not asking anything just then (between two queries of a transaction) tells nobody else.
  pool.on('error', options.onIdleError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new PostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => {
        try {
          return explaining(await pool.connect(), explain);
        } catch (error) {
          throw explain(error);
        }
      },
      end: () => pool.end(),
    },
  });
}

/** The pooled client as Kysely uses it: its failures explained, and not used again once a query is stuck on it. */
function explaining(client: PoolClient, explain: Explain): PoolClient {
  let stuck = false;
  const query = async (sql: string, parameters: unknown[]): Promise<QueryResult> => {
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      // The query is still under way: given back to the pool, the connection would hold up the next one, too.
      stuck ||= error instanceof Error && error.message === 'Query read timeout';
      throw explain(error);
    }
  };
  const release = (destroy?: Error | boolean): void => client.release(stuck || destroy);
  return new Proxy(client, {
    get: (target, name) =>
      name === 'query' ? query : name === 'release' ? release : Reflect.get(target, name),
  });
}
