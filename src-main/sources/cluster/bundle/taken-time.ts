import { isRecord } from '../../../cluster-model/index.ts';
import type { RawObject } from '../../../cluster-model/kinds/index.ts';

/** The time a bundle was taken, in epoch milliseconds, and the evidence for it. */
export type TakenTime = { readonly at: number; readonly by: string };

/**
 * Finds when a bundle was taken from what the cluster itself wrote last: names of folders are local time without a
 * zone, and times of files those of the last copy.
 */
export type TakenClock = {
  see(key: string, object: RawObject): void;
  /** Records the time our own capture wrote: takes precedence over everything else. */
  record(at: number): void;
  /** Records a time from a collector's file of times. */
  tell(at: number, by: string): void;
  /** The newest of what is known best; `fileTime` when nothing else is known. */
  taken(fileTime: number, folderName: string): TakenTime;
};

/**
 * Returns whether it is a time that somebody's clock can have shown, in epoch ms: an archive's header may hold any
 * number.
 */
export const isPlausibleTime = (at: number): boolean => at > 0 && at < Date.UTC(10_000, 0);

/** Our own record, what the cluster tells again and again, and what it tells once. */
type Rank = 'record' | 'signs' | 'objects';

export function createTakenClock(): TakenClock {
  const newest = new Map<Rank, TakenTime>();
  const take = (rank: Rank, value: unknown, by: string): void => {
    const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (isPlausibleTime(at) && at > (newest.get(rank)?.at ?? 0)) newest.set(rank, { at, by });
  };
  return {
    see(key, object) {
      if (key === 'nodes') {
        for (const condition of listAt(object, 'status', 'conditions'))
          take('signs', condition.lastHeartbeatTime, 'newest node heartbeat');
      } else if (key === 'leases.coordination.k8s.io') {
        take('signs', at(object, 'spec').renewTime, 'newest renewal of a lease');
      } else if (key === 'events') {
        take('signs', object.lastTimestamp, 'newest event');
        take('signs', object.eventTime, 'newest event');
        take('signs', at(object, 'series').lastObservedTime, 'newest event');
      } else if (key === 'pods') {
        for (const condition of listAt(object, 'status', 'conditions'))
          take('objects', condition.lastTransitionTime, 'newest change of an object');
        for (const status of listAt(object, 'status', 'containerStatuses'))
          for (const state of [at(status, 'state'), at(status, 'lastState')])
            for (const time of [at(state, 'running').startedAt, at(state, 'terminated').finishedAt])
              take('objects', time, 'newest change of an object');
      }
      take('objects', at(object, 'metadata').creationTimestamp, 'newest change of an object');
    },
    record: (at) => take('record', at, 'its own record'),
    tell: (at, by) => take('signs', at, by),
    taken(fileTime, folderName) {
      const [sign, object] = [newest.get('signs'), newest.get('objects')];
      // Heartbeats come every few minutes: what changed after the newest one was taken later, too.
      const seen = (object?.at ?? 0) > (sign?.at ?? 0) ? object : sign;
      return (
        newest.get('record') ?? seen ?? timeInName(folderName) ?? { at: fileTime, by: 'time of the file' }
      );
    },
  };
}

/** `support-bundle-2026-07-28T06_54_18`: local time of who took it, read as UTC for want of a zone. */
function timeInName(name: string): TakenTime | undefined {
  const [, day, hour, minute, second] = /(\d{4}-\d\d-\d\d)T(\d\d)_(\d\d)_(\d\d)/.exec(name) ?? [];
  const found = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(found)
    ? undefined
    : { at: found, by: 'name of its folder, whose time zone is unknown' };
}

function at(object: RawObject, field: string): RawObject {
  const value = object[field];
  return isRecord(value) ? value : {};
}

function listAt(object: RawObject, field: string, list: string): readonly RawObject[] {
  const value = at(object, field)[list];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
