import type { Kysely } from 'kysely';
import type { Listener } from '#shared/api/runners.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Acting, newId, timeText } from '../acting.ts';
import type { DataSourceTables, ListenerRow, RunnerRow } from '../store.ts';
import { isConnected } from './runners.ts';

/** Most listeners of one runner. */
const mostListeners = 50;

/** Most characters kept of a runner's reason. */
const longestReason = 200;

export type ListenerFilter = {
  readonly runnerId?: string | undefined;
  readonly connectionId?: string | undefined;
};

export type ListenerReport = { readonly id: string; readonly listening: boolean; readonly reason: string };

/** The ports that runners open and forward to connections. */
export type Listeners = {
  /** In the order of names. */
  list(filter?: ListenerFilter): Promise<Listener[]>;
  /** Throws `NotFound` for the runner or the connection, `Conflict` for a port that is taken. */
  create(
    given: { name: string; runnerId: string; connectionId: string; port: number },
    acting: Acting,
  ): Promise<Listener>;
  /** Throws `NotFound`. */
  remove(id: string, acting: Acting): Promise<void>;
  /** Keeps what a runner reports of its listeners, and returns all that it should have. */
  report(runner: RunnerRow, reports: readonly ListenerReport[]): Promise<ListenerRow[]>;
};

type Parts = {
  readonly db: Kysely<DataSourceTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The listeners over the store. */
export function createListeners({ db, now }: Parts): Listeners {
  return {
    async list({ runnerId, connectionId } = {}) {
      let query = db.selectFrom('runner_listeners').selectAll();
      if (runnerId !== undefined) query = query.where('runner_id', '=', runnerId);
      if (connectionId !== undefined) query = query.where('connection_id', '=', connectionId);
      const [rows, runners] = await Promise.all([
        query.execute(),
        db.selectFrom('runners').selectAll().execute(),
      ]);
      const byId = new Map(runners.map((row) => [row.id, row]));
      return rows
        .map((row) => shownListener(row, byId.get(row.runner_id), now()))
        .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.port - b.port));
    },

    async create({ name, runnerId, connectionId, port }, { by, record }) {
      const runner = await db.selectFrom('runners').selectAll().where('id', '=', runnerId).executeTakeFirst();
      if (runner === undefined) throw new ConsoleError('NotFound', `There is no runner ${runnerId}.`);
      if (runner.revoked_at !== null)
        throw new ConsoleError('Conflict', `The runner ${runner.name} is revoked.`);
      const connection = await db
        .selectFrom('connections')
        .select('name')
        .where('id', '=', connectionId)
        .executeTakeFirst();
      if (connection === undefined)
        throw new ConsoleError('NotFound', `There is no connection ${connectionId}.`);
      record(`Listener ${name}: port ${port} of ${runner.name} to ${connection.name}.`, {
        runner: runnerId,
        connection: connectionId,
        port,
      });
      const own = await db
        .selectFrom('runner_listeners')
        .select('id')
        .where('runner_id', '=', runnerId)
        .execute();
      if (own.length >= mostListeners)
        throw new ConsoleError(
          'Conflict',
          `${runner.name} has ${mostListeners} listeners: delete one first.`,
        );
      const row = await db
        .insertInto('runner_listeners')
        .values({
          id: newId(),
          name,
          runner_id: runnerId,
          connection_id: connectionId,
          port,
          listening: null,
          reason: '',
          reported_at: null,
          created_at: now(),
          created_by: by ?? null,
        })
        .onConflict((conflict) => conflict.columns(['runner_id', 'port']).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined)
        throw new ConsoleError('Conflict', `${runner.name} already has a listener on port ${port}.`);
      return shownListener(row, runner, now());
    },

    async remove(id, { record }) {
      const row = await db
        .deleteFrom('runner_listeners')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new ConsoleError('NotFound', `There is no listener ${id}.`);
      record(`Deleted the listener ${row.name}.`, { runner: row.runner_id, port: row.port });
    },

    async report({ id: runnerId }, reports) {
      const rows = await db
        .selectFrom('runner_listeners')
        .selectAll()
        .where('runner_id', '=', runnerId)
        .execute();
      for (const { id, listening, reason } of reports.slice(0, mostListeners)) {
        // A runner says what its own listeners do, and nobody else's.
        if (!rows.some((row) => row.id === id)) continue;
        await db
          .updateTable('runner_listeners')
          .set({ listening: listening ? 1 : 0, reason: reason.slice(0, longestReason), reported_at: now() })
          .where('id', '=', id)
          .execute();
      }
      return rows;
    },
  };
}

function shownListener(row: ListenerRow, runner: RunnerRow | undefined, at: number): Listener {
  const { reason, reported_at, created_by } = row;
  const state = stateOf(row, runner, at);
  return {
    id: row.id,
    name: row.name,
    runner_id: row.runner_id,
    connection_id: row.connection_id,
    port: row.port,
    state,
    ...(reason === '' || state !== 'failed' ? {} : { reason }),
    ...(reported_at === null ? {} : { reported_at: timeText(reported_at) }),
    created_at: timeText(row.created_at),
    ...(created_by === null ? {} : { created_by }),
  };
}

function stateOf({ listening }: ListenerRow, runner: RunnerRow | undefined, at: number): Listener['state'] {
  if (runner?.enrolled_at === null) return 'pending';
  if (runner === undefined || !isConnected(runner, at)) return 'offline';
  if (listening === null) return 'pending';
  return listening === 1 ? 'listening' : 'failed';
}
