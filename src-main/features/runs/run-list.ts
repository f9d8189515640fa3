import type { Kysely } from 'kysely';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer, RouteInput } from '#shared/api/route.ts';
import type { Run, RunKind } from '#shared/api/runs.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import type { AgentTables } from '../agents/index.ts';
import type { JobRuns } from './job-runs.ts';
import { olderRunsGap, recentRuns } from './recent-runs.ts';
import { reportedRuns } from './reported-runs.ts';
import { isChosen, newestFirst, workflowRow } from './workflow-run.ts';

type List = RouteOf<'runs.list'>;
type Query = RouteInput<List>['query'];

export type RunListParts = {
  readonly codeHost: CodeHost;
  readonly db: () => Kysely<AgentTables>;
  /** Epoch ms. */
  readonly now: () => number;
};

const defaultLimit = 100;

/**
 * `GET /api/runs`: everything that could be read, in one list; the rest is named. `readJobs` is called when
 * Jobs are wanted.
 */
export async function runList(
  { codeHost, db, now }: RunListParts,
  query: Query,
  readJobs: () => Promise<JobRuns>,
): Promise<RouteAnswer<List>> {
  const after = readCursor(query.cursor);
  const isRequested = (kind: RunKind): boolean => query.kind === undefined || query.kind === kind;
  const stored = { apps: isRequested('app-agent'), sessions: isRequested('session') };
  const since = query.since === undefined ? 0 : Date.parse(query.since);
  const [workflows, reported, jobs] = await Promise.all([
    isRequested('workflow') ? recentRuns(codeHost, now, query.repo) : undefined,
    stored.apps || stored.sessions ? reportedRuns(db(), { ...stored, since }, now()) : undefined,
    isRequested('job') ? readJobs() : undefined,
  ]);
  const unmeasured = [
    ...(workflows?.unmeasured ?? []),
    ...(workflows === undefined ? [] : olderRunsGap(workflows, since)),
    ...(reported?.unmeasured ?? []),
    ...(jobs?.unmeasured ?? []),
  ];
  const all = [
    ...(workflows?.repos ?? []).flatMap(({ runs }) => runs.map((run) => workflowRow(run, now()))),
    ...(reported?.runs ?? []),
    ...(jobs?.runs ?? []),
  ];
  const inAnyState = all.filter(filterOf(query, since));
  const matching = newestFirst(
    inAnyState.filter(({ state }) => query.state === undefined || state === query.state),
  );
  const from = after === undefined ? matching : matching.filter((run) => isAfter(run, after));
  const items = from.slice(0, query.limit ?? defaultLimit);
  const last = items.at(-1);
  const codeHostRead = workflows !== undefined && workflows.source !== 'unavailable';
  const onlyJobs = jobs !== undefined && workflows === undefined && reported === undefined;
  return {
    items,
    next_cursor: from.length > items.length && last !== undefined ? cursorOf(last) : undefined,
    counts: countsOf(inAnyState),
    repos: [
      ...new Set([
        ...(workflows?.known ?? []).map(({ name }) => name),
        ...(reported?.runs ?? []).flatMap(({ repo }) => repo ?? []),
      ]),
    ].sort(),
    source: codeHostRead
      ? codeHost.source
      : reported?.read === true
        ? 'store'
        : (jobs?.source ?? 'unavailable'),
    complete: unmeasured.length === 0,
    read_at: new Date(codeHostRead ? workflows.readAt : onlyJobs ? jobs.readAt : now()).toISOString(),
    unmeasured,
  };
}

/** All but the state, by which the rest is counted. */
function filterOf({ repo, q, workflows }: Query, since: number): (run: Run) => boolean {
  const terms = (q ?? '').toLowerCase().split(/\s+/);
  return (run) => {
    if (!isChosen(run, workflows)) return false;
    if (repo !== undefined && run.repo !== repo) return false;
    if (Date.parse(run.started) < since) return false;
    const text = [run.name, run.title, run.repo, run.branch, run.actor].join('\n').toLowerCase();
    return terms.every((term) => text.includes(term));
  };
}

function countsOf(runs: readonly Run[]): RouteAnswer<List>['counts'] {
  const counts: RouteAnswer<List>['counts'] = {};
  for (const { state } of runs) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** A place in the list: right after this run, whether it is still there or not. */
type Cursor = Pick<Run, 'started' | 'id'>;

function cursorOf({ started, id }: Run): string {
  return `${started}~${id}`;
}

function readCursor(cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const [, started, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(.+)$/.exec(cursor) ?? [];
  if (started === undefined || id === undefined)
    throw new ConsoleError(
      'BadInput',
      'In the query, "cursor" is not one that this list gave: leave it out.',
    );
  return { started, id };
}

function isAfter(run: Run, { started, id }: Cursor): boolean {
  return run.started < started || (run.started === started && run.id > id);
}
