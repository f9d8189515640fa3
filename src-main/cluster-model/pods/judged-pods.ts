import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Steps } from '#shared/steps.ts';
import { type Kept, keepNothing } from '../kept.ts';
import { changedPlaces, keepGroups } from '../kept-groups.ts';
import type { PodObject } from '../kinds/pods.ts';
import { keyOf, type OwnerOf } from '../owners.ts';
import { judgePod, type PodVerdict } from './pod-verdict.ts';

/** A pod with what was made of it. */
export type JudgedPod = {
  readonly pod: PodObject;
  readonly verdict: PodVerdict;
  readonly owner: ObjectRef | undefined;
};

/** Judged pods, and those of each controller by `keyOf`. */
export type JudgedPods = {
  readonly all: readonly JudgedPod[];
  readonly of: ReadonlyMap<string, readonly JudgedPod[]>;
};

/** A verdict that goes by how long something takes is given anew after this time, in ms. */
const agesHold = 10_000;

/** The pods as they were judged last: a cluster lists them in the same order again. */
type Last = {
  readonly pods: readonly PodObject[];
  readonly all: readonly JudgedPod[];
  /** Places of those whose verdict goes by how long something takes. */
  readonly passing: readonly number[];
  readonly ownerOf: OwnerOf;
  readonly age: number;
};
type Judging = {
  readonly pods: readonly PodObject[];
  readonly ownerOf: OwnerOf;
  readonly age: number;
  readonly now: number;
};

const everyPod = {};

/** Every pod judged at `now` (epoch ms); those that have not changed are as they were judged before. */
export function* judgePods(
  pods: readonly PodObject[],
  ownerOf: OwnerOf,
  now: number,
  kept: Kept = keepNothing,
): Steps<JudgedPods> {
  const judging = { pods, ownerOf, age: Math.floor(now / agesHold), now };
  const before = kept.recall<Last>(everyPod, 'judged', []);
  const last = (before && judgeChanged(before, judging)) ?? (yield* judgeAll(before, judging));
  kept.remember<Last>(everyPod, 'judged', [], last);
  return { all: last.all, of: keepGroups(kept, everyPod, last.all, keyOfOwner) };
}

const keyOfOwner = ({ owner }: JudgedPod): string | undefined => owner && keyOf(owner);

/** Judges the few pods that changed and those whose time goes by; undefined when there may be more to judge. */
function judgeChanged(last: Last, { pods, ownerOf, age, now }: Judging): Last | undefined {
  const changed = last.ownerOf === ownerOf ? changedPlaces(last.pods, pods) : undefined;
  if (changed === undefined) return undefined;
  const all = [...last.all];
  for (const at of last.age === age ? changed : new Set([...changed, ...last.passing])) {
    const pod = pods[at];
    if (pod !== undefined) all[at] = judge(pod, ownerOf(pod), now);
  }
  const passing = new Set([...last.passing, ...changed]);
  return { pods, all, passing: [...passing].filter((at) => !isLasting(all[at])), ownerOf, age };
}

function* judgeAll(last: Last | undefined, { pods, ownerOf, age, now }: Judging): Steps<Last> {
  const placeOf = placesIn(last?.all ?? []);
  const all: JudgedPod[] = [];
  const passing: number[] = [];
  for (const pod of pods) {
    if (all.length % 100 === 0) yield;
    const at = placeOf(pod);
    const before = at === undefined ? undefined : last?.all[at];
    const owner = before !== undefined && last?.ownerOf === ownerOf ? before.owner : ownerOf(pod);
    const isSame =
      before !== undefined && areSame(before.owner, owner) && (isLasting(before) || last?.age === age);
    const judged = isSame ? before : judge(pod, owner, now);
    if (!isLasting(judged)) passing.push(all.length);
    all.push(judged);
  }
  return { pods, all, passing, ownerOf, age };
}

function judge(pod: PodObject, owner: ObjectRef | undefined, now: number): JudgedPod {
  return { pod, verdict: judgePod(pod, now), owner };
}

/**
 * Returns where a pod was, asked for one pod after the other. Most are where they are looked for: one that changed is in
 * its old place, and a new one stands after all others.
 */
function placesIn(before: readonly JudgedPod[]): (pod: PodObject) => number | undefined {
  let next = 0;
  let index: ReadonlyMap<PodObject, number> | undefined;
  return (pod) => {
    const here = before[next]?.pod;
    if (here === undefined) return undefined;
    if (here !== pod && isNamedAlike(here, pod)) {
      next += 1;
      return undefined;
    }
    if (here !== pod) {
      index ??= new Map(before.map((judged, at) => [judged.pod, at]));
      const found = index.get(pod);
      if (found === undefined) return undefined;
      next = found;
    }
    next += 1;
    return next - 1;
  };
}

function isNamedAlike({ metadata: a }: PodObject, { metadata: b }: PodObject): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

function areSame(a: ObjectRef | undefined, b: ObjectRef | undefined): boolean {
  return a === b || (a?.kind === b?.kind && a?.name === b?.name && a?.namespace === b?.namespace);
}

/** Returns whether a pod is as it is judged until it changes: one that is well or done has nothing that takes too long. */
function isLasting(judged: JudgedPod | undefined): boolean {
  return judged?.verdict.state === 'healthy' || judged?.verdict.state === 'idle';
}
