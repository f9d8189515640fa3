import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { close, listen, urlOf } from '../../../src-main/sandbox/listening.ts';
import { type SandboxRegistry, startSandboxRegistry } from '../../../src-main/sandbox/registry/index.ts';
import { createRegistry, type Registry } from '../../../src-main/sources/registry/index.ts';
import { commitId } from '../../support/code-host.ts';

const sha = commitId('harbour');
const short = `sha-${sha.slice(0, 7)}`;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function sandbox(credentials?: string): Promise<SandboxRegistry> {
  const registry = await startSandboxRegistry({
    images: () => [{ name: 'northgate/harbour', tags: [sha, short] }],
    ...(credentials === undefined ? {} : { credentials }),
  });
  open.push(registry);
  return registry;
}

/** A registry that answers as the test says; what it was asked is in `asked`. */
async function answering(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ host: string; asked: { path: string; authorization: string | undefined }[] }> {
  const asked: { path: string; authorization: string | undefined }[] = [];
  const server: Server = createServer((request, response) => {
    asked.push({ path: `${request.method} ${request.url}`, authorization: request.headers.authorization });
    answer(request, response);
  });
  await listen(server);
  open.push({ close: () => close(server) });
  return { host: new URL(urlOf(server)).host, asked };
}

function client(options: {
  host: string;
  credentials?: () => string | undefined;
  now?: () => number;
}): Registry {
  const registry = createRegistry({ credentials: () => undefined, now: Date.now, ...options });
  open.push(registry);
  return registry;
}

const reason = async (registry: Registry, image: string, tags = [sha]): Promise<string> => {
  const read = await registry.manifest(image, tags);
  return read.ok ? `read: ${JSON.stringify(read.value)}` : read.reason;
};

