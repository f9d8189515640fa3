import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rawRequest } from '../../support/raw-request.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

let running: TestConsole;
let cookie: string;
beforeAll(async () => {
  running = await testConsole({ CONSOLE_ADMIN_PASSWORD: 'correct horse battery' });
  cookie = await running.cookie();
});
afterAll(() => running.close());

describe('every answer', () => {
  it.each(['/api/me', '/api/targets', '/api/metrics', '/api/nothing', '/healthz', '/', '/auth/logout'])(
    'of %s says that its type is not to be guessed',
    async (path) => {
      const answer = await fetch(`${running.url}${path}`, { redirect: 'manual' });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const refused = await fetch(`${running.url}${path}`, {
        method: 'POST',
        headers: { origin: 'http://elsewhere' },
      });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it.each([
    '//elsewhere.example/',
    '//elsewhere.example/..',
    '/\\elsewhere.example',
    '/%2f%2felsewhere.example',
    '/%5celsewhere.example',
    '/studio//elsewhere.example',
    '/studio?//elsewhere.example',
    '/auth/logout?next=//elsewhere.example',
    '/auth/link?token=x&next=//elsewhere.example',
    '//elsewhere.example/studio',
  ])('to %s leads to no other origin', async (target) => {
    const text = await rawRequest(
      running.url,
      `GET ${target} HTTP/1.1\r\nHost: ${running.host}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 [234]\d\d /);
    const [, location] = /\r\nlocation: (.*)\r\n/i.exec(text) ?? [];
    if (location === undefined) return;
    expect(new URL(location, running.url).origin).toBe(running.url);
  });
});

describe('a method other than GET on /api/studio (CON-061, CON-185)', () => {
  it.each([
    ['no body', undefined, undefined],
    ['a brief', 'application/json', '{"brief":"x"}'],
    ['JSON that is none', 'application/json', '{'],
    ['another media type', 'text/csv', 'a,b'],
    ['a body larger than any', 'application/json', 'x'.repeat(2_000_000)],
  ])('answers 405 as text with Allow whatever its body is: %s', async (_what, type, body) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${running.url}/api/studio`, {
        method,
        headers: { cookie, ...(type === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET');
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await answer.text()).toContain('no longer files briefs');
    }
  });

  it('is one case of a rule: an address that is not there, or not for this method, is said before the body', async () => {
    for (const [path, status] of [
      ['/api/me', 405],
      ['/api/nothing', 404],
      ['/nothing', 404],
    ] as const) {
      const headers = { cookie, 'content-type': 'text/csv' };
      const answer = await fetch(`${running.url}${path}`, { method: 'PUT', headers, body: 'a,b' });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });
});

describe('the session', () => {
  const other = (): string => `console_session=${randomBytes(32).toString('base64url')}`;

  it('is found among many cookies of its name that other programs of the host have set', async () => {
    const many = [...Array.from({ length: 40 }, other), 'console_session=short', cookie].join('; ');
    const answer = await fetch(`${running.url}/api/targets`, { headers: { cookie: many } });
    expect(answer.status).toBe(200);
  });

  it('is found behind as many forged copies as a request can carry, with one read of the store', async () => {
    const forged = Array.from({ length: 230 }, other);
    const read = vi.spyOn(running.store.db, 'selectFrom');
    try {
      const reads = () => read.mock.calls.filter(([table]) => String(table) === 'sessions').length;
      const found = await fetch(`${running.url}/api/me`, {
        headers: { cookie: [...forged, cookie].join('; ') },
      });
      expect([found.status, await found.json(), reads()]).toMatchObject([200, { authed: true }, 1]);
      const none = await fetch(`${running.url}/api/targets`, { headers: { cookie: forged.join('; ') } });
      expect([none.status, reads()]).toEqual([401, 2]);
    } finally {
      read.mockRestore();
    }
  });
});

it('the OpenAPI document is made once', async () => {
  const read = async (): Promise<string> =>
    (await fetch(`${running.url}/api/openapi.json`, { headers: { cookie } })).text();
  const first = await read();
  const { user, system } = process.cpuUsage();
  for (let i = 0; i < 40; i++) expect(await read()).toBe(first);
  const spent = process.cpuUsage({ user, system });
  // Made anew it took 46 ms; sent, with its digest, a few.
  expect((spent.user + spent.system) / 40 / 1000).toBeLessThan(25);
});
