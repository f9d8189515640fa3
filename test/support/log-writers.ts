import type { RawObject } from '../../src-main/cluster-model/index.ts';
import type { Cluster, ClusterChange } from '../../src-main/sources/cluster/index.ts';
import { objectCluster } from './object-cluster.ts';

/** Pods that write, and what they wrote: the truth a merged log is held against. */
export type LogWriters = {
  readonly cluster: Cluster;
  /** Starts a pod whose containers are ready to write. */
  start(pod: string): void;
  /** Deletes a pod: its logs end. */
  stop(pod: string): void;
  /** Writes a line now; lines of one container never go back in time. */
  write(pod: string, container: string, text: string): void;
  /** Cuts every open log off, as a network does. */
  cut(): void;
  /** Logs that are followed now. */
  open(): number;
  /** Every line that was written, as `pod/container text`, in the order of time. */
  readonly truth: readonly { readonly at: string; readonly line: string }[];
};

type Written = { readonly at: string; readonly text: string };
type Container = { readonly lines: Written[]; readonly wake: Set<() => void>; isOver: boolean };

/** A cluster of pods in namespace `shop` with label `app=web`, each with these containers. Deployment `web` selects them. */
export function createLogWriters(containers: readonly string[]): LogWriters {
  const logs = new Map<string, Container>();
  const truth: { at: string; line: string }[] = [];
  const watchers = new Set<(change: ClusterChange) => void>();
  let cuts = 0;
  let followed = 0;
  let last = 0n;
  const objects: RawObject[] = [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: {} },
    },
  ];
  const base = objectCluster(objects);
  const tell = (): void => {
    for (const watcher of watchers) watcher({ status: base.status() });
  };
  const container = (pod: string, name: string): Container => {
    const key = `${pod}/${name}`;
    const found = logs.get(key) ?? { lines: [], wake: new Set(), isOver: false };
    logs.set(key, found);
    return found;
  };
  const wakeAll = ({ wake }: Container): void => {
    for (const each of [...wake]) each();
  };
  /** A time to the nanosecond, later than any before, as a container runtime writes it. */
  const nextTime = (): string => {
    const at = BigInt(Date.now()) * 1_000_000n;
    last = at > last ? at : last + 1n;
    const text = new Date(Number(last / 1_000_000n)).toISOString().slice(0, 19);
    return `${text}.${String(last % 1_000_000_000n).padStart(9, '0')}Z`;
  };

  async function* bytesOf(log: Container, from: number, follow: boolean, signal: AbortSignal) {
    let sent = from;
    const cutsBefore = cuts;
    for (;;) {
      const fresh = log.lines.slice(sent);
      sent += fresh.length;
      if (fresh.length > 0) yield Buffer.from(fresh.map(({ at, text }) => `${at} ${text}\n`).join(''));
      if (!follow || signal.aborted || (log.isOver && sent >= log.lines.length)) return;
      if (cuts !== cutsBefore) throw new Error('The connection was cut.');
      const { promise, resolve } = Promise.withResolvers<void>();
      log.wake.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      log.wake.delete(resolve);
    }
  }
  const counted = async function* (bytes: AsyncGenerator<Buffer>) {
    followed += 1;
    try {
      yield* bytes;
    } finally {
      followed -= 1;
    }
  };

  return {
    truth,
    open: () => followed,
    cluster: {
      ...base,
      watch(onChange) {
        watchers.add(onChange);
        return () => watchers.delete(onChange);
      },
      async logs({ pod, container: name, follow = false, since, tail, signal }) {
        const log = logs.get(`${pod}/${name}`);
        if (log === undefined) return { state: 'missing', reason: 'There is no such log.' };
        const floor = since === undefined ? '' : new Date(since).toISOString().slice(0, 19);
        const first = log.lines.findIndex(({ at }) => at >= floor);
        const from = first < 0 ? log.lines.length : first;
        const start = tail === undefined ? from : Math.max(from, log.lines.length - tail);
        const bytes = bytesOf(log, start, follow, signal);
        return { state: 'read', bytes: follow ? counted(bytes) : bytes };
      },
    },
    start(pod) {
      objects.push({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: pod, namespace: 'shop', labels: { app: 'web' } },
        spec: { containers: containers.map((name) => ({ name, image: 'i' })) },
        status: {
          phase: 'Running',
          containerStatuses: containers.map((name) => ({
            name,
            ready: true,
            restartCount: 0,
            state: { running: {} },
          })),
        },
      });
      for (const name of containers) container(pod, name);
      tell();
    },
    stop(pod) {
      const index = objects.findIndex(
        (object) => object.kind === 'Pod' && (object.metadata as { name: string }).name === pod,
      );
      if (index >= 0) objects.splice(index, 1);
      for (const name of containers) {
        const log = container(pod, name);
        log.isOver = true;
        wakeAll(log);
      }
      tell();
    },
    write(pod, name, text) {
      const log = container(pod, name);
      const at = nextTime();
      log.lines.push({ at, text });
      truth.push({ at, line: `${pod}/${name} ${text}` });
      wakeAll(log);
    },
    cut() {
      cuts += 1;
      for (const log of logs.values()) wakeAll(log);
    },
  };
}

/** Lines of a merged log, and remarks apart. */
export function readMerged(text: string) {
  const lines: { readonly at: string; readonly line: string }[] = [];
  const remarks: string[] = [];
  for (const raw of text.split('\n')) {
    if (raw === '') continue;
    const space = raw.indexOf(' ');
    const [at, line] = [raw.slice(0, space), raw.slice(space + 1)];
    if (raw.startsWith('[')) remarks.push(raw);
    else if (line.startsWith('[')) remarks.push(line);
    else lines.push({ at, line });
  }
  return { lines, remarks };
}
