import { randomBytes } from 'node:crypto';
import { resources } from '../../cluster-model/index.ts';
import type { Cluster } from '../../sources/cluster/index.ts';

/**
 * Time for which changes are recorded after the last reader left, in ms: a reader whose connection broke
 * reconnects within it.
 */
const keptFor = 30_000;

/** The changed resources of a cluster, in order, so that a reader who reconnects receives what it missed. */
export type ChangeLog = {
  /** Returns the current position of the log, as the ID of an event. */
  position(): string;
  /** Plural names of what changed after a position; of everything that is read when the log does not know the position. */
  since(position: string): string[];
  /** Calls back after every change of a resource, or of the cluster's state, until unsubscribed. */
  listen(listener: () => void): () => void;
};

const logs = new WeakMap<Cluster, ChangeLog>();

/** Returns the log of a cluster's changes, which is kept while it has listeners and a little longer. */
export function changeLogOf(cluster: Cluster): ChangeLog {
  const kept = logs.get(cluster) ?? createChangeLog(cluster, () => logs.delete(cluster));
  logs.set(cluster, kept);
  return kept;
}

function createChangeLog(cluster: Cluster, forget: () => void): ChangeLog {
  // Another console, or this one later, numbers from another beginning: its positions are not known here.
  const epoch = randomBytes(6).toString('hex');
  const changedAt = new Map<string, number>();
  const listeners = new Set<() => void>();
  let count = 0;
  const stop = cluster.watch(({ resource }) => {
    if (resource !== undefined) {
      count += 1;
      changedAt.set(resource.plural, count);
    }
    for (const listener of [...listeners]) listener();
  });
  let ending: NodeJS.Timeout | undefined;
  const endSoon = (): void => {
    ending = setTimeout(() => {
      stop();
      forget();
    }, keptFor).unref();
  };
  endSoon();
  return {
    position: () => `${epoch}-${count}`,
    since(position) {
      const [, of, at] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(position) ?? [];
      if (of !== epoch) return everyResource();
      return [...changedAt]
        .filter(([, changed]) => changed > Number(at))
        .map(([plural]) => plural)
        .sort();
    },
    listen(listener) {
      clearTimeout(ending);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) endSoon();
      };
    },
  };
}

function everyResource(): string[] {
  return resources.everyKind.map(({ plural }) => plural).sort();
}
