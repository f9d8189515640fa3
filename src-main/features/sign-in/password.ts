import { ConsoleError } from '#shared/errors.ts';
import { sameSecret } from '../../base/same-secret.ts';

/** Tries a minute per address (RTE-014). */
const triesPerWindow = 5;
const window = 60_000;
/** Addresses remembered; beyond it the oldest is forgotten, so that memory stays bounded. */
const rememberedAddresses = 10_000;

export type PasswordSignIn = {
  /** True while a password is set. */
  isOn(): boolean;
  /** Throws `NotSignedIn`, or `TooManyRequests` with `Retry-After`. Answers the operator's email. */
  verify(username: string, password: string, address: string): string;
};

/** The password operator: one name, one password as it is set now, compared in constant time. */
export function createPasswordSignIn(
  operator: { readonly email: string; readonly password: () => string | undefined },
  now: () => number,
): PasswordSignIn {
  const tries = new Map<string, { count: number; since: number }>();
  return {
    isOn: () => operator.password() !== undefined,
    verify(username, password, address) {
      const at = now();
      const seen = tries.get(address);
      const current = seen !== undefined && at - seen.since < window ? seen : { count: 0, since: at };
      if (current.count >= triesPerWindow) {
        const seconds = Math.max(1, Math.ceil((current.since + window - at) / 1000));
        throw new ConsoleError(
          'TooManyRequests',
          `Too many sign-in tries from this address: try again in ${seconds} s.`,
          {
            'retry-after': String(seconds),
          },
        );
      }
      tries.delete(address);
      tries.set(address, { count: current.count + 1, since: current.since });
      if (tries.size > rememberedAddresses) tries.delete(tries.keys().next().value ?? '');
      // Both are always compared: the time must not tell which of the two was wrong.
      const nameHolds = sameSecret(username.trim().toLowerCase(), operator.email);
      const right = operator.password();
      const passwordHolds = sameSecret(password, right ?? '');
      if (right === undefined || !(nameHolds && passwordHolds))
        throw new ConsoleError('NotSignedIn', 'The username or the password is wrong.');
      tries.delete(address);
      return operator.email;
    },
  };
}
