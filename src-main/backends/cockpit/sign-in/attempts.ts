/** Wrong passwords in a row that an address may have, and for how long they count, in milliseconds. */
const most = 10;
const windowMs = 15 * 60_000;
/** Addresses remembered; the oldest is forgotten first. */
const remembered = 10_000;

export type Attempts = {
  /** False when the address has to wait. Counts as a failure until `succeeded` says otherwise, so that parallel guesses count, too. */
  begin(email: string): boolean;
  succeeded(email: string): void;
};

/** Counts wrong passwords by address. In memory: a restart forgives, which costs a guesser more than it gives. */
export function createAttempts(now: () => number): Attempts {
  const failures = new Map<string, { count: number; since: number }>();
  return {
    begin(email) {
      const known = failures.get(email);
      const current =
        known !== undefined && now() - known.since < windowMs ? known : { count: 0, since: now() };
      if (current.count >= most) return false;
      failures.delete(email);
      failures.set(email, { ...current, count: current.count + 1 });
      const [oldest] = failures.keys();
      if (failures.size > remembered && oldest !== undefined) failures.delete(oldest);
      return true;
    },
    succeeded: (email) => void failures.delete(email),
  };
}
