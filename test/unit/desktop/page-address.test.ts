import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDeepLink } from '../../../src-main/desktop/deep-link-address.ts';
import { addressParts, pageHref, viewParts } from '../../../src-shared/page-address.ts';

test('a deep link becomes an address inside the console, its parts in the order of the console', () => {
  expect(parseDeepLink('operator-console://open?tab=forgeStudio&chat=new')).toBe(
    '/?tab=forgeStudio&chat=new',
  );
  expect(parseDeepLink('operator-console://open/?chat=c-0123456789abcdef&tab=forgeStudio')).toBe(
    '/?tab=forgeStudio&chat=c-0123456789abcdef',
  );
  expect(parseDeepLink('operator-console://open?tab=forgeStudio&app=invoice-desk&panel=draft')).toBe(
    '/?tab=forgeStudio&app=invoice-desk&panel=draft',
  );
  expect(parseDeepLink('operator-console://open?tab=audit&record=7&outcome=refused')).toBe(
    '/?tab=audit&outcome=refused&record=7',
  );
  expect(parseDeepLink('operator-console://open')).toBe('/');
});

test('a link that holds anything unknown is refused whole', () => {
  for (const link of [
    'operator-console://open?tab=//evil',
    'operator-console://open?tab=forgeStudio&tab=settings',
    'operator-console://open?tab=forgeStudio&cmd=delete%20everything',
    'operator-console://open?tab=forgeStudio&chat=../../x',
    'operator-console://open?tab=forgeStudio&chat=c-XYZ',
    'operator-console://open?panel=other',
    'operator-console://open?tab=audit&record=%0A7',
    'operator-console://open?tab=audit&record=../7',
    'operator-console://open?tab=audit&outcome=unknown',
    'operator-console://open?tab=audit&since=yesterday',
    'operator-console://open?tab=',
    'operator-console://open?__proto__=x',
    'operator-console://open?constructor=x',
    'operator-console://open/other?tab=settings',
    'operator-console://open?tab=settings#x',
    'operator-console://user@open?tab=settings',
    'operator-console://open:80?tab=settings',
    'operator-console://evil.example?tab=settings',
    'operator-console:open?tab=settings',
    'https://open?tab=settings',
    `operator-console://open?tab=settings&${'x'.repeat(2000)}`,
    '',
  ])
    expect(parseDeepLink(link), link).toBeUndefined();
});

test('whatever a link says, its address stays on the origin', () => {
  fc.assert(
    fc.property(fc.constantFrom(...addressParts, ...viewParts), fc.string(), (part, value) => {
      const address = parseDeepLink(`operator-console://open?${part}=${value}`);
      if (address === undefined) return;
      const url = new URL(address, 'http://127.0.0.1:4100');
      expect(url.origin + url.pathname).toBe('http://127.0.0.1:4100/');
    }),
  );
});

test('a place without parts is the first page', () => {
  expect(pageHref({})).toBe('/');
  expect(pageHref({ chat: 'new', tab: 'forgeStudio' })).toBe('/?tab=forgeStudio&chat=new');
});
