import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../../support/raw-request.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

describe('the origin guard', () => {
  let console_: TestConsole;
  beforeAll(async () => {
    console_ = await testConsole({
      CONSOLE_PUBLIC_URL: 'https://ops.example.com',
      CONSOLE_ALLOWED_HOSTS: 'lb.local:8443',
    });
  });
  afterAll(() => console_.close());

  const raw = (head: string[]) =>
    rawRequest(console_.url, `${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

  it('refuses a rebound name, even on a plain read, and even with an equal Origin', async () => {
    const { port } = new URL(console_.url);
    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      '127.0.0.1',
      '127.0.0.1:1',
      `localhost.:${port}`,
    ]) {
      expect([host, statusOf(await raw(['GET /api/me HTTP/1.1', `Host: ${host}`]))]).toEqual([host, 403]);
      expect(statusOf(await raw(['GET /healthz HTTP/1.1', `Host: ${host}`, `Origin: http://${host}`]))).toBe(
        403,
      );
      expect(statusOf(await raw(['GET /studio/ HTTP/1.1', `Host: ${host}`]))).toBe(403);
    }
  });

  it('answers to its own names, in any case, and to configured ones', async () => {
    const { port } = new URL(console_.url);
    for (const host of [
      `127.0.0.1:${port}`,
      `LOCALHOST:${port}`,
      `console.localhost:${port}`,
      'ops.example.com',
      'lb.local:8443',
    ]) {
      expect([host, statusOf(await raw(['GET /healthz HTTP/1.1', `Host: ${host}`]))]).toEqual([host, 200]);
    }
  });

  it('refuses a request with two Host headers or none', async () => {
    expect(
      statusOf(await raw(['GET /healthz HTTP/1.1', `Host: ${console_.host}`, `Host: ${console_.host}`])),
    ).toBe(400);
    expect(statusOf(await raw(['GET /healthz HTTP/1.1']))).toBe(400);
    expect(statusOf(await raw(['GET /healthz HTTP/1.0']))).toBe(400);
  });

  it('refuses a target that names a host of its own, whatever Host says', async () => {
    for (const target of ['http://evil.example/api/me', `http://${console_.host}/studio/`, '*', 'api/me']) {
      const method = target === '*' ? 'OPTIONS' : 'GET';
      expect([
        target,
        statusOf(await raw([`${method} ${target} HTTP/1.1`, `Host: ${console_.host}`])),
      ]).toEqual([target, 400]);
    }
  });

  const post = (headers: Record<string, string>, path = '/auth/logout') =>
    request(`${console_.url}${path}`, { method: 'POST', headers: { host: console_.host, ...headers } });

  it('refuses unsafe methods from another origin, another port, a sandboxed page, or the wrong scheme', async () => {
    for (const origin of [
      'http://evil.example',
      'http://127.0.0.1:1',
      'null',
      `https://${console_.host}`,
      `http://${console_.host}.evil.example`,
      'http://ops.example.com',
    ]) {
      const { statusCode, body } = await post({ origin });
      await body.dump();
      expect([origin, statusCode]).toEqual([origin, 403]);
    }
    const crossSite = await post({ 'sec-fetch-site': 'cross-site' });
    await crossSite.body.dump();
    expect(crossSite.statusCode).toBe(403);
  });

  it('serves unsafe methods to its own page and to programs, which send no Origin', async () => {
    for (const headers of [{ origin: `http://${console_.host}` }, {}]) {
      const { statusCode, body } = await post(headers);
      await body.dump();
      expect(statusCode).toBe(200);
    }
  });

  it('refuses gRPC-web and WebSocket upgrades from another origin (CON-152, CON-186)', async () => {
    const rpc = await post(
      { origin: 'http://evil.example', 'content-type': 'application/grpc-web+proto' },
      '/profile.v1.ProfileService/GetProfile',
    );
    await rpc.body.dump();
    expect(rpc.statusCode).toBe(403);
    const upgrade = await rawRequest(
      console_.url,
      `GET /studio/ws HTTP/1.1\r\nHost: ${console_.host}\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
    );
    expect(statusOf(upgrade)).toBe(403);
  });

  it('serves nothing, reads included, to a fetch of a page on another port or site; a link that is followed passes', async () => {
    const get = async (headers: Record<string, string>) => {
      const answer = await request(`${console_.url}/api/me`, { headers });
      await answer.body.dump();
      return answer.statusCode;
    };
    for (const site of ['cross-site', 'same-site'])
      for (const mode of ['no-cors', 'cors', 'websocket'])
        expect(await get({ 'sec-fetch-site': site, 'sec-fetch-mode': mode })).toBe(403);
    expect(await get({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await get({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(200);
    expect(await get({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200);
    expect(await get({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200);
  });

  const statusAt = async (path: string, headers: Record<string, string>) => {
    const answer = await request(`${console_.url}${path}`, { headers });
    await answer.body.dump();
    return answer.statusCode;
  };

  it('refuses its pages in a frame of another origin, and serves them in its own and to a link', async () => {
    const navigate = { 'sec-fetch-mode': 'navigate' };
    for (const site of ['cross-site', 'same-site'])
      for (const dest of ['iframe', 'frame', 'embed', 'object', 'fencedframe'])
        for (const path of ['/', '/studio/', '/api/me'])
          expect([
            site,
            dest,
            path,
            await statusAt(path, { ...navigate, 'sec-fetch-site': site, 'sec-fetch-dest': dest }),
          ]).toEqual([site, dest, path, 403]);
    const own = { ...navigate, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' };
    expect(await statusAt('/', own)).toBe(200);
    const link = { ...navigate, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
    expect(await statusAt('/', link)).toBe(200);
  });

  it('signs nobody out for a page or a link from elsewhere', async () => {
    const html = { accept: 'text/html,*/*' };
    const foreign = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      // A browser without Fetch Metadata.
      html,
      { ...html, referer: 'http://evil.example/page' },
    ];
    const cookie = await console_.cookieOf('sven@northgate.example');
    for (const headers of foreign) {
      expect([headers, await statusAt('/auth/logout', { cookie, ...headers })]).toEqual([headers, 403]);
      expect(await statusAt('/auth/logout?then=/', { cookie, ...headers })).toBe(403);
    }
    expect(await statusAt('/api/sessions', { cookie })).toBe(200);
    const own = { ...html, referer: `${console_.url}/?tab=overview` };
    expect(await statusAt('/auth/logout', { cookie, ...own })).toBe(200);
    expect(await statusAt('/api/sessions', { cookie })).toBe(401);
    expect(await statusAt('/auth/logout', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(
      200,
    );
  });

  it("gives no script to a service worker outside the studio's addresses, and to other workers only its bundle", async () => {
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'same-origin' };
    for (const path of ['/', '/sw.js', '/assets/x.js', '/studio', '/api/me', '/api/pods/a/b/logs']) {
      expect([path, await statusAt(path, { 'service-worker': 'script' })]).toEqual([path, 403]);
      expect([path, await statusAt(path, { ...own, 'sec-fetch-dest': 'serviceworker' })]).toEqual([
        path,
        403,
      ]);
    }
    for (const dest of ['worker', 'sharedworker']) {
      expect(await statusAt('/api/me', { ...own, 'sec-fetch-dest': dest })).toBe(403);
      expect(await statusAt('/assets/x.js', { ...own, 'sec-fetch-dest': dest })).toBe(404);
    }
    // 401: the studio's own to answer.
    expect(await statusAt('/studio/sw.js', { 'service-worker': 'script' })).toBe(401);
  });

  it('never allows another origin to read an answer (CON-001)', async () => {
    const { headers, body } = await request(`${console_.url}/api/me`, {
      headers: { origin: 'http://evil.example' },
    });
    await body.dump();
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
