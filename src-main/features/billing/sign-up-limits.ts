import { ConsoleError } from '#shared/errors.ts';
import { networkOf } from '../../base/ip-address.ts';
import { createSlidingLimit } from '../../base/sliding-limit.ts';

/** Sign-ups in ten minutes from one network, with one email address in an hour, and on the whole console in an hour. */
const perNetwork = { most: 5, windowMs: 600_000 };
const perEmail = { most: 3, windowMs: 3_600_000 };
const overAll = { most: 200, windowMs: 3_600_000 };

/** Bounds how often somebody may sign up; `now` in epoch ms. */
export function createSignUpLimits(now: () => number) {
  const networks = createSlidingLimit({ ...perNetwork, now });
  const emails = createSlidingLimit({ ...perEmail, now });
  const everyone = createSlidingLimit({ ...overAll, now });
  return {
    /** Counts a sign-up. Throws `TooManyRequests` with `Retry-After` above the bounds. */
    take(address: string, email: string): void {
      const network = networkOf(address);
      const wait = Math.max(
        networks.waitOf(network) ?? 0,
        emails.waitOf(email) ?? 0,
        everyone.waitOf('') ?? 0,
      );
      if (wait > 0) {
        const seconds = Math.max(1, Math.ceil(wait / 1000));
        throw new ConsoleError('TooManyRequests', `Too many sign-ups: try again in ${seconds} s.`, {
          'retry-after': String(seconds),
        });
      }
      networks.count(network);
      emails.count(email);
      everyone.count('');
    },
  };
}
