import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Studio } from '../../../../src-main/backends/studio/index.ts';
import { assertion, mira, testStudio } from './harness.ts';

const script = 'console.log("studio");'.repeat(100);

describe('the web bundle of the studio', () => {
  let folder: string;
  let studio: Studio;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'studio-web-'));
    const webDir = join(folder, 'web');
    await mkdir(join(webDir, 'assets'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"secret":true}');
    await writeFile(join(webDir, 'index.html'), '<!doctype html><title>Studio</title>');
    await writeFile(join(webDir, '.env'), 'a secret within it');
    await symlink(join(folder, 'package.json'), join(webDir, 'linked.txt'));
    await writeFile(join(webDir, 'assets', 'index-abc.js'), script);
    await writeFile(join(webDir, 'assets', 'index-abc.js.br'), brotliCompressSync(script));
    await writeFile(join(webDir, 'assets', 'index-abc.js.gz'), gzipSync(script));
    studio = await testStudio({ webDir });
  });
  afterAll(async () => {
    await studio.close();
    await rm(folder, { recursive: true });
  });

  /** Sends the path as written: fetch would resolve the dots away. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: studio.port,
          path,
          method,
          headers: { 'x-console-identity': assertion(mira), ...headers },
        },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          });
        },
      );
      call.on('error', reject).end();
    });

  it('answers its page at the root, to be asked for again each time', async () => {
    const page = await get('/?chat=new&panel=draft');
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    const again = await get('/', { 'if-none-match': String(page.headers.etag) });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('sends security headers, but neither X-Frame-Options nor frame-ancestors: the console frames it', async () => {
    const { headers } = await get('/');
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('frame-ancestors');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('answers hashed assets as immutable, in the smallest encoding the client accepts', async () => {
    const plain = await get('/assets/index-abc.js');
    expect(plain.body).toBe(script);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    const encodingFor = async (accept: string) =>
      (await get('/assets/index-abc.js', { 'accept-encoding': accept })).headers['content-encoding'];
    expect(await encodingFor('gzip, deflate, br')).toBe('br');
    expect(await encodingFor('gzip;q=0.5')).toBe('gzip');
    expect(await encodingFor('br;q=0, gzip')).toBe('gzip');
    expect(await encodingFor('identity')).toBeUndefined();
  });

  it('answers HEAD without a body and refuses other methods', async () => {
    const head = await get('/', {}, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const post = await get('/', {}, 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('gives out no file outside of the bundle, however the path is written', async () => {
    for (const path of [
      '/../package.json',
      '/..%2fpackage.json',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/package.json',
      '/assets/..%5c..%5cpackage.json',
      '/assets/../../package.json',
      '//package.json',
      '/assets/%00index-abc.js',
      '/assets',
      '/assets/index-abc.js.br',
      '/.env',
      '/linked.txt',
      '/constructor',
      '/%',
    ]) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.body).not.toContain('secret');
    }
  });

  it('gives out no page without an assertion', async () => {
    const answer = await get('/', { 'x-console-identity': 'none' });
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain('<title>');
  });

  it('says how to build the bundle when there is none', async () => {
    const bare = await testStudio({ webDir: join(folder, 'absent') });
    const answer = await fetch(bare.url, { headers: { 'x-console-identity': assertion(mira) } });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('npm run build') });
    await bare.close();
  });
});
