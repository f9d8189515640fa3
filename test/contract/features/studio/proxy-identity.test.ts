import { jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  EMAIL,
  head,
  KEY,
  type Mounted,
  mount,
  SESSION,
  sendRaw,
  startUpstream,
  type Upstream,
} from './proxy-harness.ts';

let upstream: Upstream;
let mounted: Mounted;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    req.resume();
    req.on('end', () => res.end('ok'));
  });
  mounted = await mount(upstream.url);
});
afterAll(async () => {
  await mounted.stop();
  await upstream.stop();
});
beforeEach(() => {
  upstream.seen.length = 0;
});

/** Every header of the one request the studio saw, by lower-case name with `_` and `-` alike. */
const received = (): Map<string, string[]> => {
  expect(upstream.seen).toHaveLength(1);
  const raw = upstream.seen[0]?.rawHeaders ?? [];
  const found = new Map<string, string[]>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase().replaceAll('_', '-');
    found.set(name, [...(found.get(name) ?? []), raw[i + 1] ?? '']);
  }
  return found;
};

const verified = async (): Promise<Record<string, unknown>> => {
  const identities = received().get('x-console-identity') ?? [];
  expect(identities).toHaveLength(1);
  const { payload, protectedHeader } = await jwtVerify(identities[0] ?? '', Buffer.from(KEY, 'base64'), {
    issuer: 'console',
    audience: 'studio',
  });
  expect(protectedHeader.alg).toBe('HS256');
  return payload;
};

