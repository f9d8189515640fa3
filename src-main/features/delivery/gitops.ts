import type { Delivery } from '#shared/api/delivery.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { counted } from '#shared/text.ts';
import type { WorkflowRun } from '../../sources/code-host/index.ts';
import type { RecentRuns } from '../runs/index.ts';
import { type DeliveringWorkflow, deliveringWorkflows, undecided } from './delivering.ts';

/**
 * `GET /api/gitops` without a GitOps controller: one item for each repository and workflow that delivers. `notRead`: why
 * it is not certain that there is no controller, a sentence each.
 */
export function workflowDeliveries(
  recent: RecentRuns,
  notRead: readonly string[],
): RouteAnswer<RouteOf<'delivery.gitops'>> {
  const unmeasured = [...recent.unmeasured, ...undecided(recent), ...notRead];
  return {
    mode: 'workflows',
    items: deliveringWorkflows(recent).map(deliveryOf),
    source: recent.source,
    complete: unmeasured.length === 0,
    read_at: new Date(recent.readAt).toISOString(),
    unmeasured,
  };
}

/**
 * Returns the delivery of a workflow: its newest run determines the state; the newest one that succeeded is
 * what is delivered.
 */
function deliveryOf({ repository, name, runs }: DeliveringWorkflow): Delivery {
  const [newest] = runs;
  const good = runs.findIndex(({ state }) => state === 'success');
  return {
    name,
    repo: repository.name,
    branch: repository.defaultBranch,
    ...status(runs),
    detail: messageOf(newest, lastGood(runs, good)),
    ...(good === -1 ? {} : { revision: runs[good]?.sha }),
    target_revision: newest.sha,
    last_transition: stateBegan(newest),
    url: newest.htmlUrl,
  };
}

function status([newest, ...older]: DeliveringWorkflow['runs']): Pick<Delivery, 'sync' | 'health'> {
  switch (newest.state) {
    case 'success':
      return { sync: 'synced', health: 'healthy' };
    case 'failure':
      return { sync: 'out_of_sync', health: 'degraded' };
    case 'cancelled': {
      // Called off: what was there before it is there still.
      const before = older.find(({ state }) => state === 'success' || state === 'failure');
      const health = before === undefined ? 'missing' : before.state === 'success' ? 'healthy' : 'degraded';
      return { sync: 'out_of_sync', health };
    }
    case 'waiting':
      return { sync: 'progressing', health: 'suspended' };
    default:
      return { sync: 'progressing', health: 'progressing' };
  }
}

function messageOf(newest: WorkflowRun, before: string): string {
  const commit = newest.sha.slice(0, 7);
  const why = newest.detail === undefined ? '' : ` (${newest.detail})`;
  switch (newest.state) {
    case 'success':
      return `delivered ${commit}`;
    case 'failure':
      return `failed on ${commit}${why}, ${before}`;
    case 'cancelled':
      return `cancelled on ${commit}${why}, ${before}`;
    case 'waiting':
      return `${commit} waits for a person${why}, ${before}`;
    case 'queued':
      return `${commit} is queued, ${before}`;
    default:
      return `${commit} is on its way, ${before}`;
  }
}

/** `good`: place of the newest run that succeeded. */
function lastGood(runs: DeliveringWorkflow['runs'], good: number): string {
  if (good === -1)
    return runs.length === 1
      ? 'the only run of it that was read'
      : `and none of the ${runs.length} runs that were read succeeded`;
  return `last good ${runs[good]?.sha.slice(0, 7)} ${counted(good, 'run')} before`;
}

function stateBegan(run: WorkflowRun): string {
  switch (run.state) {
    case 'queued':
    case 'waiting':
      return run.createdAt;
    case 'running':
      return run.startedAt ?? run.createdAt;
    default:
      return run.updatedAt;
  }
}
