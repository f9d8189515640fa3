import { labels } from '#shared/platform/labels.ts';
import type { ObjectOf, resources } from '../../cluster-model/index.ts';
import { type Job, jobBegan } from '../runs/index.ts';

export type CronJob = ObjectOf<typeof resources.cronJobs>;

type Labelled = {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
};

/** Name of the agent a workload is; undefined for one that is none. */
export function agentName({ metadata }: Labelled): string | undefined {
  const label = metadata.labels[labels.agent];
  return label === '' ? metadata.name : label;
}

/** Returns whether a CronJob is armed. */
export function isEnabled({ spec }: CronJob): boolean {
  return spec.suspend !== true;
}

/** Jobs by the CronJob that made them, newest first. */
export function jobsByCronJob(jobs: readonly Job[]): (cronJob: CronJob) => readonly Job[] {
  const byCronJob = Map.groupBy(jobs, ({ metadata }) => {
    const owner = metadata.ownerReferences.find(({ kind }) => kind === 'CronJob');
    return owner === undefined ? '' : `${metadata.namespace}/${owner.name}`;
  });
  return ({ metadata }) =>
    (byCronJob.get(`${metadata.namespace}/${metadata.name}`) ?? []).toSorted(
      (a, b) => jobBegan(b) - jobBegan(a),
    );
}
