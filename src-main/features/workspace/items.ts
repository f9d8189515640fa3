import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { exactText } from '../../store/index.ts';
import type { WorkspaceItemRow, WorkspaceTables } from './store.ts';

/** The fields of an item that its owner sets. */
export type ItemContent = Pick<WorkspaceItemRow, 'title' | 'address' | 'text'> & { readonly shared: boolean };

/** A page of items: the newest change first. */
export type ItemPage = { readonly items: WorkspaceItemRow[]; readonly nextPageToken: string };

/** Saved views, pins and notes of people. */
export type WorkspaceItems = {
  /** Throws `BadInput` for a token that is none of a page. `kind` 0 is all. */
  list(
    email: string,
    page: { readonly kind: number; readonly size: number; readonly token: string },
  ): Promise<ItemPage>;
  /** The newest items that a person sees, all kinds: at most a thousand. */
  listAll(email: string): Promise<WorkspaceItemRow[]>;
  /** Throws `TooManyRequests` when the person has too many. */
  create(email: string, kind: number, content: ItemContent): Promise<WorkspaceItemRow>;
  /** Throws `NotFound` unless it is the person's own, and `Conflict` for an older revision (0 is any). */
  update(
    email: string,
    id: string,
    revision: number,
    change: Partial<ItemContent>,
  ): Promise<WorkspaceItemRow>;
  /** Throws `NotFound` unless it is the person's own. */
  remove(email: string, id: string): Promise<void>;
  /** Calls `listener` after every change made here; returns how to stop it. */
  onChange(listener: () => void): () => void;
};

/** Items that are searched. */
const mostSearched = 1_000;

/** Items of one person. */
const mostOfPerson = 500;

/** `now` in epoch ms. */
export function createWorkspaceItems(db: Kysely<WorkspaceTables>, now: () => number): WorkspaceItems {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const notYours = (): ConsoleError =>
    new ConsoleError('NotFound', 'None of your saved views, pins and notes has this ID: reload the list.');

  const changedMeanwhile = (): ConsoleError =>
    new ConsoleError('Conflict', 'It was changed in another window meanwhile: reload and try again.');

  const seenBy = (email: string) =>
    db
      .selectFrom('workspace_items')
      .selectAll()
      .where((eb) => eb.or([eb('owner', '=', email), eb('shared', '=', 1)]));

  return {
    listAll: (email) =>
      seenBy(email).orderBy('updated_at', 'desc').orderBy('id').limit(mostSearched).execute(),

    async list(email, { kind, size, token }) {
      let query = seenBy(email);
      if (kind !== 0) query = query.where('kind', '=', kind);
      const after = token === '' ? undefined : positionOf(token);
      if (after !== undefined)
        query = query.where((eb) =>
          eb.or([
            eb('updated_at', '<', after.updatedAt),
            eb.and([eb('updated_at', '=', after.updatedAt), eb('id', '>', after.id)]),
          ]),
        );
      const rows = await query
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .limit(size + 1)
        .execute();
      const items = rows.slice(0, size);
      const last = items.at(-1);
      return {
        items,
        nextPageToken: rows.length > size && last !== undefined ? `${last.updated_at}.${last.id}` : '',
      };
    },

    async create(email, kind, content) {
      const at = now();
      const row: WorkspaceItemRow = {
        id: randomUUID(),
        owner: email,
        kind,
        ...storable(content),
        revision: 1,
        created_at: at,
        updated_at: at,
      };
      await db.transaction().execute(async (transaction) => {
        await transaction.insertInto('workspace_items').values(row).execute();
        const { kept } = await transaction
          .selectFrom('workspace_items')
          .select((eb) => eb.fn.countAll().as('kept'))
          .where('owner', '=', email)
          .executeTakeFirstOrThrow();
        if (Number(kept) > mostOfPerson)
          throw new ConsoleError(
            'TooManyRequests',
            `You have ${mostOfPerson} saved views, pins and notes: delete one first.`,
          );
      });
      changed();
      return row;
    },

    async update(email, id, revision, change) {
      const row = await db.transaction().execute(async (transaction) => {
        const own = await transaction
          .selectFrom('workspace_items')
          .selectAll()
          .where('id', '=', id)
          .where('owner', '=', email)
          .executeTakeFirst();
        if (own === undefined) throw notYours();
        if (revision !== 0 && revision !== own.revision) throw changedMeanwhile();
        const next = {
          ...own,
          ...storable({ ...own, shared: own.shared === 1, ...change }),
          revision: own.revision + 1,
          updated_at: now(),
        };
        const { numUpdatedRows } = await transaction
          .updateTable('workspace_items')
          .set(next)
          .where('id', '=', id)
          .where('revision', '=', own.revision)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows !== 1n) throw changedMeanwhile();
        return next;
      });
      changed();
      return row;
    },

    async remove(email, id) {
      const { numDeletedRows } = await db
        .deleteFrom('workspace_items')
        .where('id', '=', id)
        .where('owner', '=', email)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw notYours();
      changed();
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const storable = ({ title, address, text, shared }: ItemContent) => ({
  title: exactText('item.title', title),
  address: exactText('item.address', address),
  text: exactText('item.text', text),
  shared: shared ? 1 : 0,
});

function positionOf(token: string): { updatedAt: number; id: string } {
  const [, updatedAt, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/.exec(token) ?? [];
  if (updatedAt === undefined || id === undefined)
    throw new ConsoleError('BadInput', 'page_token is none that this list gave: leave it out to begin anew.');
  return { updatedAt: Number(updatedAt), id };
}
