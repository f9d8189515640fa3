import type { JudgedPod, PodObject } from '../../../cluster-model/index.ts';
import { isFinished, judgePod, ownersBy } from '../../../cluster-model/index.ts';
import type { ContainerSeen, PodSeen } from '../logs/seen.ts';
import { noRestarts } from './node-restarts.ts';
import { seenPods } from './pods.ts';

const ownerOf = ownersBy({ replicaSets: { items: [] }, jobs: { items: [] } });

/**
 * Returns the evidence in pods alone, before the others and their workloads are read. What those might still
 * refute is left out: a terminated pod that its workload may have replaced, and a run that may have ended
 * with its node.
 */
export function seenEarly(pods: readonly PodObject[]): (ContainerSeen | PodSeen)[] {
  // The bundle was not taken before anything in it: a pod that was young then is taken for younger, and is let be.
  const now = Math.max(...pods.flatMap(timesOf));
  const judged = pods.map((pod): JudgedPod => ({ pod, verdict: judgePod(pod, now), owner: ownerOf(pod) }));
  const lasting = judged.filter(({ pod, owner }) => owner === undefined || !isFinished(pod));
  return seenPods({
    running: { pods: lasting },
    workloadOf: () => undefined,
    restarts: noRestarts,
    now,
  }).filter((seen) => seen.kind === 'pod' || !seen.ref.endsWith('.lastState'));
}

function timesOf({ metadata, status }: PodObject): number[] {
  const runs = [...status.containerStatuses, ...status.initContainerStatuses].flatMap(
    ({ state, lastState }) => [
      state?.running?.startedAt,
      state?.terminated?.finishedAt,
      lastState?.terminated?.finishedAt,
    ],
  );
  return [metadata.creationTimestamp, status.startTime, ...runs]
    .map((text) => Date.parse(text ?? ''))
    .filter((time) => !Number.isNaN(time));
}
