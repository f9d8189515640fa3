import { randomBytes } from 'node:crypto';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { resources } from '../../cluster-model/index.ts';
import type { Cluster, ClusterStatus } from '../../sources/cluster/index.ts';

/**
 * Time for which changes are recorded after the last reader left, in ms: a reader whose connection broke
 * reconnects within it.
 */
const keptFor = 30_000;
/** Readers are told of changes at most this often, in ms. */
const minInterval = 500;
/** Readers that are woken in one turn of the event loop. */
const wokenTogether = 50;

export type StatusText = { readonly status: ClusterStatus; readonly text: string };

/** The changed resources of a cluster, in order, so that a reader who reconnects receives what it missed. */
export type ChangeLog = {
  /** Returns the current position of the log, as the ID of an event. */
  position(): string;
  /** Plural names of what changed after a position; of everything that is read when the log does not know the position. */
  since(position: string): string[];
  /** Returns the cluster's state and its text, made once for all readers who ask in the same turn of the event loop. */
  status(): StatusText;
  /**
   * Calls back after changes of resources, or of the cluster's state, until unsubscribed: at once after a while without
   * any, else together with those that follow.
   */
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
  /** The count that readers were last woken for. */
  let told = 0;
  const stop = cluster.watch(({ resource }) => {
    if (resource !== undefined) {
      count += 1;
      changedAt.set(resource.plural, count);
    }
    wakeAll();
  });
  let isWaking = false;
  let isLate = false;
  /** Wakes the readers; what comes meanwhile wakes them again. */
  const wakeAll = (): void => {
    isLate = isWaking;
    if (isWaking) return;
    isWaking = true;
    const counted = count;
    void wakeInTurns([...listeners])
      .then(() => (counted > told ? pause(minInterval, undefined, { ref: false }) : undefined))
      .finally(() => {
        isWaking = false;
        told = counted;
        if (isLate) wakeAll();
      });
  };
  let asked: StatusText | undefined;
  const status = (): StatusText => {
    if (asked !== undefined) return asked;
    const now = cluster.status();
    asked = { status: now, text: JSON.stringify(now) };
    setImmediate(() => {
      asked = undefined;
    });
    return asked;
  };
  let ending: NodeJS.Timeout | undefined;
  const endSoon = (): void => {
    ending = setTimeout(() => {
      stop();
      forget();
    }, keptFor).unref();
  };
  endSoon();
  return {
    status,
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

/** Wakes some at a time: each writes to a connection before the next ones do. */
async function wakeInTurns(listeners: readonly (() => void)[]): Promise<void> {
  for (const [at, listener] of listeners.entries()) {
    listener();
    if (at % wokenTogether === wokenTogether - 1) await turn();
  }
}

function everyResource(): string[] {
  return resources.everyKind.map(({ plural }) => plural).sort();
}
