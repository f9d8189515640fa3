import type { Ended } from './events.ts';

/** Records written in a minute of what one caller was refused, and of what failed for them; the rest is counted. */
const perMinute = { refused: 20, failure: 120 } as const;
const minute = 60_000;
/** Callers remembered; the oldest goes first. */
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

type Counted = { recent: number[]; unrecorded: number };

/** `now` in epoch milliseconds. What succeeded is always recorded. */
export function createRefusalLimit(now: () => number): RefusalLimit {
  const callers = new Map<string, Counted>();
  /** Refusals of callers that were forgotten. */
  let forgotten = 0;

  const countedOf = (key: string): Counted => {
    const counted = callers.get(key) ?? { recent: [], unrecorded: 0 };
    callers.delete(key);
    callers.set(key, counted);
    const [oldest] = callers;
    if (callers.size > remembered && oldest !== undefined) {
      forgotten += oldest[1].unrecorded;
      callers.delete(oldest[0]);
    }
    return counted;
  };

  return {
    admit(ended) {
      if (ended.outcome === 'success') return 0;
      const at = now();
      const counted = countedOf(keyOf(ended));
      // A time ahead of now was taken before the clock was put back: it must not bar the door until then.
      counted.recent = counted.recent.filter((time) => time <= at && at - time < minute);
      if (counted.recent.length >= mostOf(ended)) {
        counted.unrecorded += 1;
        return undefined;
      }
      counted.recent.push(at);
      const { unrecorded } = counted;
      counted.unrecorded = 0;
      return unrecorded;
    },
    putBack(ended, unrecorded) {
      countedOf(keyOf(ended)).unrecorded += unrecorded;
    },
    unrecorded: () => [...callers.values()].reduce((sum, each) => sum + each.unrecorded, forgotten),
  };
}

/** Nobody's acts are counted apart: a page elsewhere must not hide who guesses passwords. */
function keyOf({ actor, action, outcome }: Ended): string {
  return actor === 'anonymous' ? `${actor} ${action}` : `${actor} ${outcome}`;
}

function mostOf({ actor, outcome }: Ended): number {
  return actor !== 'anonymous' && outcome === 'failure' ? perMinute.failure : perMinute.refused;
}
