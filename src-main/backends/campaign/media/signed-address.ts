import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ContentShelf } from '../parts.ts';

/** A piece of content as its address names it. */
export type ContentAddress = { readonly shelf: ContentShelf; readonly name: string };

/**
 * The path of a piece that needs no session until `expires` (seconds since 1970): whoever has the address has the piece. Signed with
 * HMAC-SHA-256 over shelf, name and expiry, so that none of them can be changed.
 */
export function signedAddress(key: Buffer, { shelf, name }: ContentAddress, expires: number): string {
  const signature = signatureOf(key, { shelf, name }, String(expires)).toString('base64url');
  return `/${shelf}/${name}?expires=${expires}&signature=${signature}`;
}

/**
 * Returns whether the query of a request is that of a signed address of the piece that has not expired. `now` in
 * milliseconds since 1970.
 */
export function isSignedFor(
  key: Buffer,
  address: ContentAddress,
  query: URLSearchParams,
  now: number,
): boolean {
  const expires = query.get('expires') ?? '';
  if (!/^[1-9]\d{0,11}$/.test(expires)) return false;
  const given = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(key, address, expires);
  return given.length === expected.length && timingSafeEqual(given, expected) && now < Number(expires) * 1000;
}

/** No shelf or name holds a line break. */
function signatureOf(key: Buffer, { shelf, name }: ContentAddress, expires: string): Buffer {
  return createHmac('sha256', key).update(`content address\n${shelf}\n${name}\n${expires}`).digest();
}
