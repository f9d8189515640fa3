import type { ObjectRef } from '#shared/api/cluster.ts';
import type { PodObject } from '../kinds/pods.ts';
import { keyOf, type OwnerOf } from '../owners.ts';
import { judgePod, type PodVerdict } from './pod-verdict.ts';

/** A pod with what was made of it. */
export type JudgedPod = {
  readonly pod: PodObject;
  readonly verdict: PodVerdict;
  readonly owner: ObjectRef | undefined;
};

/** Every pod judged at `now` (epoch ms), and those of each controller by `keyOf`. */
export function judgePods(
  pods: readonly PodObject[],
  ownerOf: OwnerOf,
  now: number,
): { readonly all: readonly JudgedPod[]; readonly of: ReadonlyMap<string, readonly JudgedPod[]> } {
  const of = new Map<string, JudgedPod[]>();
  const all = pods.map((pod) => {
    const judged = { pod, verdict: judgePod(pod, now), owner: ownerOf(pod) };
    if (judged.owner !== undefined) {
      const key = keyOf(judged.owner);
      const siblings = of.get(key);
      if (siblings === undefined) of.set(key, [judged]);
      else siblings.push(judged);
    }
    return judged;
  });
  return { all, of };
}
