import { lastSeen } from '../events.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import { clipped } from '../text.ts';
import type { JudgedPod } from './judged-pods.ts';

type Event = ObjectOf<typeof resources.events>;
type JudgedPods = {
  readonly all: readonly JudgedPod[];
  readonly of: ReadonlyMap<string, readonly JudgedPod[]>;
};

/**
 * Reasons the kubelet and the volume controller give for a pod that does not start; its status says only that
 * it is waiting.
 */
const startFaults = new Set(['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox']);

/** The kubelet's second message for the same fault, which names no cause. */
const timedOut = /^Unable to attach or mount volumes/;

/** Judged pods, those that wait for their containers with the newest event that says why. */
export function quoteStartFaults(judged: JudgedPods, events: readonly Event[]): JudgedPods {
  const faults = new Map<string, Event>();
  for (const event of events) {
    if (!startFaults.has(event.reason ?? '') || event.involvedObject.kind !== 'Pod') continue;
    const key = `${event.involvedObject.namespace}/${event.involvedObject.name}`;
    const known = faults.get(key);
    if (known === undefined || rank(event) > rank(known)) faults.set(key, event);
  }
  if (faults.size === 0) return judged;
  const quoted = (one: JudgedPod): JudgedPod => {
    const fault = faults.get(`${one.pod.metadata.namespace}/${one.pod.metadata.name}`)?.message;
    const { verdict } = one;
    if (fault === undefined || verdict.reason === undefined || !isStarting(one)) return one;
    return { ...one, verdict: { ...verdict, reason: `${verdict.reason}, ${clipped(fault)}` } };
  };
  return {
    all: judged.all.map(quoted),
    of: new Map([...judged.of].map(([key, pods]) => [key, pods.map(quoted)])),
  };
}

/** Returns the sort key of an event: by time, and after all those that name a cause. */
function rank(event: Event): string {
  return `${timedOut.test(event.message ?? '') ? 0 : 1} ${lastSeen(event) ?? ''}`;
}

/** Returns whether none of its own containers has started. */
function isStarting({ pod, verdict }: JudgedPod): boolean {
  return (
    verdict.label === 'ContainerCreating' ||
    verdict.label === 'PodInitializing' ||
    pod.status.phase === 'Pending'
  );
}
