/** Counts what happened in the last while, by key. */
export type SlidingLimit = {
  /** Returns the ms until another one of this key is allowed; undefined when it is now. */
  waitOf(key: string): number | undefined;
  /** Counts one of this key. */
  count(key: string): void;
  forget(key: string): void;
};

/** Keys remembered; beyond it the oldest is forgotten, so that memory stays bounded. */
const remembered = 10_000;

/** Allows `most` of a key within `windowMs`; `now` in epoch ms. */
export function createSlidingLimit({
  most,
  windowMs,
  now,
}: {
  readonly most: number;
  readonly windowMs: number;
  readonly now: () => number;
}): SlidingLimit {
  const times = new Map<string, number[]>();
  // A time ahead of now was taken before the clock was put back: it must not bar the door until then.
  const recentOf = (key: string, at: number): number[] =>
    (times.get(key) ?? []).filter((time) => time <= at && at - time < windowMs);
  return {
    waitOf(key) {
      const at = now();
      const recent = recentOf(key, at);
      const first = recent.at(-most);
      return first === undefined ? undefined : first + windowMs - at;
    },
    count(key) {
      const at = now();
      const recent = recentOf(key, at);
      times.delete(key);
      times.set(key, [...recent, at].slice(-most));
      if (times.size > remembered) times.delete(times.keys().next().value ?? '');
    },
    forget: (key) => void times.delete(key),
  };
}
