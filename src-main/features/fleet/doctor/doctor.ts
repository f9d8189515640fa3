import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { labels } from '#shared/platform/labels.ts';
import { resources, wasRead, wasReadWhole } from '../../../cluster-model/index.ts';
import { clusterReading, nowOf, type OpenTarget } from '../../../sources/cluster/index.ts';
import type { CodeHost } from '../../../sources/code-host/index.ts';
import { jobRunState, podsByJob } from '../../runs/index.ts';
import { agentName, isEnabled, jobsByCronJob } from '../agent-workloads.ts';
import { nextRun } from '../schedules/next-run.ts';
import { lastRunOf, scheduleHealth } from '../schedules/schedule-health.ts';
import { readTrackingIssue } from './tracking-issue.ts';

/** Name of the platform's doctor: of its agent and of its CronJob, and the label of its issue. */
const doctorName = 'ops-doctor';

const mostRuns = 20;

/**
 * `GET /api/doctor`: the state of the ops doctor, its last runs, newest first, and the issue it keeps. `now`
 * in epoch ms.
 */
export async function doctor(
  target: OpenTarget,
  codeHost: CodeHost,
  now: () => number,
): Promise<RouteAnswer<RouteOf<'fleet.doctor'>>> {
  const { cluster } = target;
  const [cronJobs, jobs, pods] = await Promise.all([
    cluster.list(resources.cronJobs),
    cluster.list(resources.jobs),
    cluster.list(resources.pods),
  ]);
  const listings = [cronJobs, jobs, pods];
  const at = nowOf(cluster, now);
  const [cronJob] = cronJobs.items
    .filter((one) => agentName(one) === doctorName || one.metadata.name === doctorName)
    .toSorted((a, b) => (a.metadata.namespace ?? '').localeCompare(b.metadata.namespace ?? ''));
  if (cronJob === undefined) {
    const none = `no CronJob is labelled ${labels.agent}: ${doctorName}`;
    return {
      ...(wasReadWhole(cronJobs)
        ? { state: 'idle', reason: none }
        : { state: 'not_read', reason: 'not all CronJobs were read' }),
      last_runs: [],
      ...clusterReading(target, listings),
    };
  }
  const { metadata, spec } = cronJob;
  const { issue, unmeasured } = await readTrackingIssue(codeHost, cronJob, doctorName);
  const own = jobsByCronJob(jobs.items)(cronJob);
  const byJob = podsByJob(pods.items);
  const enabled = isEnabled(cronJob);
  const next = enabled ? nextRun(spec.schedule, spec.timeZone, at) : undefined;
  return {
    ...(wasRead(jobs)
      ? scheduleHealth(cronJob, lastRunOf(cronJob, own[0], byJob, at))
      : { state: 'not_read', reason: 'its Jobs were not read' }),
    workload: { name: metadata.name, namespace: metadata.namespace ?? '' },
    schedule: spec.schedule,
    enabled,
    ...(next === undefined ? {} : { next_run: next }),
    last_runs: own
      .slice(0, mostRuns)
      .map((job) => ({ name: job.metadata.name, ...jobRunState(job, byJob, at) })),
    ...(issue === undefined ? {} : { tracking_issue: issue }),
    ...clusterReading(target, listings, unmeasured),
  };
}
