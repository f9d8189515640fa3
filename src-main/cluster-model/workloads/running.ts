import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
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
