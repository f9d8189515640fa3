import type { Kysely } from 'kysely';
import { compareText } from '#shared/text.ts';
import type { Repository, WorkflowRun } from '../../sources/code-host/index.ts';
import { storableText } from '../../store/index.ts';
import type { RecentRuns } from '../runs/index.ts';
import { workflowFile } from './delivering.ts';
import type { DeliveryTables, RunOutcomeRow } from './store.ts';

/** Retention of an outcome, in ms: 400 days. */
const kept = 400 * 86_400_000;

/** Rows of one statement: both databases take far more parameters than these make. */
const chunk = 400;

/**
 * Adds every finished run to the series, and returns from when on it is complete. An existing row is kept as
 * it is: an attempt ends once, and a later one has its own row. Several consoles may do so at once. `now` in
 * epoch ms.
 */
export async function recordOutcomes(
  db: Kysely<DeliveryTables>,
  { org, repos, readAt }: Pick<RecentRuns, 'org' | 'repos' | 'readAt'>,
  now: number,
): Promise<void> {
  if (org === undefined) return;
  const rows = repos
    .flatMap(({ repository, runs }) => runs.flatMap((run) => outcomeOf(org, repository, run)))
    .filter(({ ended_at }) => ended_at >= now - kept)
    // In one order: two consoles that add the same rows would otherwise wait for each other.
    .toSorted((a, b) => compareText(a.repo, b.repo) || a.run_id - b.run_id || a.attempt - b.attempt);
  for (let start = 0; start < rows.length; start += chunk) {
    await db
      .insertInto('run_outcomes')
      .values(rows.slice(start, start + chunk))
      .onConflict((conflict) => conflict.columns(['org', 'repo', 'run_id', 'attempt']).doNothing())
      .execute();
  }
  const series = repos
    .map(({ repository, runs, hasOlder }) => ({
      org,
      repo: repository.name,
      since: !hasOlder ? 0 : Math.min(...runs.map((run) => Date.parse(run.createdAt))),
      read_until: readAt,
    }))
    .toSorted((a, b) => compareText(a.repo, b.repo));
  if (series.length === 0) return;
  await db
    .insertInto('run_series')
    .values(series)
    .onConflict((conflict) =>
      conflict.columns(['org', 'repo']).doUpdateSet((eb) => ({
        since: eb
          .case()
          // Runs between the last reading and the oldest run of this one were never seen: the series begins anew.
          .when('excluded.since', '>', eb.ref('run_series.read_until'))
          .then(eb.ref('excluded.since'))
          // This reading goes further back, up to where the series begins: not one from before such a gap that comes late.
          .when(
            eb.and([
              eb('excluded.since', '<', eb.ref('run_series.since')),
              eb('excluded.read_until', '>=', eb.ref('run_series.since')),
            ]),
          )
          .then(eb.ref('excluded.since'))
          .else(eb.ref('run_series.since'))
          .end(),
        read_until: eb
          .case()
          .when('excluded.read_until', '>', eb.ref('run_series.read_until'))
          .then(eb.ref('excluded.read_until'))
          .else(eb.ref('run_series.read_until'))
          .end(),
      })),
    )
    .execute();
}

/** Deletes outcomes older than their retention. */
export async function pruneOutcomes(db: Kysely<DeliveryTables>, now: number): Promise<void> {
  await db
    .deleteFrom('run_outcomes')
    .where('ended_at', '<', now - kept)
    .execute();
}

function outcomeOf(org: string, repository: Repository, run: WorkflowRun): RunOutcomeRow[] {
  const { state } = run;
  if (state !== 'success' && state !== 'failure' && state !== 'cancelled' && state !== 'skipped') return [];
  return [
    {
      org,
      repo: repository.name,
      run_id: run.id,
      attempt: run.attempt,
      workflow: storableText(workflowFile(run)),
      event: storableText(run.event),
      branch: run.branch === undefined ? null : storableText(run.branch),
      on_default: run.branch === repository.defaultBranch ? 1 : 0,
      sha: run.sha,
      state,
      started_at: Date.parse(run.startedAt ?? run.createdAt),
      ended_at: Date.parse(run.updatedAt),
      committed_at: run.committedAt === undefined ? null : Date.parse(run.committedAt),
    },
  ];
}
