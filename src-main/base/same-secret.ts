import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns whether two secrets are the same, in constant time; their digests are compared, so that the lengths reveal
 * nothing.
 */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
