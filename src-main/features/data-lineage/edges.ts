import type { Kysely } from 'kysely';
import type { LineageEdge } from '#shared/api/data-lineage.ts';
import { exactText } from '../../store/index.ts';
import type { DataLineageTables, LineageEdgeRow } from './store.ts';

/** Flows kept of all apps; the ones seen longest ago go first. */
const mostKept = 100_000;

/** Rows of one statement: PostgreSQL binds 65,535 parameters at most, SQLite 32,766. */
const rowsAtOnce = 2_000;

/**
 * Keeps the flows an app observed. Of reports of one flow the one seen last counts, and of those the largest count:
 * reports that come twice or in another order leave the same state. Returns how many flows the report was about.
 */
export async function keepEdges(
  db: Kysely<DataLineageTables>,
  app: string,
  edges: readonly LineageEdge[],
): Promise<number> {
  const rows = newestOf(edges.map((edge) => toRow(app, edge)));
  await db.transaction().execute(async (transaction) => {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await transaction
        .insertInto('lineage_edges')
        .values(rows.slice(at, at + rowsAtOnce))
        .onConflict((conflict) =>
          conflict
            .columns(['app', 'from_node', 'to_node', 'kind'])
            .doUpdateSet((eb) => ({
              count: eb.ref('excluded.count'),
              last_seen: eb.ref('excluded.last_seen'),
            }))
            .where((eb) =>
              eb.or([
                eb('excluded.last_seen', '>', eb.ref('lineage_edges.last_seen')),
                eb.and([
                  eb('excluded.last_seen', '=', eb.ref('lineage_edges.last_seen')),
                  eb('excluded.count', '>', eb.ref('lineage_edges.count')),
                ]),
              ]),
            ),
        )
        .execute();
    }
    await dropOldest(transaction);
  });
  return rows.length;
}

/** Returns the flows seen last, newest first. */
export function readEdges(db: Kysely<DataLineageTables>, limit: number): Promise<LineageEdgeRow[]> {
  return db
    .selectFrom('lineage_edges')
    .selectAll()
    .orderBy('last_seen', 'desc')
    .orderBy('app')
    .orderBy('from_node')
    .orderBy('to_node')
    .orderBy('kind')
    .limit(limit)
    .execute();
}

/** Returns how many flows are kept, and of how many apps. */
export async function countEdges(db: Kysely<DataLineageTables>): Promise<{ edges: number; apps: number }> {
  const { edges, apps } = await db
    .selectFrom('lineage_edges')
    .select((eb) => [eb.fn.countAll().as('edges'), eb.fn.count('app').distinct().as('apps')])
    .executeTakeFirstOrThrow();
  return { edges: Number(edges), apps: Number(apps) };
}

function toRow(app: string, { from, to, kind, count, last_seen }: LineageEdge): LineageEdgeRow {
  return {
    app: exactText('app', app),
    from_node: exactText('edges.from', from),
    to_node: exactText('edges.to', to),
    kind: exactText('edges.kind', kind),
    count,
    last_seen: Date.parse(last_seen),
  };
}

/** One row a flow, for a statement may change a row once only, and in one order, so that two reports never deadlock. */
function newestOf(rows: readonly LineageEdgeRow[]): LineageEdgeRow[] {
  const newest = new Map<string, LineageEdgeRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.from_node, row.to_node, row.kind]);
    const kept = newest.get(key);
    const isNewer =
      kept === undefined ||
      row.last_seen > kept.last_seen ||
      (row.last_seen === kept.last_seen && row.count > kept.count);
    if (isNewer) newest.set(key, row);
  }
  return [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

async function dropOldest(db: Kysely<DataLineageTables>): Promise<void> {
  const oldestKept = await db
    .selectFrom('lineage_edges')
    .select('last_seen')
    .orderBy('last_seen', 'desc')
    .offset(mostKept)
    .limit(1)
    .executeTakeFirst();
  if (oldestKept === undefined) return;
  await db.deleteFrom('lineage_edges').where('last_seen', '<=', oldestKept.last_seen).execute();
}
