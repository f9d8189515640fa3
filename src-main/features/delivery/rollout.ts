import type { LineageStep } from '#shared/api/delivery.ts';
import { stepOf } from './lineage-steps.ts';

/** The image a commit became, as its way through the registry was read. */
export type ImageAsked = {
  /** Without tag. */
  readonly image: string;
  readonly repo: string;
  /** The commit that was built: the requested one, or a later one that contains it. */
  readonly sha: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
};

/** The steps that only a cluster can answer. */
export type Rollout = {
  readonly rolled: LineageStep;
  readonly running: LineageStep;
  /** Parts of the cluster that were not read, one sentence each. */
  readonly unmeasured?: readonly string[];
};

/** Reads the cluster's part of an image's way. Never throws: what was not read is a step `not_read`. */
export type ReadRollout = (image: ImageAsked) => Promise<Rollout>;

/** Reason the cluster's part is not read while no cluster is attached; a clause. */
export const noCluster = 'no cluster is attached';

/** Returns the cluster's part; not read for an image that never reached the registry. */
export async function rolloutOf(
  read: ReadRollout,
  image: ImageAsked,
  registry: LineageStep,
): Promise<Rollout> {
  if (registry.state !== 'done' && registry.state !== 'not_read') {
    const waits = 'it is not in the registry';
    return {
      rolled: stepOf('rolled', 'not_reached', waits),
      running: stepOf('running', 'not_reached', waits),
    };
  }
  return read(image);
}
