import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../../../src-main/config/index.ts';
import type { Me, SessionItem } from '../../../../src-shared/api/sign-in.ts';
import { type OidcIssuer, startOidcIssuer } from '../../../support/oidc-issuer.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const opened: TestConsole[] = [];
const consoleWith = async (env: Environment = {}): Promise<TestConsole> => {
  const console_ = await testConsole(env);
  opened.push(console_);
  return console_;
};
afterEach(async () => {
  for (const console_ of opened.splice(0)) await console_.close();
});

const send = async (
  console_: TestConsole,
  path: string,
  body: object | string,
  headers: Record<string, string> = {},
) => {
  const form = typeof body === 'string';
  const answer = await request(`${console_.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json', ...headers },
    body: form ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    setCookie: String(answer.headers['set-cookie'] ?? ''),
  };
};
const cookieOf = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';
const read = async <T>(
  console_: TestConsole,
  path: string,
  cookie = '',
): Promise<{ status: number; body: T }> => {
  const { statusCode, body } = await request(`${console_.url}${path}`, {
    headers: cookie === '' ? {} : { cookie },
  });
  return { status: statusCode, body: (await body.json()) as T };
};
const me = async (console_: TestConsole, cookie = ''): Promise<Me> =>
  (await read<Me>(console_, '/api/me', cookie)).body;

describe('the sign-in state', () => {
  it('says that nobody is signed in, and what may be used to sign in (CON-028, CON-073)', async () => {
    const console_ = await consoleWith({
      CONSOLE_ADMIN_PASSWORD: 'correct horse',
      CONSOLE_GOOGLE_CLIENT_ID: 'client-1',
      RECAPTCHA_SITE_KEY: 'site',
      TTSD_URL: 'http://127.0.0.1:9',
    });
    expect(await me(console_)).toEqual({
      authed: false,
      authRequired: true,
      passwordAuth: true,
      googleAuth: true,
      googleClientId: 'client-1',
      recaptchaSiteKey: 'site',
      voiceTts: true,
      voiceStt: false,
    });
  });

  it('says voice only when its route answers, whatever is configured', async () => {
    const console_ = await consoleWith({
      TTSD_URL: 'http://127.0.0.1:9',
      VOICE_REMOTE_URL: 'http://127.0.0.1:9',
    });
    const cookie = await console_.cookie();
    const answers = async (path: string): Promise<boolean> =>
      (await send(console_, path, {}, { cookie })).status !== 404;
    const { voiceTts, voiceStt } = await me(console_);
    expect([voiceTts, voiceStt]).toEqual([await answers('/api/tts'), await answers('/api/stt')]);
  });

  it('is an open console with none of client id, password and local operator: reads served, studio still refused (CON-040, CON-048, CON-181)', async () => {
    const console_ = await consoleWith({ CONSOLE_LOCAL_OPERATOR: 'off' });
    expect(await me(console_)).toMatchObject({ authed: false, authRequired: false });
    expect((await read(console_, '/api/studio')).status).toBe(200);
    expect((await read(console_, '/studio/')).status).toBe(401);
    expect(await console_.signInLink()).toBeUndefined();
    expect(await console_.startOperatorSession()).toBeUndefined();
  });
});

describe('password sign-in', () => {
  const env = { CONSOLE_ADMIN_PASSWORD: 'correct horse', CONSOLE_ADMIN_EMAIL: 'Root@Example.com' };

  it('gives a session by JSON and by form, in a cookie scripts cannot read (CON-002, CON-071, CON-164, RTE-015)', async () => {
    const console_ = await consoleWith(env);
    const json = await send(console_, '/auth/password', {
      username: 'root@example.com',
      password: 'correct horse',
    });
    expect([json.status, JSON.parse(json.text)]).toEqual([200, { email: 'root@example.com' }]);
    expect(json.setCookie).toMatch(
      /^console_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    expect(await me(console_, cookieOf(json.setCookie))).toMatchObject({
      authed: true,
      email: 'root@example.com',
    });
    const form = await send(console_, '/auth/password', 'username=ROOT%40example.com&password=correct+horse');
    expect(form.status).toBe(200);
  });

  it('marks the cookie Secure when the browser came over https (RTE-015)', async () => {
    const console_ = await consoleWith({ ...env, CONSOLE_PUBLIC_URL: 'https://ops.example.com' });
    const answer = await send(
      console_,
      '/auth/password',
      { username: 'root@example.com', password: 'correct horse' },
      { host: 'ops.example.com', origin: 'https://ops.example.com' },
    );
    expect(answer.setCookie).toContain('; Secure');
  });

  it('refuses a wrong name and a wrong password with the same words, and stops guessing after 5 tries (RTE-014)', async () => {
    const console_ = await consoleWith(env);
    const wrong = [
      { username: 'root@example.com', password: 'wrong' },
      { username: 'nobody@example.com', password: 'correct horse' },
    ];
    const answers = await Promise.all(wrong.map((body) => send(console_, '/auth/password', body)));
    expect(answers.map((answer) => answer.status)).toEqual([401, 401]);
    // The request id is each request's own.
    const sentences = answers.map(({ text }) => ({ ...JSON.parse(text), request_id: undefined }));
    expect(sentences[0]).toEqual(sentences[1]);
    for (let i = 0; i < 3; i += 1) await send(console_, '/auth/password', wrong[0] ?? {});
    const right = { username: 'root@example.com', password: 'correct horse' };
    const limited = await send(console_, '/auth/password', right);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    console_.advance(61_000);
    expect((await send(console_, '/auth/password', right)).status).toBe(200);
  });

  it('stops guessing at one account from many addresses, and over all accounts', async () => {
    const tries = async (count: number, username: (n: number) => string) => {
      const console_ = await consoleWith({ ...env, CONSOLE_TRUSTED_PROXIES: '127.0.0.1' });
      const statuses: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const from = { 'x-forwarded-for': `203.0.${n >> 8}.${n & 255}` };
        const body = { username: username(n), password: 'wrong' };
        statuses.push((await send(console_, '/auth/password', body, from)).status);
      }
      return statuses;
    };
    const one = await tries(21, () => 'ROOT@example.com');
    expect([one.slice(0, 20).every((status) => status === 401), one[20]]).toEqual([true, 429]);
    const all = await tries(101, (n) => `person-${n}@example.com`);
    expect([all.slice(0, 100).every((status) => status === 401), all[100]]).toEqual([true, 429]);
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const console_ = await consoleWith({ ...env, CONSOLE_TRUSTED_PROXIES: '127.0.0.1' });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const body = { username: `a${n}@b.example`, password: 'no' };
      const from = { 'x-forwarded-for': `2001:db8:0:1::${n + 1}` };
      statuses.push((await send(console_, '/auth/password', body, from)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('locks nobody out when the clock is set back', async () => {
    const console_ = await consoleWith(env);
    const right = { username: 'root@example.com', password: 'correct horse' };
    for (let n = 0; n < 5; n += 1)
      await send(console_, '/auth/password', { username: 'root@example.com', password: 'wrong' });
    expect((await send(console_, '/auth/password', right)).status).toBe(429);
    console_.advance(-24 * 3_600_000);
    expect((await send(console_, '/auth/password', right)).status).toBe(200);
  });

  it('counts tries by the address a trusted proxy names, and by nobody else’s word', async () => {
    const tries = async (console_: TestConsole, from: (n: number) => string) => {
      const body = { username: 'a@b.example', password: 'no' };
      const answers: number[] = [];
      for (let n = 0; n < 6; n += 1)
        answers.push((await send(console_, '/auth/password', body, { 'x-forwarded-for': from(n) })).status);
      return answers.at(-1);
    };
    const direct = await consoleWith(env);
    expect(await tries(direct, (n) => `203.0.113.${n}`)).toBe(429);
    const behind = await consoleWith({ ...env, CONSOLE_TRUSTED_PROXIES: '127.0.0.1' });
    expect(await tries(behind, (n) => `203.0.113.${n}`)).toBe(401);
    expect(await tries(behind, (n) => `198.51.100.${n}, 192.0.2.7`)).toBe(429);
  });

  it('takes the password as it was set, its spaces, too', async () => {
    const console_ = await consoleWith({ ...env, CONSOLE_ADMIN_PASSWORD: ' p ' });
    const signIn = (password: string) =>
      send(console_, '/auth/password', { username: 'root@example.com', password });
    expect((await signIn('p')).status).toBe(401);
    expect((await signIn(' p ')).status).toBe(200);
  });

  it('does not exist unless the password is set (CON-071, RTE-014)', async () => {
    const console_ = await consoleWith();
    expect((await send(console_, '/auth/password', { username: 'a', password: 'b' })).status).toBe(404);
  });
});

describe('sessions', () => {
  it('change their id at sign-in: a planted cookie never becomes a session (RTE-015)', async () => {
    const console_ = await consoleWith({ CONSOLE_ADMIN_PASSWORD: 'p' });
    const planted = `console_session=${'A'.repeat(43)}`;
    const body = { username: 'operator@console.localhost', password: 'p' };
    const first = await send(console_, '/auth/password', body, { cookie: planted });
    expect(cookieOf(first.setCookie)).not.toBe(planted);
    expect((await me(console_, planted)).authed).toBe(false);
    const second = await send(console_, '/auth/password', body, { cookie: cookieOf(first.setCookie) });
    expect((await me(console_, cookieOf(first.setCookie))).authed).toBe(false);
    expect((await me(console_, cookieOf(second.setCookie))).authed).toBe(true);
  });

  it('end at once everywhere on logout, and the cookie is cleared (CON-072)', async () => {
    const console_ = await consoleWith();
    const cookie = await console_.cookie();
    expect((await me(console_, cookie)).authed).toBe(true);
    const out = await send(console_, '/auth/logout', {}, { cookie });
    expect(out.setCookie).toContain('console_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect((await me(console_, cookie)).authed).toBe(false);
    expect((await read(console_, '/studio/', cookie)).status).toBe(401);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])('end at %s /auth/logout (CON-072)', async (method) => {
    const console_ = await consoleWith();
    const cookie = await console_.cookie();
    await fetch(`${console_.url}/auth/logout`, { method, headers: { cookie }, redirect: 'manual' });
    expect((await me(console_, cookie)).authed).toBe(false);
  });

  it('end after 2 idle hours, and after 12 hours however busy (RTE-015)', async () => {
    const console_ = await consoleWith();
    const idle = await console_.cookie();
    console_.advance(2 * 3_600_000 - 1000);
    expect((await me(console_, idle)).authed).toBe(true);
    console_.advance(2 * 3_600_000 + 1000);
    expect((await me(console_, idle)).authed).toBe(false);
    const busy = await console_.cookie();
    for (let hour = 0; hour < 11; hour += 1) {
      console_.advance(3_600_000);
      expect((await me(console_, busy)).authed).toBe(true);
    }
    console_.advance(3_600_000);
    expect((await me(console_, busy)).authed).toBe(false);
  });

  it('are listed to their owner and ended one by one or all at once (CON-074, RTE-016)', async () => {
    const console_ = await consoleWith();
    const [here, there] = [await console_.cookie(), await console_.cookie()];
    const { items } = (await read<{ items: SessionItem[] }>(console_, '/api/sessions', here)).body;
    expect(items.filter((item) => item.current)).toHaveLength(1);
    const other = items.find((item) => !item.current);
    const ended = await request(`${console_.url}/api/sessions/${other?.id}`, {
      method: 'DELETE',
      headers: { cookie: here },
    });
    expect(await ended.body.json()).toEqual({ revoked: 1 });
    expect((await me(console_, there)).authed).toBe(false);
    const all = await send(
      console_,
      '/api/sessions/revoke-all',
      { subject: 'operator@console.localhost' },
      { cookie: here },
    );
    expect(JSON.parse(all.text)).toEqual({ revoked: 1 });
    expect((await me(console_, here)).authed).toBe(false);
  });

  it('of other people are ended by session admins only, and an unset list means nobody (CON-074, CON-166)', async () => {
    const subject = { subject: 'someone@example.com' };
    const plain = await consoleWith();
    expect(
      (await send(plain, '/api/sessions/revoke-all', subject, { cookie: await plain.cookie() })).status,
    ).toBe(403);
    const admin = await consoleWith({ CONSOLE_SESSION_ADMINS: 'operator@console.localhost' });
    expect(
      (await send(admin, '/api/sessions/revoke-all', subject, { cookie: await admin.cookie() })).status,
    ).toBe(200);
  });

  it('of everybody are listed to session admins, who end one of somebody else’s; others do not learn that it exists', async () => {
    const console_ = await consoleWith({ CONSOLE_SESSION_ADMINS: 'ada@example.com' });
    const [ada, sven, eve] = [
      await console_.cookieOf('ada@example.com'),
      await console_.cookieOf('sven@example.com'),
      await console_.cookieOf('eve@example.com'),
    ];
    type Everyone = { items: (SessionItem & { email: string })[]; complete: boolean };
    const { items, complete } = (await read<Everyone>(console_, '/api/sessions/everyone', ada)).body;
    expect([complete, items.map(({ email }) => email).sort()]).toEqual([
      true,
      ['ada@example.com', 'eve@example.com', 'sven@example.com'],
    ]);
    const target = items.find(({ email }) => email === 'sven@example.com');
    const end = async (cookie: string) => {
      const answer = await request(`${console_.url}/api/sessions/${target?.id}`, {
        method: 'DELETE',
        headers: { cookie },
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    expect(await end(eve)).toBe(404);
    expect((await me(console_, sven)).authed).toBe(true);
    expect(await end(ada)).toBe(200);
    expect((await me(console_, sven)).authed).toBe(false);
    expect((await me(console_, ada)).authed).toBe(true);
  });

  it('all end when the key of their digests changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
    const place = { kind: 'sqlite', file: join(folder, 'console.db'), encryption: 'none' } as const;
    const withKey = async (fill: number): Promise<TestConsole> => {
      const console_ = await testConsole(
        { CONSOLE_SESSION_KEY: Buffer.alloc(32, fill).toString('base64') },
        { place },
      );
      opened.push(console_);
      return console_;
    };
    const first = await withKey(1);
    const cookie = await first.cookie();
    expect((await me(first, cookie)).authed).toBe(true);
    expect((await me(await withKey(1), cookie)).authed).toBe(true);
    expect((await me(await withKey(2), cookie)).authed).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('are found behind another program’s cookie of the same name, quoted or repeated', async () => {
    const console_ = await consoleWith();
    const cookie = await console_.cookie();
    const value = cookie.split('=')[1] ?? '';
    expect((await me(console_, `console_session=other; a=1;  console_session = "${value}"`)).authed).toBe(
      true,
    );
    expect((await me(console_, `xconsole_session=${value}`)).authed).toBe(false);
  });

  it('are not stored in a form that could be used as a cookie (RTE-015)', async () => {
    const console_ = await consoleWith();
    const cookie = await console_.cookie();
    const { body } = await read<{ items: SessionItem[] }>(console_, '/api/sessions', cookie);
    expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1]);
    expect((await me(console_, `console_session=${body.items[0]?.id}`)).authed).toBe(false);
  });
});

describe('the one-time sign-in link', () => {
  it('works once, within 10 minutes, and names a host that is the console’s alone', async () => {
    const console_ = await consoleWith();
    const open = (link: string) => {
      const { pathname, search } = new URL(link);
      return request(`${console_.url}${pathname}${search}`).then(async ({ statusCode, headers, body }) => {
        await body.dump();
        return {
          status: statusCode,
          location: headers.location,
          cookie: cookieOf(String(headers['set-cookie'] ?? '')),
        };
      });
    };
    const link = (await console_.signInLink()) ?? '';
    expect(new URL(link).hostname).toBe('console.localhost');
    const [one, two] = await Promise.all([open(link), open(link)]);
    const winners = [one, two].filter((answer) => answer.cookie !== '');
    expect(winners).toHaveLength(1);
    expect([one.status, winners[0]?.location]).toEqual([303, '/']);
    expect((await me(console_, winners[0]?.cookie)).authed).toBe(true);
    expect((await open(link)).location).toBe('/?signin=expired');
    const late = (await console_.signInLink()) ?? '';
    console_.advance(10 * 60_000);
    expect((await open(late)).location).toBe('/?signin=expired');
  });
});

describe('sign-in through an identity provider', () => {
  let issuer: OidcIssuer;
  beforeAll(async () => {
    issuer = await startOidcIssuer(['console-client', 'another-client']);
  });
  afterAll(() => issuer.close());

  const withProvider = (env: Environment = {}) =>
    consoleWith({
      CONSOLE_GOOGLE_CLIENT_ID: 'console-client',
      CONSOLE_OIDC_ISSUER: issuer.issuer,
      CONSOLE_ALLOWED_EMAILS: 'mira@northgate.example, unverified@northgate.example',
      ...env,
    });
  const exchange = (console_: TestConsole, credential: string) =>
    send(console_, '/auth/google', { credential });

  it('exchanges an ID token of the issuer for a session by JSON (CON-070, CON-164)', async () => {
    const console_ = await withProvider();
    const answer = await exchange(console_, await issuer.idToken('mira@northgate.example'));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { email: 'mira@northgate.example' }]);
    expect(await me(console_, cookieOf(answer.setCookie))).toMatchObject({
      authed: true,
      email: 'mira@northgate.example',
    });
  });

  it('takes no form that gives its credential twice', async () => {
    const console_ = await withProvider();
    const credential = await issuer.idToken('mira@northgate.example');
    const form = `credential=x&g_csrf_token=t1&credential=${credential}`;
    const answer = await send(console_, '/auth/callback', form, {
      cookie: 'g_csrf_token=t1',
      origin: issuer.issuer,
    });
    expect([answer.status, answer.setCookie]).toEqual([400, '']);
  });

  it('takes a form post from the provider with a matching double-submit token, and no other (CON-069, CON-164)', async () => {
    const console_ = await withProvider();
    const credential = await issuer.idToken('mira@northgate.example');
    const post = (field: string, cookie: string, origin = issuer.issuer) =>
      send(console_, '/auth/callback', new URLSearchParams({ credential, g_csrf_token: field }).toString(), {
        cookie,
        origin,
      });
    const good = await post('t1', 'g_csrf_token=t1');
    expect([good.status, good.headers.location]).toEqual([303, '/']);
    expect((await me(console_, cookieOf(good.setCookie))).authed).toBe(true);
    expect((await post('t1', 'g_csrf_token=t2')).status).toBe(403);
    expect((await post('t1', '')).status).toBe(403);
    expect((await post('t1', 'g_csrf_token=t1; g_csrf_token=t1')).status).toBe(403);
    expect((await post('t1', 'g_csrf_token=t1', 'http://evil.example')).status).toBe(403);
  });

  it('follows the issuer when it rotates its keys', async () => {
    const console_ = await withProvider();
    const old = await issuer.idToken('mira@northgate.example');
    expect((await exchange(console_, old)).status).toBe(200);
    await issuer.rotateKeys();
    // Keys are fetched again at most every 2 s: a flood of made-up key ids must not become a flood at the issuer.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expect((await exchange(console_, await issuer.idToken('mira@northgate.example'))).status).toBe(200);
    expect((await exchange(console_, old)).status).toBe(401);
  });

  it('refuses a token for another client, expired, unverified, forged, or of nobody on the list (RTE-013)', async () => {
    const console_ = await withProvider();
    const good = await issuer.idToken('mira@northgate.example');
    const [head, body, signature] = good.split('.');
    const forgedBody = Buffer.from(
      JSON.stringify({
        ...JSON.parse(Buffer.from(body ?? '', 'base64url').toString()),
        email: 'eve@evil.example',
      }),
    ).toString('base64url');
    const ownKey = await new SignJWT({ email: 'mira@northgate.example', email_verified: true, sub: 'm' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer.issuer)
      .setAudience('console-client')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    for (const [what, token] of Object.entries({
      audience: await issuer.idToken('mira@northgate.example', { clientId: 'another-client' }),
      unverified: await issuer.idToken('unverified@northgate.example'),
      forged: `${head}.${forgedBody}.${signature}`,
      ownKey,
      none,
      garbage: 'not.a.token',
    })) {
      const answer = await exchange(console_, token);
      expect([what, answer.status, answer.setCookie]).toEqual([what, 401, '']);
    }
    expect((await exchange(console_, await issuer.idToken('eve@evil.example'))).status).toBe(403);
    console_.advance(2 * 3_600_000);
    expect((await exchange(console_, good)).text).toContain('expired');
  });

  it('fails closed when the list is not set (CON-165, RTE-013)', async () => {
    const console_ = await withProvider({ CONSOLE_ALLOWED_EMAILS: '' });
    const answer = await exchange(console_, await issuer.idToken('mira@northgate.example'));
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('CONSOLE_ALLOWED_EMAILS')]);
  });

  it('says so when the issuer cannot be reached', async () => {
    const console_ = await withProvider({ CONSOLE_OIDC_JWKS_URL: 'http://127.0.0.1:9/keys' });
    const answer = await exchange(console_, await issuer.idToken('mira@northgate.example'));
    expect(answer.status).toBe(503);
  });
});
