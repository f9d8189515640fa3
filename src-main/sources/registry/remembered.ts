/** Answers that are believed for a while; at most `most`, the longest unused go first. `now` in epoch ms. */
export type Remembered<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T, forMs: number): void;
};

export function createRemembered<T>(most: number, now: () => number): Remembered<T> {
  // In order of use, oldest first.
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key) {
      const entry = kept.get(key);
      kept.delete(key);
      if (entry === undefined || entry.until <= now()) return undefined;
      kept.set(key, entry);
      return entry.value;
    },
    set(key, value, forMs) {
      kept.delete(key);
      kept.set(key, { value, until: now() + forMs });
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
    },
  };
}
