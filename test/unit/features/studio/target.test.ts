import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStudioUpstream } from '../../../../src-main/config/index.ts';
import { isStudioPath } from '../../../../src-main/features/studio/index.ts';
import { studioTarget } from '../../../../src-main/features/studio/target.ts';
import { sweepOf } from '../../../support/sweeps.ts';

test.each(['/studio', '/studio?x', '/studio/', '/studio/a', '/studio/../x'])(
  '%s is the proxy’s (CON-044)',
  (url) => {
    expect(isStudioPath(url)).toBe(true);
  },
);

test.each([
  '/',
  '/studios',
  '/studio;x',
  '/studio%2f',
  '/Studio/',
  '//studio/',
  'http://a/studio/',
  '/studio#',
  '',
])('%s is not', (url) => {
  expect(isStudioPath(url)).toBe(false);
});

test('no forwarded path resolves outside the upstream’s prefix, by the URL standard or by slash merging', () => {
  const part = fc.constantFrom(
    '/',
    '..',
    '.',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '%252e',
    '%25',
    ';',
    'a',
    '\\',
    '?',
    '%2e%2e',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const target = studioTarget(`/studio/${parts.join('')}`, '/base');
      if (target.kind !== 'forward') return;
      expect(target.path).toBe(`/base/${parts.join('')}`);
      for (const read of [
        target.path,
        target.path.replaceAll(/%2f|%5c/gi, '/'),
        target.path.replaceAll(/\/+/g, '/'),
      ]) {
        const resolved = new URL(read, 'http://studio');
        expect(resolved.host).toBe('studio');
        expect(`${resolved.pathname}/`).toMatch(/^\/base\//);
      }
    }),
    { numRuns: sweepOf(5000, 500) },
  );
});

test.each([
  ['http://studio:8080', 'http://studio:8080/'],
  ['https://studio.example/base/', 'https://studio.example/base/'],
])('STUDIO_UPSTREAM %s is read (CON-057)', (value, href) => {
  expect(parseStudioUpstream(value).href).toBe(href);
});

test.each([
  '',
  'studio:8080',
  'ftp://studio',
  'http://',
  'http:studio',
  'http:///studio',
  'http://user:secret@studio',
  'http://studio?x',
  'http://studio/#x',
])('STUDIO_UPSTREAM %j is refused by name, without its value (CON-057)', (value) => {
  expect(() => parseStudioUpstream(value)).toThrow(/STUDIO_UPSTREAM/);
  expect(() => parseStudioUpstream(value)).not.toThrow(/secret/);
});
