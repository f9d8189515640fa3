import { randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../../base/process-end.ts';

/** Cost of a guess: 32 MB (OWASP Password Storage Cheat Sheet, scrypt: N=2^15, r=8, p=3). Node works at four at a time at most. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const saltBytes = 16;

/** `scrypt$<salt>$<hash>`, both base64url, of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/**
 * Returns whether it is the password of the hash. Without a hash it takes as long and says no, so that the time does
 * not tell which accounts exist.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, salt = '', expected = ''] = hash?.split('$') ?? [];
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  const known = Buffer.from(expected, 'base64url');
  return known.length === hashBytes && timingSafeEqual(derived, known);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return deriveKey(password.normalize('NFKC'), salt, hashBytes, { ...cost, maxmem: 64 * 1024 * 1024 });
}
