import { expect, test } from 'vitest';
import { isPermitted } from '../../../src-main/desktop/permissions.ts';
import { startFailureMessage } from '../../../src-main/desktop/start-failure.ts';

const origin = 'http://127.0.0.1:4100';
const ask = (permission: string, media: readonly string[] = [], asker: string | undefined = `${origin}/`) =>
  isPermitted({ permission, media, asker }, origin);

test('the microphone and writing the clipboard are permitted on the own origin', () => {
  expect(ask('media', ['audio'])).toBe(true);
  expect(ask('clipboard-sanitized-write')).toBe(true);
});

test('everything else is denied', () => {
  for (const media of [['video'], ['audio', 'video'], ['unknown'], []])
    expect(ask('media', media)).toBe(false);
  for (const permission of [
    'geolocation',
    'notifications',
    'clipboard-read',
    'display-capture',
    'hid',
    'openExternal',
  ])
    expect(ask(permission, ['audio']), permission).toBe(false);
});

test('other origins are denied even those', () => {
  for (const asker of ['http://127.0.0.1:4101/', 'https://example.com/', 'null', '', 'about:blank']) {
    expect(ask('media', ['audio'], asker), asker).toBe(false);
    expect(ask('clipboard-sanitized-write', [], asker), asker).toBe(false);
  }
  expect(isPermitted({ permission: 'media', media: ['audio'], asker: undefined }, origin)).toBe(false);
});

test('a start that fails says what to do about a taken address', () => {
  const taken = Object.assign(new Error('listen EADDRINUSE'), {
    code: 'EADDRINUSE',
    address: '::1',
    port: 8080,
  });
  expect(startFailureMessage(taken)).toMatch(/^\[::1\]:8080 is in use .* CONSOLE_LISTEN\.$/);
  expect(startFailureMessage(new Error('The store is newer.'))).toBe('The store is newer.');
  expect(startFailureMessage('odd')).toBe('odd');
});
