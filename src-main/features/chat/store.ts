import type { Kysely } from 'kysely';
import type { Migrations } from '../../store/index.ts';

/** The act that a session proposed and nobody confirmed yet: one a session at most. */
export type ChatProposalRow = {
  session_id: string;
  /** Key of the act: it is carried out once for it. */
  key: string;
  /** SHA-256 of the code, hex: who reads the store cannot confirm. */
  code_digest: string;
  email: string;
  tool: string;
  /** JSON of the request that was previewed, with its digest and resourceVersion. */
  request: string;
  target: string;
  /** 1 where the name of the target has to follow the code. */
  protected: number;
  /** Epoch ms. */
  expires_at: number;
  wrong_codes: number;
};
export type ChatTables = { chat_proposals: ChatProposalRow };

export const chatMigrations: Migrations = {
  '2026-11-23-chat': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('chat_proposals')
        .addColumn('session_id', 'text', (c) => c.primaryKey())
        .addColumn('key', 'text', (c) => c.notNull())
        .addColumn('code_digest', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('tool', 'text', (c) => c.notNull())
        .addColumn('request', 'text', (c) => c.notNull())
        .addColumn('target', 'text', (c) => c.notNull())
        .addColumn('protected', 'integer', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .addColumn('wrong_codes', 'integer', (c) => c.notNull())
        .execute();
    },
  },
};

/** Keeps a session's proposal in place of the one before. */
export async function keepProposal(db: Kysely<ChatTables>, row: ChatProposalRow): Promise<void> {
  const { session_id: _, ...rest } = row;
  await db
    .insertInto('chat_proposals')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(rest))
    .execute();
}

/** The open proposal of a session. */
export function openProposal(db: Kysely<ChatTables>, session: string): Promise<ChatProposalRow | undefined> {
  return db.selectFrom('chat_proposals').selectAll().where('session_id', '=', session).executeTakeFirst();
}

/** Counts a wrong code; the last one allowed takes the proposal away. */
export async function countWrongCode(
  db: Kysely<ChatTables>,
  { session_id, key, wrong_codes }: ChatProposalRow,
  most: number,
): Promise<void> {
  if (wrong_codes + 1 >= most) {
    await db
      .deleteFrom('chat_proposals')
      .where('session_id', '=', session_id)
      .where('key', '=', key)
      .execute();
    return;
  }
  await db
    .updateTable('chat_proposals')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('session_id', '=', session_id)
    .where('key', '=', key)
    .execute();
}

/** Takes a proposal away; false when another request did before. */
export async function takeProposal(
  db: Kysely<ChatTables>,
  { session_id, key }: ChatProposalRow,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('chat_proposals')
    .where('session_id', '=', session_id)
    .where('key', '=', key)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Takes away what expired before `at`, of every session. */
export async function dropExpired(db: Kysely<ChatTables>, at: number): Promise<void> {
  await db.deleteFrom('chat_proposals').where('expires_at', '<=', at).execute();
}
