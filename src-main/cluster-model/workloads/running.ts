import type { Cluster, Listing, ObjectOf } from '../../sources/cluster/index.ts';
import { resources } from '../../sources/cluster/index.ts';
import { wasRead } from '../listings.ts';
import { ownersBy } from '../owners.ts';
import { type JudgedPod, judgePods } from '../pods/judged-pods.ts';
import { quoteStartFaults } from '../pods/start-faults.ts';
import { type ReadWorkload, readWorkloads, type WorkloadListings } from './workloads.ts';

/** Everything that runs, as it was listed. */
export type RunningListings = WorkloadListings & {
  readonly pods: Listing<ObjectOf<typeof resources.pods>>;
  readonly replicaSets: Listing<ObjectOf<typeof resources.replicaSets>>;
};

/** Everything that runs, judged. */
export type Running = {
  readonly workloads: readonly ReadWorkload[];
  readonly pods: readonly JudgedPod[];
  /** By `keyOf` the controller. */
  readonly podsOf: ReadonlyMap<string, readonly JudgedPod[]>;
};

/** Lists workloads and pods, of one namespace or of all. */
export async function listRunning(cluster: Cluster, namespace?: string): Promise<RunningListings> {
  const where = namespace === undefined ? {} : { namespace };
  const [pods, replicaSets, deployments, statefulSets, daemonSets, jobs, cronJobs] = await Promise.all([
    cluster.list(resources.pods, where),
    cluster.list(resources.replicaSets, where),
    cluster.list(resources.deployments, where),
    cluster.list(resources.statefulSets, where),
    cluster.list(resources.daemonSets, where),
    cluster.list(resources.jobs, where),
    cluster.list(resources.cronJobs, where),
  ]);
  return { pods, replicaSets, deployments, statefulSets, daemonSets, jobs, cronJobs };
}

/** `now`: epoch ms. `events`: where they are listed, to say why a pod does not start. */
export function judgeRunning(
  listings: RunningListings,
  now: number,
  events: readonly ObjectOf<typeof resources.events>[] = [],
): Running {
  const { all, of } = quoteStartFaults(judgePods(listings.pods.items, ownersBy(listings), now), events);
  return {
    pods: all,
    podsOf: of,
    workloads: readWorkloads(listings, wasRead(listings.pods) ? of : undefined),
  };
}
