import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setsOwnCookie, withoutSession } from '../../../../src-main/features/studio/cookies.ts';
import { sweepOf } from '../../../support/sweeps.ts';

test.each([
  ['a=1; b=2', 'a=1; b=2'],
  ['console_session=x', undefined],
  ['console_session=x; ', undefined],
  ['console_session', undefined],
  ['console_session=x; b=2', 'b=2'],
  ['a=1; console_session=x', 'a=1'],
  ['a=1; console_session=x; b=2', 'a=1; b=2'],
  ['a=1;console_session=x;b=2', 'a=1;b=2'],
  ['a=1;\t console_session \t= x ;b=2', 'a=1;b=2'],
  ['console_session=x; a=1; console_session=y', 'a=1'],
  ['console_session="x;y"; a=1', 'a=1'],
  ['console_session="x; a=1', 'a=1'],
  ['"console_session"=x; a=1', 'a=1'],
  ['console_session==x=; a=1', 'a=1'],
  ['xconsole_session=1; console_session2=2', 'xconsole_session=1; console_session2=2'],
  ['a=console_session; b="console_session=1"', 'a=console_session; b="console_session=1"'],
])('%j becomes %j', (cookie, kept) => {
  expect(withoutSession(cookie)).toBe(kept);
});

test('no reader that splits at semicolons finds a session in what is kept', () => {
  const piece = fc.constantFrom('console_session', '"', '=', ';', ' ', '\t', 'a', 'a=1', 'secret');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const kept = withoutSession(pieces.join('')) ?? '';
      const names = kept.split(';').map((each) => (each.split('=')[0] ?? '').trim());
      expect(names).not.toContain('console_session');
    }),
    { numRuns: sweepOf(2000, 500) },
  );
});

test('cookies that are not the session keep their bytes', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9=; "\t]{0,40}$/), (cookie) => {
      expect(withoutSession(cookie)).toBe(cookie);
    }),
  );
});

test.each([
  ['console_session=x; Path=/', true],
  [' console_session =; Max-Age=0', true],
  ['console_session', true],
  ['=console_session=x', true],
  ['theme=console_session=1', false],
  ['console_session2=x', false],
  ['a=1; Path=/console_session', false],
  ['g_csrf_token=x', true],
  ['=g_csrf_token=x', true],
  ['a=g_csrf_token', false],
])('Set-Cookie %j sets a cookie of the console: %j', (value, sets) => {
  expect(setsOwnCookie(value)).toBe(sets);
});
