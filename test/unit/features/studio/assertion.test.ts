import { expect, test } from 'vitest';
import {
  createAssertions,
  readIdentityKey,
  signAssertion,
} from '../../../../src-main/features/studio/assertion.ts';

const key = Buffer.alloc(32, 1);

test.each([
  [undefined, 'is not set'],
  ['  ', 'is not set'],
  ['not base64!', 'is not base64'],
  [`${key.toString('base64')}*`, 'is not base64'],
  [Buffer.alloc(31, 1).toString('base64'), 'holds 31 bytes; at least 32'],
])('the key %j is refused by name and without its value (CON-056, CON-190)', (value, fault) => {
  const identity = readIdentityKey(value);
  expect(identity.ok).toBe(false);
  if (identity.ok) return;
  expect(identity.reason).toMatch(/^CONSOLE_STUDIO_IDENTITY_KEY /);
  expect(identity.reason).toContain(fault);
  if (value?.trim()) expect(identity.reason).not.toContain(value);
});

test('a key of 32 bytes is read, padded or not (CON-056, CON-190)', () => {
  for (const text of [
    key.toString('base64'),
    `${key.toString('base64')}\n`,
    key.toString('base64').replace(/=+$/, ''),
  ])
    expect(readIdentityKey(text)).toEqual({ ok: true, key });
});

test('an email of any script survives in the assertion', () => {
  const [, claims = ''] = signAssertion(key, 'zoë"\n@example.com', 1_700_000_000.9).split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    iss: 'console',
    sub: 'zoë"\n@example.com',
    email: 'zoë"\n@example.com',
    aud: 'studio',
    iat: 1_700_000_000,
    exp: 1_700_000_120,
  });
});

test('one person never gets the assertion of another, nor of a former key', () => {
  const assertion = createAssertions(() => 1_000);
  expect(assertion(key, 'a')).toBe(signAssertion(key, 'a', 1));
  expect(assertion(key, 'b')).toBe(signAssertion(key, 'b', 1));
  const other = Buffer.alloc(32, 2);
  expect(assertion(other, 'a')).toBe(signAssertion(other, 'a', 1));
});
