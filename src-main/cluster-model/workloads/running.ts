import type { Steps } from '#shared/steps.ts';
import { type Kept, keepNothing } from '../kept.ts';
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

/** Inputs of the judgement of everything that runs, besides its listings. */
export type JudgedBy = {
  /** Epoch ms. */
  readonly now: number;
  /** To say why a pod does not start, where they are listed. */
  readonly events?: readonly ObjectOf<typeof resources.events>[];
  readonly kept?: Kept;
};

/** Judges everything that runs. */
export function* judgeRunning(
  listings: RunningListings,
  { now, events = [], kept = keepNothing }: JudgedBy,
): Steps<Running> {
  const judged = yield* judgePods(listings.pods.items, ownersBy(listings, kept), now, kept);
  const { all, of } = quoteStartFaults(judged, events, kept);
  yield;
  return {
    pods: all,
    podsOf: of,
    workloads: yield* readWorkloads(listings, wasRead(listings.pods) ? of : undefined, kept),
  };
}
