import type { JudgedPod } from '../../../cluster-model/index.ts';
import { counted, isFinished, keyOf, lastSeen } from '../../../cluster-model/index.ts';
import type { Listings } from './listings.ts';

/** A restart of a node, with the evidence for it. */
export type NodeRestart = {
  readonly node: string;
  /** Epoch ms. */
  readonly at: number;
  readonly text: string;
};

/** Runs that end within this time of each other ended together, in ms. */
const together = 60_000;
/** Pods that end together on a node, and their share of all that ran there: fewer may have lost the same dependency. */
const leastPods = 3;
const leastShare = 0.8;

/**
 * Restarts of nodes: the kubelet's own event, runs of which the runtime says only that it does not know how they ended,
 * or nearly all pods of one node whose runs ended in the same minute. What ended so has not crashed.
 */
export function nodeRestarts(pods: readonly JudgedPod[], events: Listings['events']['items']): NodeRestart[] {
  const found: NodeRestart[] = [];
  for (const event of events) {
    const at = Date.parse(lastSeen(event) ?? '');
    if (event.involvedObject.kind === 'Node' && event.reason === 'Rebooted' && !Number.isNaN(at))
      found.push({
        node: event.involvedObject.name ?? '',
        at,
        text: `Rebooted: ${event.message ?? ''}`.trim(),
      });
  }
  const ends = new Map<string, { readonly at: number; readonly pod: string; readonly unknown: boolean }[]>();
  const onNode = new Map<string, number[]>();
  for (const { pod } of pods) {
    const node = pod.spec.nodeName;
    if (node === undefined || isFinished(pod)) continue;
    onNode.set(node, [...(onNode.get(node) ?? []), Date.parse(pod.status.startTime ?? '')]);
    for (const { lastState } of [...pod.status.containerStatuses, ...pod.status.initContainerStatuses]) {
      const ended = lastState?.terminated;
      const at = Date.parse(ended?.finishedAt ?? '');
      if (ended === undefined || Number.isNaN(at)) continue;
      const own = ends.get(node) ?? [];
      ends.set(node, own);
      own.push({
        at,
        pod: keyOf({ kind: 'Pod', ...pod.metadata }),
        unknown: ended.reason === 'Unknown' && ended.exitCode === 255,
      });
    }
  }
  for (const [node, own] of ends) {
    own.sort((a, b) => a.at - b.at);
    for (let from = 0; from < own.length; ) {
      const first = own[from];
      if (first === undefined) break;
      let to = from;
      while (to < own.length && (own[to]?.at ?? 0) - first.at <= together) to += 1;
      const group = own.slice(from, to);
      const ended = new Set(group.map(({ pod }) => pod)).size;
      const last = group.at(-1)?.at ?? first.at;
      const there = (onNode.get(node) ?? []).filter((started) => !(started > first.at)).length;
      const isMost = ended >= leastPods && ended >= there * leastShare;
      if (isMost || group.some(({ unknown }) => unknown))
        found.push({
          node,
          at: last,
          text: `Runs in ${counted(ended, 'pod')} of ${there} on ${node} ended by ${new Date(last).toISOString()}`,
        });
      from = to;
    }
  }
  return found;
}

/** Returns whether a run on a node ended because the node did. */
export function endedWithNode(
  restarts: readonly NodeRestart[],
  node: string | undefined,
  ended: { readonly finishedAt?: string | undefined } | undefined,
): boolean {
  const at = Date.parse(ended?.finishedAt ?? '');
  return restarts.some((restart) => restart.node === node && Math.abs(restart.at - at) <= together * 2);
}
