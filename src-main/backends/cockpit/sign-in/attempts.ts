import { createSlidingLimit } from '../../../base/sliding-limit.ts';

/** Wrong passwords that an address may have, and for how long they count, in milliseconds. */
const most = 10;
const windowMs = 15 * 60_000;
/** Wrong passwords of all addresses in a minute. */
const mostOverAll = 100;

export type Attempts = {
  /** False when the address has to wait. Counts as a failure until `succeeded` says otherwise, so that parallel guesses count, too. */
  begin(email: string): boolean;
  succeeded(email: string): void;
};

/** Counts wrong passwords by address and over all. In memory: a restart forgives, which costs a guesser more than it gives. */
export function createAttempts(now: () => number): Attempts {
  const failures = createSlidingLimit({ most, windowMs, now });
  const overAll = createSlidingLimit({ most: mostOverAll, windowMs: 60_000, now });
  return {
    begin(email) {
      if (failures.waitOf(email) !== undefined || overAll.waitOf('') !== undefined) return false;
      failures.count(email);
      overAll.count('');
      return true;
    },
    succeeded: (email) => failures.forget(email),
  };
}