describe('reading a registry', () => {
  it('finds the first tag that exists, with its digest, as nobody', async () => {
    const { host, requests } = await sandbox();
    const registry = client({ host });
    const read = await registry.manifest(`${host}/northgate/harbour`, ['v9', short, sha]);
    expect(read).toMatchObject({
      ok: true,
      value: { tag: short, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    });
    expect(await registry.manifest(`${host}/northgate/harbour`, ['v8', 'v9'])).toMatchObject({
      ok: true,
      value: undefined,
    });
    // One token serves every tag of an image.
    expect(requests.filter((line) => line.startsWith('GET /token'))).toHaveLength(1);
  });

  it('gives the credentials to the registry they are for, and to no other', async () => {
    const own = await sandbox('reader:secret');
    const credentials = (): string => 'reader:secret';
    const registry = client({ host: own.host, credentials });
    expect(await registry.manifest(`${own.host}/northgate/harbour`, [sha])).toMatchObject({ ok: true });
    const other = await answering((request, response) => {
      const realm = `http://${request.headers.host}/token`;
      if (request.url?.startsWith('/token')) response.end('{"token":"anybody"}');
      else if (request.headers.authorization === undefined)
        response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="other"` }).end();
      else response.writeHead(404).end();
    });
    expect(await registry.manifest(`${other.host}/northgate/harbour`, [sha])).toMatchObject({
      ok: true,
      value: undefined,
    });
    expect(other.asked.map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
      'Bearer anybody',
    ]);
  });

  it('says that it lacks credentials, and uses new ones at once', async () => {
    const { host } = await sandbox('reader:secret');
    let now = 1e12;
    let credentials: string | undefined;
    const registry = client({ host, credentials: () => credentials, now: () => now });
    expect(await reason(registry, `${host}/northgate/harbour`)).toContain(
      'CONSOLE_REGISTRY_TOKEN is not set',
    );
    credentials = 'reader:guess';
    now += 11_000;
    expect(await reason(registry, `${host}/northgate/harbour`)).toContain('does not show it to this console');
    credentials = 'reader:secret';
    now += 11_000;
    expect(await reason(registry, `${host}/northgate/harbour`)).toMatch(/^read: /);
  });

  it('does not ask for credentials that it would not give', async () => {
    const other = await sandbox('reader:secret');
    const registry = client({ host: 'registry.example', credentials: () => 'reader:secret' });
    expect(await reason(registry, `${other.host}/northgate/harbour`)).toContain('no credentials for it');
  });

  it('answers a Basic challenge', async () => {
    const { host } = await answering((request, response) => {
      if (request.headers.authorization === `Basic ${Buffer.from('a:b').toString('base64')}`)
        response.writeHead(200, { 'docker-content-digest': `sha256:${'0'.repeat(64)}` }).end();
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end();
    });
    expect(await reason(client({ host, credentials: () => 'a:b' }), `${host}/a/b`)).toMatch(/^read: /);
    expect(await reason(client({ host }), `${host}/a/b`)).toContain('CONSOLE_REGISTRY_TOKEN is not set');
  });

  it('takes the digest of the bytes where no header tells it', async () => {
    const { host } = await answering((request, response) =>
      response.end(request.method === 'HEAD' ? undefined : '{"schemaVersion":2}'),
    );
    expect(await reason(client({ host }), `${host}/a/b`)).toContain(
      'sha256:bafebd36189ad3688b7b3915ea55d461e0bfcfbdde11e54b0a123999fb6be50f',
    );
  });
});

describe('how often a registry is asked', () => {
  it('keeps an answer for a minute, and a full commit id that exists for an hour', async () => {
    const { host, requests } = await sandbox();
    let now = 1e12;
    const registry = client({ host, now: () => now });
    const asked = async (tag: string): Promise<number> => {
      const before = requests.length;
      await registry.manifest(`${host}/northgate/harbour`, [tag]);
      return requests.slice(before).filter((line) => line.includes('/manifests/')).length;
    };
    expect(await asked(short)).toBeGreaterThan(0);
    expect(await asked(sha)).toBeGreaterThan(0);
    expect(await asked('missing')).toBeGreaterThan(0);
    now += 59_000;
    expect([await asked(short), await asked(sha), await asked('missing')]).toEqual([0, 0, 0]);
    now += 2000;
    expect(await asked(short)).toBeGreaterThan(0);
    expect(await asked('missing')).toBeGreaterThan(0);
    now += 3_400_000;
    expect(await asked(sha)).toBe(0);
    now += 200_000;
    expect(await asked(sha)).toBeGreaterThan(0);
  });

  it('shares one request between those who ask at the same time', async () => {
    const { host, asked } = await answering((_request, response) => {
      response.writeHead(404).end();
    });
    const registry = client({ host });
    await Promise.all(Array.from({ length: 20 }, () => registry.manifest(`${host}/a/b`, ['one'])));
    expect(asked).toHaveLength(1);
  });
});

describe('a registry that misbehaves leaves a reason and throws nothing', () => {
  it.each([
    [500, 'answered 500'],
    [429, 'asked this console to wait'],
    [307, 'sends its callers elsewhere'],
    [403, 'does not show it'],
  ])('an answer %i', async (code, words) => {
    const { host } = await answering((_request, response) => {
      response.writeHead(code, { location: 'http://127.0.0.1:9/' }).end();
    });
    expect(await reason(client({ host }), `${host}/a/b`)).toContain(words);
  });

  it('nobody there', async () => {
    const gone = createServer();
    await listen(gone);
    const { host } = new URL(urlOf(gone));
    await close(gone);
    expect(await reason(client({ host }), `${host}/a/b`)).toBe(
      `the registry ${host} cannot be reached (ECONNREFUSED)`,
    );
  });

  it('no answer at all', async () => {
    const { host } = await answering(() => undefined);
    expect(await reason(client({ host }), `${host}/a/b`)).toBe(
      `the registry ${host} did not answer within 5 s`,
    );
  });

  it.each([
    'http://example.com/token',
    'ftp://127.0.0.1/token',
    'https://user:word@example.com/token',
    'token',
  ])('a token service at %s', async (realm) => {
    const { host } = await answering((_request, response) => {
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end();
    });
    expect(await reason(client({ host }), `${host}/a/b`)).toContain('not safe to ask');
  });

  it.each([
    ['a token that is none', '{"token": 7}'],
    ['no token', '{}'],
    ['no JSON', 'hello'],
  ])('%s', async (_name, body) => {
    const { host } = await answering((request, response) => {
      if (request.url?.startsWith('/token')) response.end(body);
      else
        response
          .writeHead(401, { 'www-authenticate': `Bearer realm="http://${request.headers.host}/token"` })
          .end();
    });
    expect(await reason(client({ host }), `${host}/a/b`)).toMatch(/not understood|gave no token/);
  });

  it.each([
    'harbour',
    '/a/b',
    'host:port/a',
    '127.0.0.1:9/A/B',
    '127.0.0.1:9/a/../b',
    'user@127.0.0.1:9/a',
    '127.0.0.1:9/a?b',
  ])('the image name %s', async (image) => {
    expect(await reason(client({ host: '127.0.0.1:9' }), image)).toBe(
      'this is no name of an image that a registry could have',
    );
  });

  it('a tag that is none', async () => {
    expect(await reason(client({ host: '127.0.0.1:9' }), '127.0.0.1:9/a', ['../x'])).toBe(
      'this is no name of an image that a registry could have',
    );
  });
});
