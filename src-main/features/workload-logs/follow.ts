import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../base/error-message.ts';

import type { Cluster } from '../../sources/cluster/index.ts';
import type { MarkedLine } from './history.ts';
import { keyOfTime, type LogLine, linesOf, secondsOfKey } from './log-line.ts';
import type { Pod, PodsNow } from './select-pods.ts';

/** A container whose log is read. */
export type Container = { readonly pod: string; readonly container: string };

/** How far a container's log was read: the time of its last line, and how many lines had that time. */
export type Position = { readonly key: string; readonly count: number };

export type Follow = {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly podsNow: PodsNow;
  /** The containers of a pod that are wanted. */
  readonly containersOf: (pod: Pod) => readonly string[];
  /** How far each container was read before, by its mark. */
  readonly read: ReadonlyMap<string, Position>;
  /** Only lines written since, in epoch milliseconds. */
  readonly since: number | undefined;
  /** The pods that were there before. */
  readonly known: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Milliseconds that lines wait for earlier ones of other containers: what arrives within it is put in order. */
const holdMs = 400;
const flushMs = 150;
/** Characters that wait at most; sources stop being read until they were taken. */
const mostHeld = 8_000_000;
/** Milliseconds between looks at the pods when nothing tells of changes, and after one told. */
const lookMs = 5_000;
const settleMs = 250;
/** Milliseconds before a log that ended is opened again, and before one that broke off is, for the first time. */
const againMs = 1_000;
const soonMs = 50;
/** Milliseconds that the others wait for a log that broke off: what it missed stands before what they wrote since. */
const patienceMs = 3_000;
/** Containers that are followed at once. */
export const mostContainers = 200;

export const markOf = ({ pod, container }: Container): string => `${pod}/${container}`;

type Held = MarkedLine & { readonly arrivedAt: number; readonly order: number };

/**
 * Follows the logs of all pods of a selection, in order of time within a second. A log that breaks off, or whose container
 * restarts, is opened again behind the last line that came, so that none is lost and none comes twice. Pods that come are joined and those
 * that go are left, each with a remark.
 */
export async function* followPods(follow: Follow): AsyncGenerator<readonly MarkedLine[]> {
  const { signal, cluster, now } = follow;
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const held: Held[] = [];
  let size = 0;
  let order = 0;
  let taken = Promise.withResolvers<void>();
  const push = async (mark: string, lines: readonly LogLine[]): Promise<void> => {
    const arrivedAt = performance.now();
    for (const line of lines) {
      held.push({ mark, line, arrivedAt, order });
      order += 1;
      size += line.text.length + mark.length + 64;
    }
    while (size > mostHeld && !ended.aborted) await taken.promise;
  };
  /** Logs that broke off, and when. */
  const broken = new Map<string, number>();
  const remark = (text: string): void => {
    const key = keyOfTime(now());
    void push('', [{ key, time: `${key.slice(0, 23)}Z`, text: `[${text}]` }]);
  };
  const followed = new Map<string, Promise<void>>();
  const joined = new Set(follow.known);
  let isFull = false;
  let current = new Map<string, Pod>();
  const look = async (): Promise<void> => {
    const { pods, listing } = await follow.podsNow();
    // What could not be listed has not gone.
    if (listing.state !== 'read' && listing.state !== 'partly') return;
    current = new Map(pods.map((pod) => [pod.metadata.name, pod]));
    for (const pod of pods) {
      const { name } = pod.metadata;
      if (!joined.has(name)) {
        joined.add(name);
        remark(`Pod ${name} joined.`);
      }
      for (const container of follow.containersOf(pod)) {
        const mark = markOf({ pod: name, container });
        if (followed.has(mark) || !hasStarted(pod, container)) continue;
        if (followed.size >= mostContainers) {
          if (!isFull)
            remark(`Only ${mostContainers} containers are followed: pick one container, or leave pods out.`);
          isFull = true;
          break;
        }
        followed.set(
          mark,
          followContainer({
            follow,
            pod: name,
            container,
            push,
            broken,
            remark,
            podOf: () => current.get(name),
            signal: ended,
          }).finally(() => {
            followed.delete(mark);
            broken.delete(mark);
          }),
        );
      }
    }
    for (const name of joined)
      if (!current.has(name)) {
        joined.delete(name);
        remark(`Pod ${name} is gone.`);
      }
  };

  let changed = Promise.withResolvers<void>();
  const unwatch = cluster.watch(({ resource }) => {
    if (resource === undefined || resource.plural === 'pods') changed.resolve();
  });
  const looking = (async () => {
    while (!ended.aborted) {
      await look().catch(() => undefined);
      await Promise.race([changed.promise, pause(lookMs, ended)]);
      changed = Promise.withResolvers();
      await pause(settleMs, ended);
    }
  })();
  try {
    while (!ended.aborted) {
      await pause(flushMs, ended);
      const until = performance.now() - holdMs;
      const isWaited = [...broken.values()].some((at) => performance.now() - at < patienceMs);
      if (isWaited && size < mostHeld / 2) continue;
      // They were held in the order they arrived; with those that are due go all that were written before them.
      let last = '';
      for (const { arrivedAt, line } of held) {
        if (arrivedAt > until) break;
        if (line.key > last) last = line.key;
      }
      const out: Held[] = [];
      let left = 0;
      for (const each of held)
        if (each.line.key <= last) out.push(each);
        else held[left++] = each;
      held.length = left;
      if (out.length === 0) continue;
      out.sort((a, b) => (a.line.key === b.line.key ? a.order - b.order : a.line.key < b.line.key ? -1 : 1));
      for (const { line, mark } of out) size -= line.text.length + mark.length + 64;
      taken.resolve();
      taken = Promise.withResolvers();
      yield out;
    }
  } finally {
    stop.abort();
    taken.resolve();
    unwatch();
    await looking.catch(() => undefined);
  }
}

type ContainerFollow = Container & {
  readonly follow: Follow;
  readonly push: (mark: string, lines: readonly LogLine[]) => Promise<void>;
  /** Logs that broke off and have not come back, and when. */
  readonly broken: Map<string, number>;
  readonly remark: (text: string) => void;
  /** The pod as it was last seen; undefined once it is gone. */
  readonly podOf: () => Pod | undefined;
  readonly signal: AbortSignal;
};

/** Follows one container until its pod is gone, or it has ended for good. */
async function followContainer(request: ContainerFollow): Promise<void> {
  const { follow, pod, container, push, broken, remark, podOf, signal } = request;
  const { cluster, namespace } = follow;
  const mark = markOf(request);
  let position = follow.read.get(mark);
  let failed: string | undefined;
  while (!signal.aborted) {
    const from = position;
    let skip = from?.count ?? 0;
    const read = await cluster.logs({
      namespace,
      pod,
      container,
      follow: true,
      timestamps: true,
      // Whole seconds: what came before within the second is passed over below.
      ...sinceOf(from, follow.since),
      signal,
    });
    if (read.state === 'read') {
      failed = undefined;
      try {
        for await (const lines of linesOf(read.bytes)) {
          const fresh = lines.filter(({ key, time }) => {
            if (from === undefined || time === '') return true;
            if (key > from.key) return true;
            if (key < from.key || skip === 0) return key === from.key && skip === 0;
            skip -= 1;
            return false;
          });
          for (const { key } of fresh)
            position = position?.key === key ? { key, count: position.count + 1 } : { key, count: 1 };
          if (fresh.length > 0) await push(mark, fresh);
          broken.delete(mark);
        }
      } catch (error) {
        if (!signal.aborted) {
          broken.set(mark, performance.now());
          remark(`The log of ${mark} broke off: ${errorMessage(error)} It is opened again.`);
        }
      }
    } else if (read.state === 'unread' && !signal.aborted && failed !== read.reason) {
      failed = read.reason;
      remark(`The log of ${mark} is not read: ${read.reason}`);
    }
    if (signal.aborted) return;
    const isBroken = read.state === 'read' && broken.has(mark);
    await pause(isBroken ? soonMs : againMs, signal);
    // One that does not come back is no longer waited for.
    if (!isBroken || performance.now() - (broken.get(mark) ?? 0) > patienceMs) broken.delete(mark);
    // One that ended is opened again once it runs again.
    for (;;) {
      const now = podOf();
      if (now === undefined || hasEnded(now, container) || signal.aborted) return;
      if (statusOf(now, container)?.state?.terminated === undefined) break;
      await pause(againMs, signal);
    }
  }
}

const sinceOf = (from: Position | undefined, since: number | undefined): { readonly since?: number } => {
  const at = from === undefined ? since : secondsOfKey(from.key);
  return at === undefined ? {} : { since: at };
};

/** Whether a container has a log: it runs, or ran. */
function hasStarted(pod: Pod, container: string): boolean {
  const status = statusOf(pod, container);
  if (status === undefined) return pod.status === undefined;
  return status.state?.waiting === undefined || (status.restartCount ?? 0) > 0;
}

/** Whether nothing more comes of a container: its pod has finished, or it ended and is not started again. */
function hasEnded(pod: Pod, container: string): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  const status = statusOf(pod, container);
  const isInit = pod.spec.initContainers.some(({ name }) => name === container);
  return isInit && status?.state?.terminated?.exitCode === 0;
}

function statusOf({ status }: Pod, container: string) {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    ({ name }) => name === container,
  );
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
