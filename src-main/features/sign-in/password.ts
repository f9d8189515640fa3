import { ConsoleError } from '#shared/errors.ts';
import { asciiLowerCase } from '#shared/lower-case.ts';
import { networkOf } from '../../base/ip-address.ts';
import { sameSecret } from '../../base/same-secret.ts';
import { createSlidingLimit } from '../../base/sliding-limit.ts';

/** Wrong tries a minute from one address (RTE-014). */
const triesPerAddress = 5;
/** Wrong tries a minute on one account, from wherever: another address costs a program of this machine nothing. */
const triesPerAccount = 20;
/** Wrong tries a minute on all accounts. */
const triesOverAll = 100;
const windowMs = 60_000;

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
  const byAddress = createSlidingLimit({ most: triesPerAddress, windowMs, now });
  const byAccount = createSlidingLimit({ most: triesPerAccount, windowMs, now });
  const overAll = createSlidingLimit({ most: triesOverAll, windowMs, now });
  return {
    isOn: () => operator.password() !== undefined,
    verify(username, password, address) {
      const network = networkOf(address);
      const account = asciiLowerCase(username.trim());
      refuseWhile(byAddress.waitOf(network), 'from this address');
      refuseWhile(byAccount.waitOf(account), 'for this account');
      refuseWhile(overAll.waitOf(''), 'on this console');
      // Both are always compared: the time must not tell which of the two was wrong.
      const nameHolds = sameSecret(account, operator.email);
      const right = operator.password();
      const passwordHolds = sameSecret(password, right ?? '');
      if (right === undefined || !(nameHolds && passwordHolds)) {
        byAddress.count(network);
        byAccount.count(account);
        overAll.count('');
        throw new ConsoleError('NotSignedIn', 'The username or the password is wrong.');
      }
      byAddress.forget(network);
      return operator.email;
    },
  };
}

function refuseWhile(wait: number | undefined, where: string): void {
  if (wait === undefined) return;
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  throw new ConsoleError(
    'TooManyRequests',
    `Too many sign-in attempts ${where}: try again in ${seconds} s.`,
    {
      'retry-after': String(seconds),
    },
  );
}
