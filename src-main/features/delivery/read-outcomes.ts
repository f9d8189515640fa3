import { type Kysely, sql } from 'kysely';
import { workflowFamily } from '../../sources/code-host/index.ts';
import type { DeliveryAttempt } from './indicators.ts';
import type { DeliveryTables } from './store.ts';

/** In ms. */
export const day = 86_400_000;

/** Returns the start of the UTC day, epoch ms. */
export function dayOf(at: number): number {
  return at - (at % day);
}

/** Longest time before a window at which a failure restored within it may have begun, in ms. */
const lookBack = 28 * day;

/** Runs that ended on one UTC day, which `day` (epoch ms) began. */
export type DayRuns = { readonly day: number; readonly runs: number; readonly failed: number };

/** The recorded outcomes for a window. */
export type Outcomes = {
  /** From a while before the window on. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Every run that was not skipped, by day. */
  readonly runs: readonly DayRuns[];
  readonly repos: readonly string[];
  /** From when on the series has every run, epoch ms; undefined for an empty one. */
  readonly since: number | undefined;
};

/**
 * Reads what is needed for the window that begins at `from`, of all repositories of the organisation or of one. While the
 * organisation is not known it is the one that was read last.
 */
export async function readOutcomes(
  db: Kysely<DeliveryTables>,
  from: number,
  known: string | undefined,
  repo: string | undefined,
): Promise<Outcomes> {
  const org = known ?? (await readLast(db));
  if (org === undefined) return { attempts: [], runs: [], repos: [], since: undefined };
  const outcomes = outcomesOf(db, org, repo);
  const pushed = await outcomes
    .select(['repo', 'workflow', 'sha', 'run_id', 'attempt', 'state', 'committed_at', 'ended_at'])
    .where('on_default', '=', 1)
    .where('event', '=', 'push')
    .where('state', 'in', ['success', 'failure'])
    .where('ended_at', '>=', from - lookBack)
    .execute();
  const runs = await outcomes
    .select((eb) => [
      sql<number>`ended_at / ${sql.lit(day)}`.as('number'),
      eb.fn.countAll<number>().as('runs'),
      eb.fn.sum<number>(eb.case().when('state', '=', 'failure').then(1).else(0).end()).as('failed'),
    ])
    .where('state', '!=', 'skipped')
    .where('ended_at', '>=', from)
    .groupBy(sql`ended_at / ${sql.lit(day)}`)
    .execute();
  const repos = await outcomesOf(db, org, undefined).select('repo').distinct().orderBy('repo').execute();
  return {
    attempts: pushed.flatMap(({ state, ...attempt }) =>
      (state === 'success' || state === 'failure') && workflowFamily(attempt.workflow).family === 'other'
        ? { ...attempt, state }
        : [],
    ),
    runs: runs.map(({ number, runs, failed }) => ({
      day: Number(number) * day,
      runs: Number(runs),
      failed: Number(failed),
    })),
    repos: repos.map((row) => row.repo),
    since: await seriesSince(db, org, repo),
  };
}

async function readLast(db: Kysely<DeliveryTables>): Promise<string | undefined> {
  const last = await db
    .selectFrom('run_series')
    .select('org')
    .orderBy('read_until', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.org;
}

function outcomesOf(db: Kysely<DeliveryTables>, org: string, repo: string | undefined) {
  const all = db.selectFrom('run_outcomes').where('org', '=', org);
  return repo === undefined ? all : all.where('repo', '=', repo);
}

/** The oldest run there is, or the moment from which on none is missing where that is later. */
async function seriesSince(
  db: Kysely<DeliveryTables>,
  org: string,
  repo: string | undefined,
): Promise<number | undefined> {
  const series = db.selectFrom('run_series').where('org', '=', org);
  const [oldest, whole] = await Promise.all([
    outcomesOf(db, org, repo)
      .select((eb) => eb.fn.min<number | null>('started_at').as('at'))
      .executeTakeFirst(),
    (repo === undefined ? series : series.where('repo', '=', repo))
      .select((eb) => eb.fn.max<number | null>('since').as('at'))
      .executeTakeFirst(),
  ]);
  if (oldest?.at == null) return undefined;
  return Math.max(oldest.at, whole?.at ?? 0);
}
