import type { StudioList } from '#shared/api/studio.ts';
import type {
  CodeHost,
  CommitStatuses,
  Got,
  Issue,
  Page,
  Repository,
} from '../../sources/code-host/index.ts';
import { appState } from './app-state.ts';

type Status = NonNullable<StudioList['apps'][number]['status']>;

/** The CI status context that shows whether the platform verified a commit (CON-022). */
const verificationContext = 'platform/ci';

/** Issues that are jobs of the studio carry this label (CON-019). */
const jobLabel = 'studio';

/** An app's status, or a clause that says why it was not read. */
export type StatusRead =
  | {
      readonly status: Status;
      /** Inaccuracies of this status, a clause each. */
      readonly notes: readonly string[];
      /** True when an older answer had to serve. */
      readonly stale: boolean;
    }
  | { readonly reason: string };

/**
 * Reads one app's status with at most three requests (CON-191), which are never retried: its open jobs, the CI status of its default
 * branch, and the one page more that says most: of statuses while the verification is not among them, of open jobs while there are
 * more, and else of closed jobs while no open one is a brief (CON-020).
 */
export async function readStatus(codeHost: CodeHost, repository: Repository): Promise<StatusRead> {
  const { name, defaultBranch } = repository;
  const [jobs, firstStatuses] = await Promise.all([
    codeHost.issues(name, { state: 'open', label: jobLabel, page: 1 }),
    codeHost.commitStatuses(name, defaultBranch, 1),
  ]);
  if (!jobs.ok) return { reason: `its open jobs were not read: ${jobs.reason}` };
  // Nothing was ever pushed: there is no head, which the code host tells as 404, and so nothing is verified.
  const noHead = repository.empty && !firstStatuses.ok && firstStatuses.kind === 'not-found';
  if (!firstStatuses.ok && !noHead) return { reason: `its CI status was not read: ${firstStatuses.reason}` };

  const statuses: Got<CommitStatuses> = firstStatuses.ok
    ? firstStatuses
    : { ...jobs, value: { sha: '', statuses: { items: [], more: false } } };
  if (isVerified(statuses) || !statuses.value.statuses.more)
    return statusOf(codeHost, repository, await moreOfJobs(codeHost, name, jobs), statuses);
  const next = await codeHost.commitStatuses(name, defaultBranch, 2);
  if (!next.ok) return { reason: `its CI status was not read: ${next.reason}` };
  if (!isVerified(next) && next.value.statuses.more)
    return { reason: `its head has more than 200 statuses and ${verificationContext} is not among them` };
  return statusOf(codeHost, repository, { jobs, closed: undefined, notes: [] }, next);
}

const isVerified = ({ value }: Got<CommitStatuses>): boolean =>
  value.statuses.items.some(({ context }) => context === verificationContext);

/** The jobs of an app, as far as they were read. */
type Jobs = {
  readonly jobs: Got<Page<Issue>>;
  /** Newest first; undefined when they were not asked for. */
  readonly closed: Page<Issue> | undefined;
  readonly notes: readonly string[];
};

async function moreOfJobs(codeHost: CodeHost, name: string, jobs: Got<Page<Issue>>): Promise<Jobs> {
  if (jobs.value.more) {
    const next = await codeHost.issues(name, { state: 'open', label: jobLabel, page: 2 });
    return next.ok
      ? { jobs: both(jobs, next), closed: undefined, notes: [] }
      : { jobs, closed: undefined, notes: [`its open jobs were not all read: ${next.reason}`] };
  }
  if (jobs.value.items.some(isBrief)) return { jobs, closed: undefined, notes: [] };
  const closed = await codeHost.issues(name, { state: 'closed', label: jobLabel, page: 1 });
  return closed.ok
    ? { jobs: stalest(jobs, closed), closed: closed.value, notes: [] }
    : { jobs, closed: undefined, notes: [`its closed jobs were not read: ${closed.reason}`] };
}

function statusOf(
  codeHost: CodeHost,
  { defaultBranch }: Repository,
  { jobs, closed, notes }: Jobs,
  statuses: Got<CommitStatuses>,
): StatusRead {
  const run = statuses.value.statuses.items.find(({ context }) => context === verificationContext);
  const { items: open, more } = jobs.value;
  const hasBrief = [...open, ...(closed?.items ?? [])].some(isBrief);
  const stale = jobs.stale ?? statuses.stale;
  return {
    stale: stale !== undefined,
    notes: [
      ...(more ? [`its open jobs were counted to ${open.length} only: there are more`] : []),
      ...notes,
      ...(hasBrief || notes.length > 0 || closed?.more === false ? [] : [briefGap(closed)]),
      ...(stale === undefined ? [] : [`its status is an older one: ${stale}`]),
    ],
    status: {
      open_jobs: open.length,
      has_brief: hasBrief,
      default_branch: defaultBranch,
      verification: verificationContext,
      last_run_found: run !== undefined,
      ...(run === undefined
        ? {}
        : {
            last_run_status: run.state,
            ...(run.url === undefined ? {} : { last_run_url: run.url }),
            last_run_sha: statuses.value.sha,
            last_run_description: run.description,
          }),
      ...appState(open.length, run?.state, more),
      source: codeHost.source,
      read_at: new Date(Math.min(jobs.readAt, statuses.readAt)).toISOString(),
      cached: jobs.cached && statuses.cached,
      reads: { open_jobs: outcome(jobs), verification: outcome(statuses) },
    },
  };
}

/** Returns why it is uncertain that an app has no brief: three requests did not reach far enough. */
function briefGap(closed: Page<Issue> | undefined): string {
  return closed === undefined
    ? 'no brief is among its open jobs, and its closed ones were not read'
    : `no brief is among its open jobs and the newest ${closed.items.length} closed ones; older ones were not read`;
}

/**
 * Returns whether a job is a brief. The brief is the newest job of type or label `brief`; operators ask whether there
 * is one.
 */
function isBrief({ type, labels }: Issue): boolean {
  return [type, ...labels].some((word) => word?.toLowerCase() === 'brief');
}

function both(first: Got<Page<Issue>>, second: Got<Page<Issue>>): Got<Page<Issue>> {
  const { items, more } = second.value;
  return { ...stalest(first, second), value: { items: [...first.value.items, ...items], more } };
}

/** The first, as old as the older of the two. */
function stalest(first: Got<Page<Issue>>, second: Got<unknown>): Got<Page<Issue>> {
  const stale = first.stale ?? second.stale;
  return {
    ...first,
    readAt: Math.min(first.readAt, second.readAt),
    cached: first.cached && second.cached,
    ...(stale === undefined ? {} : { stale }),
  };
}

function outcome({ cached, stale }: Got<unknown>): string {
  if (stale !== undefined) return 'stale';
  return cached ? 'cached' : 'read';
}
