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
 * Reads one app's status with at most three reads (CON-191): its open jobs, the CI status of its default
 * branch, and one more page of whichever did not fit on one.
 */
export async function readStatus(codeHost: CodeHost, repository: Repository): Promise<StatusRead> {
  const { name, defaultBranch } = repository;
  const [firstJobs, firstStatuses] = await Promise.all([
    codeHost.openIssues(name, jobLabel, 1),
    codeHost.commitStatuses(name, defaultBranch, 1),
  ]);
  if (!firstJobs.ok) return { reason: `its open jobs were not read: ${firstJobs.reason}` };
  // Nothing was ever pushed: there is no head, which the code host tells as 404, and so nothing is verified.
  const noHead = repository.empty && !firstStatuses.ok && firstStatuses.kind === 'not-found';
  if (!firstStatuses.ok && !noHead) return { reason: `its CI status was not read: ${firstStatuses.reason}` };

  const notes: string[] = [];
  let jobs: Got<Page<Issue>> = firstJobs;
  let statuses: Got<CommitStatuses> = firstStatuses.ok
    ? firstStatuses
    : { ...firstJobs, value: { sha: '', statuses: { items: [], more: false } } };
  const seen = (): boolean =>
    statuses.value.statuses.items.some(({ context }) => context === verificationContext);
  if (!seen() && statuses.value.statuses.more) {
    const next = await codeHost.commitStatuses(name, defaultBranch, 2);
    if (!next.ok) return { reason: `its CI status was not read: ${next.reason}` };
    statuses = next;
    if (!seen() && next.value.statuses.more)
      return { reason: `its head has more than 200 statuses and ${verificationContext} is not among them` };
  } else if (jobs.value.more) {
    const next = await codeHost.openIssues(name, jobLabel, 2);
    if (next.ok) jobs = both(jobs, next);
    else notes.push(`its open jobs were counted to ${jobs.value.items.length} only: ${next.reason}`);
  }
  if (jobs.value.more && notes.length === 0)
    notes.push(`its open jobs were counted to ${jobs.value.items.length} only: there are more`);

  const run = statuses.value.statuses.items.find(({ context }) => context === verificationContext);
  const jobCount = jobs.value.items.length;
  const stale = jobs.stale ?? statuses.stale;
  if (stale !== undefined) notes.push(`its status is an older one: ${stale}`);
  return {
    stale: stale !== undefined,
    notes,
    status: {
      open_jobs: jobCount,
      has_brief: jobs.value.items.some(isBrief),
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
      ...appState(jobCount, run?.state),
      source: codeHost.source,
      read_at: new Date(Math.min(jobs.readAt, statuses.readAt)).toISOString(),
      cached: jobs.cached && statuses.cached,
      reads: { open_jobs: outcome(jobs), verification: outcome(statuses) },
    },
  };
}

/**
 * Whether a job is a brief. The brief is the newest job of type or label `brief`; operators ask whether there
 * is one.
 */
function isBrief({ type, labels }: Issue): boolean {
  return [type, ...labels].some((word) => word?.toLowerCase() === 'brief');
}

function both(first: Got<Page<Issue>>, second: Got<Page<Issue>>): Got<Page<Issue>> {
  const stale = first.stale ?? second.stale;
  return {
    ok: true,
    value: { items: [...first.value.items, ...second.value.items], more: second.value.more },
    readAt: Math.min(first.readAt, second.readAt),
    cached: first.cached && second.cached,
    ...(stale === undefined ? {} : { stale }),
  };
}

function outcome({ cached, stale }: Got<unknown>): string {
  if (stale !== undefined) return 'stale';
  return cached ? 'cached' : 'read';
}
