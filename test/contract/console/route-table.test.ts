import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removedRoutes, routeTable } from '../../../src-shared/api/index.ts';
import type { Method, Route } from '../../../src-shared/api/route.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const table: readonly Route[] = routeTable;
const address = (path: string): string => path.replace(/\{\w+\}/g, 'x');

describe('every route of the table (CON-003)', () => {
  let guarded: TestConsole;

  beforeAll(async () => {
    guarded = await testConsole();
  });
  afterAll(async () => {
    await guarded.close();
  });

  /** A call with a body no schema takes: what is refused for the caller is refused before what is wrong in it. */
  const call = (console: TestConsole, method: string, path: string, headers: Record<string, string> = {}) =>
    request(`${console.url}${address(path)}`, {
      method: method as Method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }),
    });

  for (const path of new Set(table.map((route) => route.path))) {
    const taken = table.filter((route) => route.path === path).map((route) => route.method);
    if (taken.includes('any')) continue;
    const allow = taken.join(', ');

    it(`${path} answers 405 with Allow: ${allow} to every other method (RTE-006)`, async () => {
      for (const method of [...methods, 'HEAD', 'OPTIONS', 'PROPFIND'].filter(
        (m) => !taken.some((t) => t === m),
      )) {
        const { statusCode, headers, body } = await call(guarded, method, path);
        await body.dump();
        expect([method, statusCode, headers.allow]).toEqual([method, 405, allow]);
      }
    });
  }

  for (const { method, path } of removedRoutes) {
    it(`${method} ${path} stays gone, also for a signed-in person (CON-008)`, async () => {
      const cookie = await guarded.cookie();
      const { statusCode, body } = await call(guarded, method, path, { cookie });
      await body.dump();
      expect([404, 405]).toContain(statusCode);
      expect(table.some((route) => route.path === path && route.method === method)).toBe(false);
    });
  }

  it('says where briefs are filed when one is sent to /api/studio (CON-061, CON-185)', async () => {
    const { statusCode, headers, body } = await call(guarded, 'POST', '/api/studio');
    expect([statusCode, headers.allow]).toEqual([405, 'GET']);
    expect(await body.text()).toMatch(/no longer files briefs.*studio/);
  });

  it('has an access class, a summary and a unique name for each', () => {
    expect(new Set(table.map((route) => route.id)).size).toBe(table.length);
    for (const route of table) expect(route.summary).toMatch(/\.$/);
  });

  it('describes each in the OpenAPI document (RTE-032)', async () => {
    const cookie = await guarded.cookie();
    const { body } = await call(guarded, 'GET', '/api/openapi.json', { cookie });
    const document = (await body.json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.openapi).toBe('3.1.0');
    for (const route of table) {
      expect(document.paths[route.path]).toHaveProperty(
        route.method === 'any' ? 'post' : route.method.toLowerCase(),
      );
    }
  });

  it('describes the events of each stream by name, and the second form of a route', async () => {
    const cookie = await guarded.cookie();
    const { body } = await call(guarded, 'GET', '/api/openapi.json', { cookie });
    type Content = Record<string, { schema?: unknown; 'x-events'?: Record<string, { type?: string }> }>;
    const { paths } = (await body.json()) as {
      paths: Record<string, { get?: { responses: Record<string, { content?: Content }> } }>;
    };
    const contentOf = (path: string) => paths[path]?.get?.responses['200']?.content ?? {};
    const withEvents = table.filter(({ events }) => events !== undefined);
    expect(withEvents.length).toBeGreaterThanOrEqual(6);
    for (const { path, events = {}, answer } of withEvents) {
      const content = contentOf(path);
      expect(Object.keys(content['text/event-stream']?.['x-events'] ?? {})).toEqual(Object.keys(events));
      expect('application/json' in content).toBe(typeof answer !== 'string');
    }
    const change = contentOf('/api/targets/changes')['text/event-stream']?.['x-events']?.changed;
    expect(change).toMatchObject({ type: 'object', required: ['resources'] });
    expect(Object.keys(contentOf('/api/metrics'))).toEqual(['application/json', 'text/plain; version=0.0.4']);
  });

  it('answers an ETag on JSON reads and 304 to one that still holds (RTE-007)', async () => {
    const cookie = await guarded.cookie();
    const first = await call(guarded, 'GET', '/api/me', { cookie });
    await first.body.dump();
    const etag = String(first.headers.etag);
    const again = await call(guarded, 'GET', '/api/me', { cookie, 'if-none-match': `"other", W/${etag}` });
    expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
    const other = await call(guarded, 'GET', '/api/me', { 'if-none-match': etag });
    await other.body.dump();
    expect(other.statusCode).toBe(200);
  });

  it('names a parameter it does not know, a field that is missing and a body that is not JSON (RTE-005, RTE-006)', async () => {
    const cookie = await guarded.cookie();
    const unknown = await call(guarded, 'GET', '/api/me?colour=red');
    expect([unknown.statusCode, await unknown.body.json()]).toEqual([
      400,
      {
        error: '"colour" is not a parameter of this address.',
        request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]);
    const missing = await call(guarded, 'POST', '/api/sessions/revoke-all', { cookie });
    expect(missing.statusCode).toBe(400);
    expect(await missing.body.text()).toContain('subject');
    const broken = await request(`${guarded.url}/auth/google`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"credential":',
    });
    expect(broken.statusCode).toBe(400);
    expect(Object.keys((await broken.body.json()) as object)).toEqual(['error', 'request_id']);
    const text = await request(`${guarded.url}/auth/google`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"credential":"x"}',
    });
    await text.body.dump();
    expect(text.statusCode).toBe(415);
    const large = await request(`${guarded.url}/auth/google`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ credential: 'x'.repeat(2_000_000) }),
    });
    await large.body.dump();
    expect(large.statusCode).toBe(413);
  });
});
