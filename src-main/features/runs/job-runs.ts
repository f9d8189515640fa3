import type { Run } from '#shared/api/runs.ts';
import { labels } from '#shared/platform/labels.ts';
import { resources } from '../../cluster-model/index.ts';
import { noClusterReason, nowOf, type OpenTarget } from '../../sources/cluster/index.ts';
import { type Job, jobRunState, type PodsByJob, podsByJob } from './job-run.ts';
import { idOf } from './reported-runs.ts';

export type JobRuns = {
  /** The source that was read: `kubernetes` or `bundle`; undefined when nothing was. */
  readonly source: string | undefined;
  /** Epoch ms. */
  readonly readAt: number;
  readonly runs: readonly Run[];
  readonly unmeasured: readonly string[];
};

/**
 * Returns runs of CronJobs, from the Jobs that still exist. Never throws when the cluster fails. `now` in
 * epoch ms.
 */
export async function jobRuns({ cluster }: OpenTarget, now: () => number): Promise<JobRuns> {
  const [jobs, pods] = await Promise.all([cluster.list(resources.jobs), cluster.list(resources.pods)]);
  if (jobs.state !== 'read' && jobs.state !== 'partly') {
    return { source: undefined, readAt: jobs.readAt, runs: [], unmeasured: jobs.gaps.map(notRead) };
  }
  const byJob = podsByJob(pods.items);
  return {
    source: cluster.source,
    readAt: jobs.readAt,
    runs: jobs.items.flatMap((job) => jobRow(job, byJob, nowOf(cluster, now))),
    // Pods only say why a Job failed: without them its own words do.
    unmeasured: jobs.gaps,
  };
}

function notRead(gap: string): string {
  return gap === noClusterReason
    ? 'Jobs of CronJobs were not read: this console is attached to no cluster to read them from.'
    : `Jobs of CronJobs were not read. ${gap}`;
}

/** A run that was started by hand carries this; `kubectl create job --from` sets it. */
const byHand = 'cronjob.kubernetes.io/instantiate';

function jobRow(job: Job, pods: PodsByJob, now: number): Run[] {
  const { name, namespace = '', ownerReferences, labels: own, annotations } = job.metadata;
  const cronJob = ownerReferences.find(({ kind }) => kind === 'CronJob');
  if (cronJob === undefined) return [];
  return [
    {
      id: idOf('job', namespace, name),
      kind: 'job',
      name: own[labels.agent] ?? cronJob.name,
      title: `Job ${namespace}/${name}`,
      ...jobRunState(job, pods, now),
      event: annotations[byHand] === 'manual' ? 'manual' : 'schedule',
    },
  ];
}
