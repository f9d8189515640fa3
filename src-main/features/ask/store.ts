import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** A passage of what comes with the console. */
export type AskPassageRow = {
  id: string;
  title: string;
  body: string;
  /** Address inside the console. */
  address: string;
};
/** The one row that says which passages are in the index. */
export type AskIndexRow = { id: number; digest: string };
export type AskTables = { ask_passages: AskPassageRow; ask_index: AskIndexRow };

export const askMigrations: Migrations = {
  '2026-11-23-ask': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ask_index')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('digest', 'text', (c) => c.notNull())
        .execute();
      if (db.getExecutor().adapter instanceof PostgresAdapter) {
        await db.schema
          .createTable('ask_passages')
          .addColumn('id', 'text', (c) => c.primaryKey())
          .addColumn('title', 'text', (c) => c.notNull())
          .addColumn('body', 'text', (c) => c.notNull())
          .addColumn('address', 'text', (c) => c.notNull())
          .execute();
        await sql`create index ask_passages_words on ask_passages
          using gin (to_tsvector('english', title || ' ' || body))`.execute(db);
        return;
      }
      await sql`create virtual table ask_passages
        using fts5(id unindexed, title, body, address unindexed, tokenize = 'porter unicode61')`.execute(db);
    },
  },
};

/** Passages that the full text offers for a question, before they are ranked. */
const mostOffered = 60;
/** Passages in one insert. */
const batch = 100;

/** Brings the index to these passages, once for each content; several consoles may do so at once. */
export async function indexPassages(
  db: Kysely<AskTables>,
  digest: string,
  passages: readonly AskPassageRow[],
): Promise<void> {
  const kept = await db.selectFrom('ask_index').select('digest').where('id', '=', 1).executeTakeFirst();
  if (kept?.digest === digest) return;
  await db.transaction().execute(async (tx) => {
    // The row first: on PostgreSQL it is the lock that another console waits at.
    await tx
      .insertInto('ask_index')
      .values({ id: 1, digest })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ digest }))
      .execute();
    await tx.deleteFrom('ask_passages').execute();
    for (let at = 0; at < passages.length; at += batch)
      await tx
        .insertInto('ask_passages')
        .values(passages.slice(at, at + batch))
        .execute();
  });
}

/** Returns passages with any of the words, of letters and digits only, by the database's full text. */
export async function passagesWith(
  db: Kysely<AskTables>,
  words: readonly string[],
): Promise<readonly AskPassageRow[]> {
  if (words.length === 0) return [];
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const query = words.join(' | ');
    const vector = sql`to_tsvector('english', title || ' ' || body)`;
    const { rows } = await sql<AskPassageRow>`select id, title, body, address from ask_passages
      where ${vector} @@ to_tsquery('english', ${query})
      order by ts_rank(${vector}, to_tsquery('english', ${query})) desc, id limit ${mostOffered}`.execute(db);
    return rows;
  }
  const query = words.map((word) => `"${word}"`).join(' OR ');
  const { rows } = await sql<AskPassageRow>`select id, title, body, address from ask_passages
    where ask_passages match ${query} order by bm25(ask_passages), id limit ${mostOffered}`.execute(db);
  return rows;
}
