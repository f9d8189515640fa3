import type { Kysely } from 'kysely';
import type { Connection } from '#shared/api/connections.ts';
import { type ConnectionStatus, connectionStatus } from '#shared/api/connectors.ts';
import type { ProbeResult } from '../../../sources/service-probe/index.ts';
import { timeText } from '../acting.ts';
import type { DataSourceTables } from '../store.ts';

/** The last probe of each connection, as it is kept. */
export type Statuses = {
  /** One for each of these connections; those never probed say so. Reads the store and nothing else. */
  of(connections: readonly Connection[]): Promise<ConnectionStatus[]>;
  keep(connection: Connection, result: ProbeResult, by: string | undefined): Promise<ConnectionStatus>;
};

type Parts = {
  readonly db: Kysely<DataSourceTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

const kept = connectionStatus.omit({ stale: true });

/** Keeps the last probe of each connection in the store. */
export function createStatuses({ db, now }: Parts): Statuses {
  return {
    async of(connections) {
      const rows = await db.selectFrom('connection_statuses').selectAll().execute();
      const byId = new Map(rows.map((row) => [row.connection_id, row]));
      return connections.map(({ id, name, revision }): ConnectionStatus => {
        const row = byId.get(id);
        if (row === undefined)
          return {
            connection_id: id,
            outcome: 'not_probed',
            detail: `${name} was not probed yet.`,
            steps: [],
            stale: false,
          };
        return { ...kept.parse(JSON.parse(row.status)), stale: row.revision !== revision };
      });
    },

    async keep({ id, revision }, result, by) {
      const at = now();
      const { failedStep, address, certificate } = result;
      const status: Omit<ConnectionStatus, 'stale'> = {
        connection_id: id,
        outcome: result.outcome,
        detail: result.detail,
        ...(failedStep === undefined ? {} : { failed_step: failedStep }),
        steps: [...result.steps],
        ...(address === undefined ? {} : { address }),
        ...(certificate === undefined ? {} : { certificate }),
        probed_at: timeText(at),
        took_ms: result.tookMs,
        ...(by === undefined ? {} : { probed_by: by }),
      };
      const row = { status: JSON.stringify(status), revision, probed_at: at };
      await db.transaction().execute(async (tx) => {
        // A connection that was deleted while it was probed leaves nothing behind.
        const there = await tx.selectFrom('connections').select('id').where('id', '=', id).executeTakeFirst();
        if (there === undefined) return;
        await tx
          .insertInto('connection_statuses')
          .values({ connection_id: id, ...row })
          .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(row))
          .execute();
      });
      return { ...status, stale: false };
    },
  };
}
