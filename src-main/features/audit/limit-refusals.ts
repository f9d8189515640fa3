import { createSlidingLimit } from '../../base/sliding-limit.ts';
import type { Ended } from './events.ts';

/** Records written in a minute of what one caller was refused, and of what failed for them; the rest is counted. */
const perMinute = { refused: 20, failure: 120 } as const;
const minute = 60_000;
/** Callers whose unrecorded acts are counted; the oldest goes first. */
const remembered = 1000;

/** Keeps callers from filling the disk with what they may not do, signed in or not. */
export type RefusalLimit = {
  /** Returns how many went unrecorded since the last recorded one if this one may be recorded; else undefined. */
  admit(ended: Ended): number | undefined;
  /** Counts again what `admit` answered: that record could not be written. */
  putBack(ended: Ended, unrecorded: number): void;
  /** Returns how many went unrecorded since each caller's last recorded one. */
  unrecorded(): number;
};

/** `now` in epoch milliseconds. What succeeded is always recorded. */
export function createRefusalLimit(now: () => number): RefusalLimit {
  const limits = {
    refused: createSlidingLimit({ most: perMinute.refused, windowMs: minute, now }),
    failure: createSlidingLimit({ most: perMinute.failure, windowMs: minute, now }),
  };
  const unrecorded = new Map<string, number>();
  /** Refusals of callers that were forgotten. */
  let forgotten = 0;

  const leaveOut = (key: string, count: number): void => {
    const before = unrecorded.get(key) ?? 0;
    unrecorded.delete(key);
    unrecorded.set(key, before + count);
    const [oldest] = unrecorded;
    if (unrecorded.size <= remembered || oldest === undefined) return;
    forgotten += oldest[1];
    unrecorded.delete(oldest[0]);
  };

  return {
    admit(ended) {
      if (ended.outcome === 'success') return 0;
      const key = keyOf(ended);
      const limit = limits[boundOf(ended)];
      if (limit.waitOf(key) !== undefined) {
        leaveOut(key, 1);
        return undefined;
      }
      limit.count(key);
      const before = unrecorded.get(key) ?? 0;
      unrecorded.delete(key);
      return before;
    },
    putBack(ended, count) {
      if (count > 0) leaveOut(keyOf(ended), count);
    },
    unrecorded: () => [...unrecorded.values()].reduce((sum, each) => sum + each, forgotten),
  };
}

/** Nobody's acts are counted apart: a page elsewhere must not hide who guesses passwords. */
function keyOf({ actor, action, outcome }: Ended): string {
  return actor === 'anonymous' ? `${actor} ${action}` : `${actor} ${outcome}`;
}

function boundOf({ actor, outcome }: Ended): keyof typeof perMinute {
  return actor !== 'anonymous' && outcome === 'failure' ? 'failure' : 'refused';
}