describe('the identity', () => {
  test('is an assertion a JWT library verifies, for the signed-in email and two minutes (CON-004, CON-050, CON-173, CON-189)', async () => {
    await sendRaw(mounted.port, head('GET /studio/x'));
    const claims = await verified();
    expect(claims).toMatchObject({ iss: 'console', sub: EMAIL, email: EMAIL, aud: 'studio' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(120);
    expect(Math.abs(Number(claims.iat) - Date.now() / 1000)).toBeLessThan(3);
  });

  test.each([
    ['in its own spelling', ['X-Console-Identity: planted']],
    ['in another case', ['x-cOnSoLe-IDENTITY: planted']],
    ['twice', ['X-Console-Identity: planted', 'X-Console-Identity: planted']],
    ['with underscores', ['X_Console_Identity: planted']],
    ['with a dot', ['X-Console.Identity: planted']],
    ['by naming it in Connection', ['X-Console-Identity: planted', 'Connection: X-Console-Identity']],
  ])('cannot be planted %s (CON-047, CON-174)', async (_, lines) => {
    const answer = await sendRaw(mounted.port, head('GET /studio/x', ...lines));
    expect(answer.status).toBe(200);
    expect((await verified()).email).toBe(EMAIL);
    expect(upstream.seen[0]?.rawHeaders.join('\n')).not.toContain('planted');
  });

  test('cannot be removed by naming it and our other headers in Connection', async () => {
    await sendRaw(
      mounted.port,
      head(
        'GET /studio/x',
        'Connection: close, X-Console-Identity, X-Forwarded-Prefix, X-Forwarded-For, Host',
      ),
    );
    expect((await verified()).email).toBe(EMAIL);
    expect(received().get('x-forwarded-prefix')).toEqual(['/studio']);
    expect(received().get('x-forwarded-for')).toEqual(['127.0.0.1']);
  });

  test('cannot be planted as a trailer', async () => {
    const body = '3\r\nabc\r\n0\r\nX-Console-Identity: planted\r\n\r\n';
    const answer = await sendRaw(
      mounted.port,
      head('POST /studio/x', 'Transfer-Encoding: chunked', 'Trailer: X-Console-Identity') + body,
    );
    expect(answer.status).toBe(200);
    expect((await verified()).email).toBe(EMAIL);
    expect(upstream.seen[0]?.rawTrailers).toEqual([]);
  });

  test('of another second is another assertion, of the same second the same one', async () => {
    let now = 1_700_000_000_000;
    const own = await mount(upstream.url, { now: () => now });
    const identities: unknown[] = [];
    for (const step of [0, 999, 1]) {
      now += step;
      await sendRaw(own.port, head('GET /studio/x', 'Connection: close'));
      identities.push(upstream.seen.at(-1)?.headers['x-console-identity']);
    }
    await own.stop();
    expect(identities[0]).toBe(identities[1]);
    expect(identities[2]).not.toBe(identities[0]);
  });
});

describe('without a right to it nothing is proxied (CON-046)', () => {
  test('without a session the answer is 401 (CON-048, CON-181)', async () => {
    const answer = await sendRaw(mounted.port, 'GET /studio/x HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('{"error":"');
    expect(upstream.seen).toHaveLength(0);
  });

  test('a session that is read asynchronously counts the same', async () => {
    const slow = await mount(upstream.url, {
      sessionOf: async (req) => {
        await new Promise((done) => setTimeout(done, 20));
        return req.headers.cookie === 'console_session=slow' ? { id: 'slow', email: EMAIL } : undefined;
      },
    });
    const request = (cookie: string): string =>
      `POST /studio/x HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nContent-Length: 3\r\n\r\nabc`;
    expect((await sendRaw(slow.port, request('console_session=slow'))).status).toBe(200);
    expect((await sendRaw(slow.port, request('console_session=other'))).status).toBe(401);
    await slow.stop();
    expect(upstream.seen).toHaveLength(1);
  });

  test('a session that cannot be read answers 503', async () => {
    const broken = await mount(upstream.url, { sessionOf: () => Promise.reject(new Error('store')) });
    expect((await sendRaw(broken.port, head('GET /studio/x'))).status).toBe(503);
    await broken.stop();
    expect(upstream.seen).toHaveLength(0);
  });

  test('without a key the answer is 503 and names the variable, after the session is checked (CON-049, CON-182)', async () => {
    const keyless = await mount(upstream.url, {
      identityKey: () => ({ ok: false, reason: 'CONSOLE_STUDIO_IDENTITY_KEY is not set.' }),
    });
    const answer = await sendRaw(keyless.port, head('GET /studio/x'));
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('CONSOLE_STUDIO_IDENTITY_KEY');
    expect((await sendRaw(keyless.port, 'GET /studio/x HTTP/1.1\r\nHost: a\r\n\r\n')).status).toBe(401);
    await keyless.stop();
    expect(upstream.seen).toHaveLength(0);
  });

  test('TRACE, which would send the assertion back, is refused', async () => {
    expect((await sendRaw(mounted.port, head('TRACE /studio/x'))).status).toBe(405);
    expect(upstream.seen).toHaveLength(0);
  });
});

describe('headers on the way to the studio', () => {
  test('the session cookie is gone wherever it is, the others keep their bytes (CON-053, CON-174)', async () => {
    await sendRaw(
      mounted.port,
      head('GET /studio/x', `Cookie: a=1;  ${SESSION}x ;b="2; 3"`, 'Cookie: console_session="q;r"; c = 4'),
    );
    expect(received().get('cookie')?.join(' | ')).toBe('a=1;b="2; 3" | c = 4');
  });

  test('what the client says about its way is replaced by what the console saw (CON-051, CON-052)', async () => {
    await sendRaw(
      mounted.port,
      head(
        'GET /studio/x',
        'X-Forwarded-For: 6.6.6.6',
        'X_Forwarded_For: 6.6.6.6',
        'X-Forwarded-Host: evil',
        'X-Forwarded-Prefix: /evil',
        'Forwarded: for=6.6.6.6',
        'X-Real-IP: 6.6.6.6',
      ),
    );
    const headers = received();
    expect(headers.get('x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(headers.get('x-forwarded-host')).toEqual(['console.test']);
    expect(headers.get('x-forwarded-proto')).toEqual(['http']);
    expect(headers.get('x-forwarded-port')).toEqual([String(mounted.port)]);
    expect(headers.get('x-forwarded-prefix')).toEqual(['/studio']);
    expect(headers.get('host')).toEqual([new URL(upstream.url).host]);
    expect(headers.has('forwarded') || headers.has('x-real-ip')).toBe(false);
  });

  describe('behind a proxy that ends TLS', () => {
    const publicUrl = new URL('https://console.example.com');
    const forwardedTo = async (options: Parameters<typeof mount>[1], ...lines: string[]) => {
      upstream.seen.length = 0;
      const behind = await mount(upstream.url, options);
      try {
        await sendRaw(behind.port, head('GET /studio/x', ...lines));
      } finally {
        await behind.stop();
      }
      const told = received();
      return ['proto', 'host', 'port', 'for'].map((name) => told.get(`x-forwarded-${name}`)?.join(' | '));
    };
    const fromProxy = [
      'X-Forwarded-For: 6.6.6.6, 203.0.113.5',
      'X-Forwarded-For: 10.1.2.3',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Port: 8443',
    ];
    const trustedProxies = ['127.0.0.0/8', '10.0.0.0/8'];

    test('the studio hears the public scheme, host and port, and the client the trusted proxies name (CON-051)', async () => {
      const told = ['https', 'console.example.com', '443', '203.0.113.5, 10.1.2.3, 127.0.0.1'];
      expect(await forwardedTo({ publicUrl, trustedProxies }, ...fromProxy)).toEqual(told);
      expect(
        await forwardedTo({ publicUrl: new URL('http://console.example.com:8080'), trustedProxies }),
      ).toEqual(['http', 'console.example.com:8080', '8080', '127.0.0.1']);
    });

    test('without a public address it hears what a trusted proxy says, and nothing of what another says', async () => {
      expect(await forwardedTo({ trustedProxies }, ...fromProxy)).toEqual([
        'https',
        'console.test',
        '8443',
        '203.0.113.5, 10.1.2.3, 127.0.0.1',
      ]);
      const [proto, , port, client] = await forwardedTo({ trustedProxies: ['192.0.2.1'] }, ...fromProxy);
      expect([proto, client]).toEqual(['http', '127.0.0.1']);
      expect(port).not.toBe('8443');
    });

    test('a proxy that names no address or nonsense leaves the address of the proxy', async () => {
      for (const lines of [
        [],
        ['X-Forwarded-For: unknown'],
        ['X-Forwarded-For: , ,'],
        ['X-Forwarded-Proto: ftp'],
      ]) {
        const [proto, , port, client] = await forwardedTo({ trustedProxies }, ...lines);
        expect([proto, port, client]).toEqual(['http', '80', '127.0.0.1']);
      }
    });
  });

  test('headers of the connection and those it names stay here', async () => {
    await sendRaw(
      mounted.port,
      head(
        'GET /studio/x',
        'Connection: x-once, Keep-Alive',
        'X-Once: 1',
        'Keep-Alive: timeout=9',
        'TE: trailers',
        'X-Kept: é',
      ),
    );
    const headers = received();
    expect(headers.has('x-once') || headers.has('keep-alive')).toBe(false);
    expect(headers.get('te')).toEqual(['trailers']);
    expect(headers.get('x-kept')).toEqual(['é']);
  });

  test.each([
    ['a second Host', head('GET /studio/x', 'Host: other')],
    ['Transfer_Encoding', head('POST /studio/x', 'Transfer_Encoding: chunked', 'Content-Length: 0')],
    ['X-Content-Length', head('POST /studio/x', 'X-Content-Length: 5', 'Content-Length: 0')],
    ['an octal Content-Length', `${head('POST /studio/x', 'Content-Length: 010')}01234567`],
    ['two transfer codings', `${head('POST /studio/x', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
    [
      'length and chunks',
      `${head('POST /studio/x', 'Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`,
    ],
    [
      'chunks of HTTP/1.0',
      `POST /studio/x HTTP/1.0\r\nCookie: ${SESSION}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
  ])('%s is refused', async (_, bytes) => {
    expect((await sendRaw(mounted.port, bytes)).status).toBe(400);
    expect(upstream.seen).toHaveLength(0);
  });
});

describe('paths', () => {
  test.each([
    ['/studio/', '/'],
    ['/studio/studio.v1.StudioService/Chat?a=%2e%2e/..', '/studio.v1.StudioService/Chat?a=%2e%2e/..'],
    ['/studio/a%2fb%20c/%C3%A9//d;e=1?', '/a%2fb%20c/%C3%A9//d;e=1?'],
    ['/studio/;x', '/;x'],
    ['/studio/a/../b', '/a/../b'],
  ])('%s reaches the studio byte for byte (CON-044)', async (path, arrived) => {
    await sendRaw(mounted.port, head(`GET ${path}`));
    expect(upstream.seen.map((req) => req.url)).toEqual([arrived]);
  });

  test.each([
    '/studio/../api/me',
    '/studio/..%2fapi',
    '/studio/%2e%2e/api',
    '/studio/%2E./api',
    '/studio/a/../../api',
    '/studio/a/..;/..;/api',
    '/studio/%252e%252e/api',
    '/studio/..%5capi',
    '/studio/..\\api',
    '/studio/a\\b',
    '/studio//evil.test/x',
    '/studio/a/..//../api',
    'http://console.test/studio/x',
    '/api/me',
  ])('%s is refused', async (path) => {
    expect((await sendRaw(mounted.port, head(`GET ${path}`))).status).toBe(400);
    expect(upstream.seen).toHaveLength(0);
  });

  test('a prefix of the upstream is kept', async () => {
    const prefixed = await mount(`${upstream.url}/base/`);
    await sendRaw(prefixed.port, head('GET /studio/x?y'));
    await prefixed.stop();
    expect(upstream.seen[0]?.url).toBe('/base/x?y');
  });

  test.each(['GET', 'HEAD', 'POST'])('%s /studio is redirected with its query (CON-045)', async (method) => {
    const answer = await sendRaw(mounted.port, head(`${method} /studio?chat=new`, 'Content-Length: 0'));
    expect(answer.status).toBe(308);
    expect(answer.text).toMatch(/\r\nLocation: \/studio\/\?chat=new\r\n/);
    expect(upstream.seen).toHaveLength(0);
  });
});
