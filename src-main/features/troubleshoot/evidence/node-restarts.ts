import { counted } from '#shared/text.ts';
import type { JudgedPod } from '../../../cluster-model/index.ts';
import { isFinished, keyOf, lastSeen } from '../../../cluster-model/index.ts';
import type { Listings } from './listings.ts';

/** A restart of a node, with the evidence for it. */
export type NodeRestart = {
  readonly node: string;
  /** Epoch ms. */
  readonly at: number;
  readonly text: string;
};

/** Restarts of all nodes, and their times by node, sorted. */
export type NodeRestarts = {
  readonly all: readonly NodeRestart[];
  readonly timesOf: ReadonlyMap<string, readonly number[]>;
};

export const noRestarts: NodeRestarts = { all: [], timesOf: new Map() };

/** Runs that end within this time of each other ended together, in ms. */
const together = 60_000;
/** Pods that end together on a node, and their share of all that ran there: fewer may have lost the same dependency. */
const leastPods = 3;
const leastShare = 0.8;

/**
 * Restarts of nodes: the kubelet's own event, runs of which the runtime says only that it does not know how they ended,
 * or nearly all pods of one node whose runs ended in the same minute. What ended so has not crashed.
 */
export function nodeRestarts(pods: readonly JudgedPod[], events: Listings['events']['items']): NodeRestarts {
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
    // One of which it is not known ran there all the time.
    const started = Date.parse(pod.status.startTime ?? '') || Number.NEGATIVE_INFINITY;
    const own = onNode.get(node);
    if (own === undefined) onNode.set(node, [started]);
    else own.push(started);
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
    const starts = (onNode.get(node) ?? []).sort((a, b) => a - b);
    for (let from = 0; from < own.length; ) {
      const first = own[from];
      if (first === undefined) break;
      let to = from;
      while (to < own.length && (own[to]?.at ?? 0) - first.at <= together) to += 1;
      const group = own.slice(from, to);
      const ended = new Set(group.map(({ pod }) => pod)).size;
      const last = group.at(-1)?.at ?? first.at;
      const there = countUpTo(starts, first.at);
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
  const timesOf = new Map<string, number[]>();
  for (const { node, at } of found) {
    const own = timesOf.get(node);
    if (own === undefined) timesOf.set(node, [at]);
    else own.push(at);
  }
  for (const times of timesOf.values()) times.sort((a, b) => a - b);
  return { all: found, timesOf };
}

/** Returns whether a run on a node ended because the node did. */
export function endedWithNode(
  { timesOf }: NodeRestarts,
  node: string | undefined,
  ended: { readonly finishedAt?: string | undefined } | undefined,
): boolean {
  const times = timesOf.get(node ?? '');
  const at = Date.parse(ended?.finishedAt ?? '');
  if (times === undefined || Number.isNaN(at)) return false;
  const last = times[countUpTo(times, at + together * 2) - 1];
  return last !== undefined && last >= at - together * 2;
}

/** Returns how many of these numbers, which are sorted, are not beyond a limit. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
