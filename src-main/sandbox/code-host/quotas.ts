/** Requests an hour of each installation, as the code host counts them. */
export type Quotas = {
  /** Takes one; false when nothing is left. */
  take(installation: number): boolean;
  read(installation: number): { limit: number; used: number; remaining: number; reset: number };
  /** From now until the hour is over. */
  setRemaining(installation: number, remaining: number): void;
};

const hour = 3_600_000;

/** `limit` requests an hour each; an hour begins with its first request. `reset` is in epoch seconds. */
export function createQuotas(limit: number, now: () => number): Quotas {
  const hours = new Map<number, { used: number; endsAt: number }>();
  const current = (installation: number) => {
    const known = hours.get(installation);
    if (known !== undefined && known.endsAt > now()) return known;
    const next = { used: 0, endsAt: now() + hour };
    hours.set(installation, next);
    return next;
  };
  return {
    take(installation) {
      const entry = current(installation);
      if (entry.used >= limit) return false;
      entry.used += 1;
      return true;
    },
    read(installation) {
      const { used, endsAt } = current(installation);
      return { limit, used, remaining: limit - used, reset: Math.ceil(endsAt / 1000) };
    },
    setRemaining(installation, remaining) {
      current(installation).used = limit - Math.min(Math.max(remaining, 0), limit);
    },
  };
}
