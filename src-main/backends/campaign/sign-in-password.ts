import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { z } from 'zod';
import { asciiLowerCase } from '#shared/lower-case.ts';
import { deriveKey } from '../../base/process-end.ts';
import { createSlidingLimit } from '../../base/sliding-limit.ts';
import type { AuthRecords, Person } from './auth-records.ts';

/** Wrong tries in a minute of one address on one account, of all addresses on it, and over all; then they wait. */
const triesOfAddress = 5;
const triesOfAccount = 20;
const triesOverAll = 100;
const windowMs = 60_000;
/** Passwords checked at a time: each takes 32 MB and some tenths of a second of a processor. */
const mostAtOnce = 8;
/** The cost OWASP asks for with 32 MB (Password Storage Cheat Sheet, scrypt). */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const hashForm = /^scrypt\$32768\$8\$3\$([\w-]{22})\$([\w-]{43})$/;

/** An email address, trimmed and in lower case; the form is loose, because only a message to it could tell. */
export const emailAddress = z
  .string()
  .trim()
  .overwrite(asciiLowerCase)
  .max(320)
  .regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u);

export type PasswordSignIn = Awaited<ReturnType<typeof createPasswordSignIn>>;

/**
 * The password sign-in of the one person seeded from `ADMIN_EMAIL` and `ADMIN_PASSWORD`. The store keeps a digest (scrypt); another
 * password at a later start takes the place of the one before.
 */
export async function createPasswordSignIn(options: {
  readonly records: AuthRecords;
  readonly admin: { readonly email: string; readonly password: string };
  readonly now: () => number;
}) {
  const { records, admin, now } = options;
  const seeded = await records.personWithPassword(admin.email);
  if (seeded === undefined || !(await matches(admin.password, seeded.passwordHash)))
    await records.seedPassword(admin.email, await digestOf(admin.password));
  // Checked for an address nobody has, so that the time does not tell which addresses are known.
  const nobodys = await digestOf(randomBytes(16).toString('hex'));

  const byAddress = createSlidingLimit({ most: triesOfAddress, windowMs, now });
  const byAccount = createSlidingLimit({ most: triesOfAccount, windowMs, now });
  const overAll = createSlidingLimit({ most: triesOverAll, windowMs, now });
  let checking = 0;

  return {
    /** Throws UNAUTHENTICATED when address and password do not fit, RESOURCE_EXHAUSTED after too many tries from `address`. */
    async verify(email: string, password: string, address: string): Promise<Person> {
      // What is no address belongs to nobody; it is checked all the same, against nobody's password.
      const account = emailAddress.safeParse(email).data ?? '';
      const key = `${address} ${account}`;
      const wait = byAddress.waitOf(key) ?? byAccount.waitOf(account) ?? overAll.waitOf('');
      if (wait !== undefined)
        throw new ConnectError(
          `Too many sign-in tries: try again in ${Math.max(1, Math.ceil(wait / 1000))} s.`,
          Code.ResourceExhausted,
        );
      if (checking >= mostAtOnce)
        throw new ConnectError(
          'Too many people sign in at this moment: try again in a second.',
          Code.ResourceExhausted,
        );
      byAddress.count(key);
      byAccount.count(account);
      overAll.count('');
      checking += 1;
      try {
        const person = await records.personWithPassword(account);
        const fits = await matches(password, person?.passwordHash ?? nobodys);
        if (person === undefined || !fits)
          throw new ConnectError('The address or the password is wrong.', Code.Unauthenticated);
        byAddress.forget(key);
        byAccount.forget(account);
        return { id: person.id, email: person.email, name: person.name };
      } finally {
        checking -= 1;
      }
    },
  };
}

async function digestOf(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derived(password, salt);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

async function matches(password: string, hash: string): Promise<boolean> {
  const [, salt, expected] = hashForm.exec(hash) ?? [];
  if (salt === undefined || expected === undefined) return false;
  return timingSafeEqual(
    await derived(password, Buffer.from(salt, 'base64url')),
    Buffer.from(expected, 'base64url'),
  );
}

function derived(password: string, salt: Buffer): Promise<Buffer> {
  return deriveKey(password.normalize('NFKC'), salt, 32, cost);
}
