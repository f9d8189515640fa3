import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectCluster } from '../../support/object-cluster.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

describe('the web app', () => {
  let folder: string;
  let console_: TestConsole;
  let bare: TestConsole;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'web-app-'));
    const web = join(folder, 'web');
    mkdirSync(join(web, 'assets'), { recursive: true });
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>The bundle</title>');
    const script = `console.log(${JSON.stringify('x'.repeat(5000))})`;
    writeFileSync(join(web, 'assets/main-abc123.js'), script);
    writeFileSync(join(web, 'assets/main-abc123.js.br'), brotliCompressSync(script));
    writeFileSync(join(web, 'third-party-notices.txt'), 'Third-party notices');
    writeFileSync(join(web, '.env'), 'SECRET=1');
    writeFileSync(join(folder, 'outside.txt'), 'outside');
    console_ = await testConsole({}, { webDir: web });
    bare = await testConsole();
  });
  afterAll(async () => {
    await console_.close();
    await bare.close();
    rmSync(folder, { recursive: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}, from = console_) => {
    const answer = await request(`${from.url}${path}`, { headers });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    };
  };

  it('serves the notices of what ships as plain text', async () => {
    const { status, headers, bytes } = await get('/third-party-notices.txt');
    expect([status, headers['content-type'], bytes.toString()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'Third-party notices',
    ]);
  });

  it('is asked for again each time at /, whatever page the address names (CON-001)', async () => {
    for (const path of ['/', '/?tab=forgeStudio&chat=repo-a', '/index.html']) {
      const { status, headers, bytes } = await get(path);
      expect([status, headers['cache-control'], bytes.toString()]).toEqual([
        200,
        'no-cache',
        expect.stringContaining('The bundle'),
      ]);
    }
  });

  it('serves hashed assets precompressed and for good', async () => {
    const { headers, bytes } = await get('/assets/main-abc123.js', { 'accept-encoding': 'br, gzip' });
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    });
    expect(brotliDecompressSync(bytes).toString()).toContain('xxx');
    expect((await get('/assets/main-abc123.js')).headers['content-encoding']).toBeUndefined();
  });

  it('gives nothing outside its folder and no hidden file', async () => {
    for (const path of [
      '/../outside.txt',
      '/%2e%2e/outside.txt',
      '/..%2foutside.txt',
      '/assets/../../outside.txt',
      '//outside.txt',
      '/.env',
      '/%2eenv',
      '/assets/..%5c..%5coutside.txt',
      '/assets/main-abc123.js%00',
    ]) {
      const answer = await rawRequest(
        console_.url,
        `GET ${path} HTTP/1.1\r\nHost: ${console_.host}\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 4\d\d/)]);
      expect(answer).not.toMatch(/outside$|SECRET/);
    }
  });

  it('may be framed by its own origin: neither X-Frame-Options nor frame-ancestors is sent (CON-058)', async () => {
    const { headers } = await get('/');
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('frame-ancestors');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  });

  it('lets Google’s sign-in script in where its sign-in is set up, and nothing foreign elsewhere', async () => {
    const google = await testConsole({ CONSOLE_GOOGLE_CLIENT_ID: 'client-1' });
    const policyOf = async (from: TestConsole) =>
      String((await get('/', {}, from)).headers['content-security-policy']);
    for (const directive of ['script-src', 'frame-src', 'connect-src']) {
      expect(await policyOf(google)).toContain(`${directive} 'self' https://accounts.google.com;`);
    }
    // A form hands the manifest of an App to the code host; nothing else leaves.
    const form = "form-action 'self' https://github.com;";
    const policy = await policyOf(console_);
    expect(policy).toContain(form);
    expect(policy.replace(form, '')).not.toContain('http');
    await google.close();
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await request(`${console_.url}/assets/main-abc123.js`, { method: 'HEAD' });
    expect([answer.statusCode, await answer.body.text()]).toEqual([200, '']);
  });

  it('is a plain dashboard page where no bundle is built, saying so (CON-007)', async () => {
    const { status, bytes } = await get('/', {}, bare);
    expect([status, bytes.toString()]).toEqual([200, expect.stringContaining('CONSOLE_WEB_DIR')]);
  });

  describe('without a bundle is a dashboard that works without scripts (CON-007)', () => {
    const password = 'a password for this test';
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'birch-<b>1</b>' },
      status: { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }] },
    };
    const open = () => testConsole({ CONSOLE_ADMIN_PASSWORD: password }, { cluster: objectCluster([node]) });
    const form = (from: TestConsole, path: string, body: string, cookie = '') =>
      request(`${from.url}${path}`, {
        method: 'POST',
        headers: {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          origin: from.url,
          cookie,
        },
        body,
      });

    it('shows what needs attention and the targets to who may read them, and no script', async () => {
      const from = await open();
      const shown = (await get('/', { cookie: await from.cookie() }, from)).bytes.toString();
      expect(shown).toContain('Signed in as operator@console.localhost');
      expect(shown).toContain('birch-&lt;b&gt;1&lt;/b&gt;');
      expect(shown).toMatch(/<h2>Targets<\/h2><table>/);
      expect(shown).not.toMatch(/<script|<b>|javascript:/);
      const stranger = (await get('/', {}, from)).bytes.toString();
      expect(stranger).not.toContain('birch');
      expect(stranger).toContain('action="/auth/password"');
      await from.close();
    });

    it('signs in and out by forms, and says what was wrong on a page', async () => {
      const from = await open();
      const wrong = await form(from, '/auth/password', 'username=operator%40console.localhost&password=no');
      expect([wrong.statusCode, wrong.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(await wrong.body.text()).toMatch(/<h1>Not signed in<\/h1>/);
      const right = await form(
        from,
        '/auth/password',
        new URLSearchParams({ username: 'operator@console.localhost', password }).toString(),
      );
      await right.body.dump();
      expect([right.statusCode, right.headers.location]).toEqual([303, '/']);
      const cookie = String(right.headers['set-cookie']).split(';', 1)[0] ?? '';
      expect((await get('/', { cookie }, from)).bytes.toString()).toContain('birch');
      const out = await form(from, '/auth/logout', '', cookie);
      await out.body.dump();
      expect([out.statusCode, out.headers.location]).toEqual([303, '/']);
      expect((await get('/', { cookie }, from)).bytes.toString()).not.toContain('birch');
      await from.close();
    });
  });

  it('answers an unknown address with a page to a person and with JSON to a program (CON-003)', async () => {
    const page = await get('/nowhere', { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([404, expect.stringContaining('text/html')]);
    const json = await get('/api/nowhere', { accept: 'text/html' });
    expect([json.status, JSON.parse(json.bytes.toString())]).toEqual([
      404,
      { error: expect.any(String), request_id: expect.any(String) },
    ]);
  });
});
