import { createHmac } from 'node:crypto';
import { identityKeyBytes, identityKeyFault } from '#shared/studio/identity-key.ts';

/** The studio identity key, or why there is none. `reason` is a sentence for the person; it never holds the value. */
export type IdentityKey =
  | { readonly ok: true; readonly key: Buffer }
  | { readonly ok: false; readonly reason: string };

/** Seconds an assertion is valid (CON-189). */
const ASSERTION_SECONDS = 120;

const NAME = 'CONSOLE_STUDIO_IDENTITY_KEY';

/**
 * Reads the key of `CONSOLE_STUDIO_IDENTITY_KEY` (CON-056). Never throws; `reason`
 * names the variable and the fault.
 */
export function readIdentityKey(base64: string | undefined): IdentityKey {
  const fault = identityKeyFault(base64);
  switch (fault?.kind) {
    case 'unset':
      return { ok: false, reason: `${NAME} is not set.` };
    case 'not-base64':
      return { ok: false, reason: `${NAME} is not base64.` };
    case 'short': {
      const needed = `at least ${identityKeyBytes} are required`;
      return { ok: false, reason: `${NAME} holds ${fault.bytes} bytes; ${needed}.` };
    }
    case undefined:
      return { ok: true, key: Buffer.from(base64 ?? '', 'base64') };
  }
}

/** The key as it is set at this moment, read again only when the value has changed. */
export function createIdentityKey(value: () => string | undefined): () => IdentityKey {
  let last = value();
  let key = readIdentityKey(last);
  return () => {
    const current = value();
    if (current !== last) {
      last = current;
      key = readIdentityKey(current);
    }
    return key;
  };
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
