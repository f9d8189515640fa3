import type { Workload } from '#shared/api/cluster.ts';
import type { Steps } from '#shared/steps.ts';
import { type Kept, keep } from '../kept.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { wasReadWhole } from '../listings.ts';
import { keyOf } from '../owners.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { timeOf } from '../text.ts';
import {
  cronJobHealth,
  daemonSetHealth,
  deploymentHealth,
  type HealthVerdict,
  jobHealth,
  statefulSetHealth,
} from './workload-state.ts';

/** The listings that workloads are built from. */
export type WorkloadListings = {
  readonly deployments: Listing<ObjectOf<typeof resources.deployments>>;
  readonly statefulSets: Listing<ObjectOf<typeof resources.statefulSets>>;
  readonly daemonSets: Listing<ObjectOf<typeof resources.daemonSets>>;
  readonly jobs: Listing<ObjectOf<typeof resources.jobs>>;
  readonly cronJobs: Listing<ObjectOf<typeof resources.cronJobs>>;
};

/** A workload's row, its labels, and those it gives its pods. */
export type ReadWorkload = {
  readonly row: Workload;
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
};

type Item = {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string | undefined;
  };
};
type Conditions = readonly { readonly type: string; readonly lastTransitionTime?: string | undefined }[];
type Template = {
  readonly metadata?: { readonly labels: Readonly<Record<string, string>> } | undefined;
  readonly spec?: { readonly containers: readonly { readonly image?: string | undefined }[] } | undefined;
};

const noPods: readonly JudgedPod[] = [];

/** Every workload; a Job of a CronJob is part of that. `podsOf` by `keyOf`; undefined when pods were not read. */
export function* readWorkloads(
  listings: WorkloadListings,
  podsOf: ReadonlyMap<string, readonly JudgedPod[]> | undefined,
  kept: Kept,
): Steps<ReadWorkload[]> {
  const podsIn = (kind: string, { metadata }: Item): readonly JudgedPod[] | undefined =>
    podsOf === undefined ? undefined : (podsOf.get(keyOf({ kind, ...metadata })) ?? noPods);
  const read = (
    kind: Workload['kind'],
    item: Item,
    factsOf: () => RowFacts,
    jobs: readonly unknown[] = [],
  ): ReadWorkload => {
    const pods = podsIn(kind, item);
    return keep(kept, item, 'workload', [pods, ...jobs], () => row(kind, item, factsOf(), pods));
  };
  const row = (
    kind: Workload['kind'],
    { metadata }: Item,
    facts: RowFacts,
    pods: readonly JudgedPod[] | undefined,
  ): ReadWorkload => {
    const { ready, desired } = facts;
    return {
      labels: metadata.labels,
      podLabels: facts.template?.metadata?.labels ?? {},
      row: {
        kind,
        name: metadata.name,
        namespace: metadata.namespace ?? '',
        ready,
        desired,
        image: facts.template?.spec?.containers[0]?.image,
        restarts: pods?.reduce((sum, { verdict }) => sum + verdict.restarts, 0),
        ...facts.judge(pods),
        since: timeOf(facts.since),
      },
    };
  };
  const runs = new Map<string, ObjectOf<typeof resources.jobs>[]>();
  const jobsAlone: ObjectOf<typeof resources.jobs>[] = [];
  for (const job of listings.jobs.items) {
    const owner = job.metadata.ownerReferences.find(({ kind }) => kind === 'CronJob');
    if (owner === undefined) jobsAlone.push(job);
    else {
      const key = keyOf({ kind: 'CronJob', namespace: job.metadata.namespace, name: owner.name });
      const own = runs.get(key);
      if (own === undefined) runs.set(key, [job]);
      else own.push(job);
    }
  }
  const jobsWereReadWhole = wasReadWhole(listings.jobs);
  const workloads: ReadWorkload[] = [];
  function* take<T extends Item>(items: readonly T[], readOne: (item: T) => ReadWorkload): Steps<void> {
    for (const item of items) {
      workloads.push(readOne(item));
      if (workloads.length % 100 === 0) yield;
    }
  }
  yield* take(listings.deployments.items, (item) =>
    read('Deployment', item, () => ({
      ready: item.status?.readyReplicas ?? 0,
      desired: item.spec.replicas ?? 1,
      template: item.spec.template,
      judge: (pods) => deploymentHealth(item, pods),
      since: since(item.status?.conditions, 'Available'),
    })),
  );
  yield* take(listings.statefulSets.items, (item) =>
    read('StatefulSet', item, () => ({
      ready: item.status?.readyReplicas ?? 0,
      desired: item.spec.replicas ?? 1,
      template: item.spec.template,
      judge: (pods) => statefulSetHealth(item, pods),
      since: undefined,
    })),
  );
  yield* take(listings.daemonSets.items, (item) =>
    read('DaemonSet', item, () => ({
      ready: item.status?.numberReady ?? 0,
      desired: item.status?.desiredNumberScheduled ?? 0,
      template: item.spec.template,
      judge: (pods) => daemonSetHealth(item, pods),
      since: undefined,
    })),
  );
  yield* take(listings.cronJobs.items, (item) => {
    const own = runs.get(keyOf({ kind: 'CronJob', ...item.metadata }));
    return read(
      'CronJob',
      item,
      () => ({
        template: item.spec.jobTemplate.spec?.template,
        // A listing that is not whole may lack its runs, but those it has are its.
        judge: () => cronJobHealth(item, own ?? (jobsWereReadWhole ? [] : undefined)),
        since: item.status?.lastScheduleTime,
      }),
      [jobsWereReadWhole, ...(own ?? [])],
    );
  });
  yield* take(jobsAlone, (item) =>
    read('Job', item, () => ({
      ready: item.status?.succeeded ?? 0,
      desired: item.spec.completions ?? 1,
      template: item.spec.template,
      judge: () => jobHealth(item),
      since: item.status?.completionTime ?? item.status?.startTime,
    })),
  );
  return workloads;
}

type RowFacts = {
  readonly ready?: number;
  readonly desired?: number;
  readonly template: Template | undefined;
  readonly judge: (pods: readonly JudgedPod[] | undefined) => HealthVerdict;
  readonly since: string | undefined;
};

function since(conditions: Conditions | undefined, type: string): string | undefined {
  return conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
}
