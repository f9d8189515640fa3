import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Migrations, openStore } from '../../store/index.ts';

/** Most chats one person keeps. */
export const maxChats = 500;
/** Most messages one chat keeps, both sides counted. */
export const maxMessages = 1000;

/** A chat as stored. Times are milliseconds since 1970. */
export type StoredChat = { id: string; title: string; project: string; createdAt: number; updatedAt: number };
/** A message as stored. `interrupted` is true when the stream that produced it ended before its end. */
export type StoredMessage = {
  id: string;
  role: 'person' | 'studio';
  text: string;
  at: number;
  interrupted: boolean;
};

type Tables = {
  studio_chats: {
    owner: string;
    id: string;
    title: string;
    project: string;
    created_at: number;
    updated_at: number;
  };
  studio_messages: {
    id: string;
    owner: string;
    chat_id: string;
    position: number;
    role: 'person' | 'studio';
    text: string;
    at: number;
    interrupted: number;
  };
};

const migrations: Migrations = {
  '001-chats-and-messages': {
    async up(db) {
      await db.schema
        .createTable('studio_chats')
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('project', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        // The owner comes first: two people may each have the chat `repo-<app>`.
        .addPrimaryKeyConstraint('studio_chats_key', ['owner', 'id'])
        .execute();
      await db.schema
        .createTable('studio_messages')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('chat_id', 'text', (column) => column.notNull())
        .addColumn('position', 'integer', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('interrupted', 'integer', (column) => column.notNull())
        .addUniqueConstraint('studio_messages_position', ['owner', 'chat_id', 'position'])
        .addForeignKeyConstraint('studio_messages_chat', ['owner', 'chat_id'], 'studio_chats', [
          'owner',
          'id',
        ])
        .execute();
    },
  },
};

/** The studio's own store. Every call names the owner; no query reaches another person's rows. */
export type ChatStore = Awaited<ReturnType<typeof openChatStore>>;

/** Opens the store in `file` (or `:memory:`) and brings its schema up to date. */
export async function openChatStore(file: string) {
  // The studio's data folder is the platform's to protect; the console's own store is the encrypted one.
  const store = await openStore<Tables>({
    location: { kind: 'sqlite', file, encryption: 'none' },
    migrations,
    labels: { program: 'studio', database: 'STUDIO_STORE_FILE', file: 'STUDIO_STORE_FILE' },
  });
  const { db } = store;

  return {
    /** The owner's chats, most recently updated first. */
    async listChats(owner: string): Promise<StoredChat[]> {
      const rows = await db
        .selectFrom('studio_chats')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(maxChats)
        .execute();
      return rows.map(chatFromRow);
    },

    async findChat(owner: string, id: string): Promise<StoredChat | undefined> {
      const row = await db
        .selectFrom('studio_chats')
        .selectAll()
        .where('owner', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? undefined : chatFromRow(row);
    },

    /**
     * Adds a chat. At the limit the oldest chat without any message makes room; when every chat has messages the
     * answer is undefined and nothing changed: what a person wrote is never dropped to make room.
     */
    async addChat(owner: string, chat: StoredChat): Promise<StoredChat | undefined> {
      return db.transaction().execute(async (tx) => {
        if ((await countChats(tx, owner)) >= maxChats && !(await dropOldestEmptyChat(tx, owner)))
          return undefined;
        await tx
          .insertInto('studio_chats')
          .values({
            owner,
            id: chat.id,
            title: chat.title,
            project: chat.project,
            created_at: chat.createdAt,
            updated_at: chat.updatedAt,
          })
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
          .execute();
        return chat;
      });
    },

    /** Stores title, project and time of the last change. */
    async updateChat(owner: string, chat: StoredChat): Promise<void> {
      await db
        .updateTable('studio_chats')
        .set({ title: chat.title, project: chat.project, updated_at: chat.updatedAt })
        .where('owner', '=', owner)
        .where('id', '=', chat.id)
        .execute();
    },

    /** The chat's messages, oldest first. */
    async listMessages(owner: string, chatId: string): Promise<StoredMessage[]> {
      const rows = await db
        .selectFrom('studio_messages')
        .selectAll()
        .where('owner', '=', owner)
        .where('chat_id', '=', chatId)
        .orderBy('position')
        .execute();
      return rows.map(({ id, role, text, at, interrupted }) => ({
        id,
        role,
        text,
        at: Number(at),
        interrupted: interrupted === 1,
      }));
    },

    /** Adds a message at the end of a chat of the owner. */
    async addMessage(
      owner: string,
      chatId: string,
      message: Omit<StoredMessage, 'id'>,
    ): Promise<StoredMessage> {
      const id = `m-${randomBytes(8).toString('hex')}`;
      await db.transaction().execute(async (tx) => {
        const last = await tx
          .selectFrom('studio_messages')
          .select(sql<number | null>`max(position)`.as('position'))
          .where('owner', '=', owner)
          .where('chat_id', '=', chatId)
          .executeTakeFirst();
        await tx
          .insertInto('studio_messages')
          .values({
            ...message,
            id,
            owner,
            chat_id: chatId,
            position: (last?.position ?? 0) + 1,
            interrupted: message.interrupted ? 1 : 0,
          })
          .execute();
      });
      return { id, ...message };
    },

    close: () => store.close(),
  };
}

function chatFromRow(row: Tables['studio_chats']): StoredChat {
  return {
    id: row.id,
    title: row.title,
    project: row.project,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

async function countChats(db: Kysely<Tables>, owner: string): Promise<number> {
  const row = await db
    .selectFrom('studio_chats')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

async function dropOldestEmptyChat(db: Kysely<Tables>, owner: string): Promise<boolean> {
  const oldest = await db
    .selectFrom('studio_chats as chat')
    .select('chat.id')
    .where('chat.owner', '=', owner)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('studio_messages as message')
            .select('message.id')
            .whereRef('message.owner', '=', 'chat.owner')
            .whereRef('message.chat_id', '=', 'chat.id'),
        ),
      ),
    )
    .orderBy('chat.created_at')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return false;
  await db.deleteFrom('studio_chats').where('owner', '=', owner).where('id', '=', oldest.id).execute();
  return true;
}
