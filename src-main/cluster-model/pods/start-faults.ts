import { lastSeen } from '../events.ts';
import { type Kept, keep } from '../kept.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import { clipped } from '../text.ts';
import type { JudgedPod, JudgedPods } from './judged-pods.ts';

type Event = ObjectOf<typeof resources.events>;

/**
 * Reasons the kubelet and the volume controller give for a pod that does not start; its status says only that
 * it is waiting.
 */
const startFaults = new Set(['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox']);

/** The kubelet's second message for the same fault, which names no cause. */
const timedOut = /^Unable to attach or mount volumes/;

/** Judged pods, those that wait for their containers with the newest event that says why. */
export function quoteStartFaults(judged: JudgedPods, events: readonly Event[], kept: Kept): JudgedPods {
  const faults = new Map<string, Event>();
  for (const event of events) {
    if (!startFaults.has(event.reason ?? '') || event.involvedObject.kind !== 'Pod') continue;
    const key = `${event.involvedObject.namespace}/${event.involvedObject.name}`;
    const known = faults.get(key);
    if (known === undefined || rank(event) > rank(known)) faults.set(key, event);
  }
  if (faults.size === 0) return judged;
  const quoted = (one: JudgedPod): JudgedPod => {
    const { verdict } = one;
    if (verdict.reason === undefined || !isStarting(one)) return one;
    const fault = faults.get(`${one.pod.metadata.namespace}/${one.pod.metadata.name}`)?.message;
    if (fault === undefined) return one;
    return keep(kept, one, 'start fault', [fault], () => ({
      ...one,
      verdict: { ...verdict, reason: `${verdict.reason}, ${clipped(fault)}` },
    }));
  };
  // The same list again for the same pods: what is made of a group is kept by it.
  const quotedGroup = (pods: readonly JudgedPod[]): readonly JudgedPod[] => {
    const own = pods.map(quoted);
    return own.every((one, at) => one === pods[at]) ? pods : keep(kept, pods, 'quoted', own, () => own);
  };
  return {
    all: judged.all.map(quoted),
    of: new Map([...judged.of].map(([key, pods]) => [key, quotedGroup(pods)])),
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
