import { expect, test } from 'vitest';
import { createRedact } from '../../../src-main/start/redact.ts';

const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----';

test('what a secret variable or a kept key holds is hidden wherever it is', () => {
  const redact = createRedact({ CONSOLE_ADMIN_PASSWORD: 'correct horse' }, () => ['kept-key-of-this-test']);
  expect(redact('said correct horse and kept-key-of-this-test, twice kept-key-of-this-test')).toBe(
    'said [redacted] and [redacted], twice [redacted]',
  );
});

test('a key of several lines is hidden in JSON, too', () => {
  const redact = createRedact({ CONSOLE_GITHUB_PRIVATE_KEY: pem });
  expect(redact(JSON.stringify({ msg: pem }))).not.toMatch(/MIIE|hkiG/);
  expect(createRedact({})(JSON.stringify({ msg: pem }))).not.toMatch(/MIIE|hkiG/);
});

test.each([
  ['GET https://ada:geheim@host/db failed', 'GET https://[redacted]@host/db failed'],
  ['authorization: Bearer abcdefghijklmnop.qr', 'authorization: Bearer [redacted]'],
  ['cookie console_session=abc123def; other=1', 'cookie console_session=[redacted]; other=1'],
  ['{"token":"abcdef123456"}', '{"token":"[redacted]"}'],
  ['token ghs_abcdefghijklmnop1234 was refused', 'token [redacted] was refused'],
])('%s', (text, left) => {
  expect(createRedact({})(text)).toBe(left);
});

test('words about secrets stay', () => {
  const text = 'CONSOLE_ADMIN_PASSWORD is not set; token: none; see https://example.com/a@b';
  expect(createRedact({})(text)).toBe(text);
});
