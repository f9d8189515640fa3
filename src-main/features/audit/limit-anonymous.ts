/** Records of callers without a session that are written in a minute; the rest is counted. */
const anonymousPerMinute = 20;
const minute = 60_000;

/** Keeps anonymous callers from filling the disk with their refusals. */
export type AnonymousLimit = {
  /**
   * Returns how many went unrecorded since the last recorded one if this one may be recorded; else undefined.
   */
  admit(): number | undefined;
  /** Counts again what `admit` answered: that record could not be written. */
  putBack(unrecorded: number): void;
  /** Returns how many went unrecorded since the last recorded one. */
  unrecorded(): number;
};

/** `now` in epoch milliseconds. */
export function createAnonymousLimit(now: () => number): AnonymousLimit {
  let recent: number[] = [];
  let unrecorded = 0;
  return {
    admit() {
      const at = now();
      // A time ahead of now was taken before the clock was put back: it must not bar the door until then.
      recent = recent.filter((time) => time <= at && at - time < minute);
      if (recent.length >= anonymousPerMinute) {
        unrecorded += 1;
        return undefined;
      }
      recent.push(at);
      const count = unrecorded;
      unrecorded = 0;
      return count;
    },
    putBack(count) {
      unrecorded += count;
    },
    unrecorded: () => unrecorded,
  };
}
