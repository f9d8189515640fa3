import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../../src-main/config/index.ts';
import type { SessionAdmins } from '../../../src-shared/api/access.ts';
import type { SessionCommand } from '../../../src-shared/api/agents.ts';
import type { AuditVerification } from '../../../src-shared/api/audit.ts';
import { serveConsole } from '../../support/console-process.ts';
import { newPostgresDatabase, postgres } from '../../support/databases.ts';
import { readEvents } from '../../support/event-reader.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const why = 'missing' in postgres ? ` (skipped: ${postgres.missing})` : '';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const operator = 'operator@console.localhost';

/** Consoles as replicas are run: the same settings, one database. */
async function replicas(count: number, env: Environment = {}): Promise<TestConsole[]> {
  const place = { kind: 'postgres', url: await newPostgresDatabase() } as const;
  const shared = {
    CONSOLE_SESSION_KEY: randomBytes(32).toString('base64'),
    CONSOLE_ADMIN_PASSWORD: 'p',
    ...env,
  };
  const consoles = await Promise.all(Array.from({ length: count }, () => testConsole(shared, { place })));
  for (const console_ of consoles) closers.push(() => console_.close());
  return consoles;
}

async function pair(env: Environment = {}): Promise<[TestConsole, TestConsole]> {
  const [a, b] = await replicas(2, env);
  if (a === undefined || b === undefined) throw new Error('two consoles were asked for');
  return [a, b];
}

type Answer<T> = { status: number; body: T; cookie: string };

async function call<T = unknown>(
  { url }: { readonly url: string },
  cookie: string,
  path: string,
  { method, body }: { method?: 'POST' | 'PUT' | 'DELETE'; body?: object } = {},
): Promise<Answer<T>> {
  const answer = await request(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    body: (text.startsWith('{') ? JSON.parse(text) : text) as T,
    cookie: String(answer.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '',
  };
}

const authed = async (console_: { readonly url: string }, cookie: string): Promise<boolean> =>
  (await call<{ authed: boolean }>(console_, cookie, '/api/me')).body.authed;

const signIn = (console_: { readonly url: string }, password = 'p') =>
  call(console_, '', '/auth/password', { body: { username: operator, password } });

describe.skipIf('missing' in postgres)(`several consoles on one PostgreSQL${why}`, () => {
  it('are one to sign in to: in on one, at work on the other, out on either', async () => {
    const [a, b] = await pair();
    const { cookie } = await signIn(a);
    expect([await authed(a, cookie), await authed(b, cookie)]).toEqual([true, true]);
    expect((await call(b, cookie, '/auth/logout')).status).toBe(200);
    expect([await authed(a, cookie), await authed(b, cookie)]).toEqual([false, false]);
  });

  it('end a session on the next request everywhere, however busy it was there', async () => {
    const [a, b] = await pair({ CONSOLE_SESSION_ADMINS: operator });
    for (const revoke of [
      (cookie: string) => call(a, cookie, '/api/sessions/revoke-all', { body: { subject: operator } }),
      async (cookie: string) => {
        const { body } = await call<{ items: { id: string; current: boolean }[] }>(
          a,
          cookie,
          '/api/sessions',
        );
        const id = body.items.find(({ current }) => current)?.id;
        return call(a, cookie, `/api/sessions/${id}`, { method: 'DELETE' });
      },
    ]) {
      const { cookie } = await signIn(a);
      await Promise.all(Array.from({ length: 20 }, () => authed(b, cookie)));
      expect((await call(b, cookie, '/studio/')).status).not.toBe(401);
      expect((await revoke(cookie)).status).toBe(200);
      expect(await authed(b, cookie)).toBe(false);
      expect((await call(b, cookie, '/studio/')).status).toBe(401);
    }
  });

  it('with another session key know nothing of the sessions', async () => {
    const place = { kind: 'postgres', url: await newPostgresDatabase() } as const;
    const open = async () => {
      const console_ = await testConsole(
        { CONSOLE_SESSION_KEY: randomBytes(32).toString('base64') },
        { place },
      );
      closers.push(() => console_.close());
      return console_;
    };
    const [a, b] = [await open(), await open()];
    const cookie = await a.cookie();
    expect([await authed(a, cookie), await authed(b, cookie)]).toEqual([true, false]);
  });

  it('redeem a one-time sign-in link once between them', async () => {
    const consoles = await replicas(3);
    for (let round = 0; round < 5; round += 1) {
      const link = new URL((await consoles[0]?.signInLink()) ?? '');
      const path = `${link.pathname}${link.search}`;
      const answers = await Promise.all(
        [...consoles, ...consoles].map((console_) => call(console_, '', path)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
      expect(answers.filter(({ cookie }) => cookie !== '')).toHaveLength(1);
    }
  });

  it('count password tries each for itself', async () => {
    const [a, b] = await pair();
    for (let i = 0; i < 5; i += 1) expect((await signIn(a, 'wrong')).status).toBe(401);
    expect((await signIn(a)).status).toBe(429);
    expect((await signIn(b)).status).toBe(200);
  });

  it('take a session admin off the list everywhere at once', async () => {
    const [a, b] = await pair();
    const admin = await a.cookie();
    const set = (admins: string[]) =>
      call<SessionAdmins>(a, admin, '/api/session-admins', { method: 'PUT', body: { admins } });
    expect((await set([operator, 'mira@example.com'])).status).toBe(200);
    const mira = await a.cookieOf('mira@example.com');
    expect((await call(b, mira, '/api/audit')).status).toBe(200);
    expect((await set([operator])).status).toBe(200);
    expect((await call(b, mira, '/api/audit')).status).toBe(403);
    expect((await call<SessionAdmins>(b, mira, '/api/session-admins')).body).toMatchObject({
      admins: [],
      size: 1,
      you: false,
      may_name_first: false,
    });
  });

  it('keep one audit chain when all of them write at once', async () => {
    const consoles = await replicas(3, { CONSOLE_SESSION_ADMINS: operator });
    const [first] = consoles;
    if (first === undefined) throw new Error('no console');
    const cookie = await first.cookie();
    const before = (await call<AuditVerification>(first, cookie, '/api/audit/verify')).body.checked;
    const acts = 90;
    const answers = await Promise.all(
      Array.from({ length: acts }, (_, i) =>
        call(consoles[i % consoles.length] ?? first, cookie, '/api/sessions/revoke-all', {
          body: { subject: `person-${i}@example.com` },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const console_ of consoles) {
      const { body } = await call<AuditVerification>(console_, cookie, '/api/audit/verify');
      expect(body).toMatchObject({ intact: true, checked: before + acts, head_seq: before + acts });
    }
  });

  it('give each command to exactly one of a storm of claimers, and lose none', async () => {
    const consoles = await replicas(3);
    const [first] = consoles;
    if (first === undefined) throw new Error('no console');
    const cookie = await first.cookie();
    type Claim = { command?: SessionCommand };
    const storm = consoles.flatMap((console_) =>
      Array.from({ length: 20 }, () => call<Claim>(console_, cookie, '/api/session-commands?wait=10')),
    );
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        call(consoles[i % 3] ?? first, cookie, '/api/session-commands', {
          body: { command: `command ${i}` },
        }),
      ),
    );
    const claimed = (await Promise.all(storm)).map(({ body }) => body.command?.command);
    expect(claimed.toSorted()).toEqual(Array.from({ length: 60 }, (_, i) => `command ${i}`).toSorted());
  });

  it('wake a waiter on one for a command put in on another, and take its result on any', async () => {
    const [a, b] = await pair();
    const cookie = await a.cookie();
    const waiting = call<{ command?: SessionCommand }>(b, cookie, '/api/session-commands?wait=25');
    await sleep(100);
    await call(a, cookie, '/api/session-commands', { body: { command: 'work' } });
    const { command } = (await waiting).body;
    const path = `/api/session-commands/${command?.id}/result`;
    const results = await Promise.all(
      [a, b, a, b].map((console_, i) =>
        call(console_, cookie, path, { body: { status: 'done', output: `result ${i}` } }),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const winner = results.findIndex(({ status }) => status === 200);
    const { body } = await call<{ items: SessionCommand[] }>(b, cookie, '/api/session-queue');
    expect(body.items[0]?.output).toBe(`result ${winner}`);
  });
});

/** Debian's place for it. */
const nginx = '/usr/sbin/nginx';
const missing = 'missing' in postgres ? postgres.missing : existsSync(nginx) ? undefined : `no ${nginx}`;

describe.skipIf(missing !== undefined)(
  `docs/scale.md${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('has an nginx example that makes two served consoles one', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'console-nginx-'));
      closers.push(() => rmSync(folder, { recursive: true, force: true }));
      const port = await freePort();
      const env = {
        CONSOLE_DATABASE_URL: await newPostgresDatabase(),
        CONSOLE_STORE_KEY: randomBytes(32).toString('base64'),
        CONSOLE_SESSION_KEY: randomBytes(32).toString('base64'),
        CONSOLE_STUDIO_IDENTITY_KEY: randomBytes(32).toString('base64'),
        CONSOLE_ADMIN_PASSWORD: 'p',
        CONSOLE_PUBLIC_URL: `http://console.example.com:${port}`,
      };
      // At the same time, on an empty database: both find it without tables.
      const consoles = await Promise.all(
        ['a', 'b'].map((name) => serveConsole(join(folder, name), env, ['--listen', '127.0.0.1:0'])),
      );
      for (const console_ of consoles) closers.push(() => console_.stop());
      const hosts = consoles.map(({ url }) => new URL(url).host);
      startNginx(folder, exampleFor(port, hosts));
      const host = `console.example.com:${port}`;
      const through = async (path: string, cookie = '', body?: object) => {
        const answer = await request(`http://127.0.0.1:${port}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { host, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.body.text();
        return {
          status: answer.statusCode,
          text,
          cookie: String(answer.headers['set-cookie']).split(';', 1)[0],
        };
      };
      await expect.poll(async () => (await through('/healthz')).status, { timeout: 10_000 }).toBe(200);
      const { cookie = '' } = await through('/auth/password', '', { username: operator, password: 'p' });
      // In turn on both: each request goes to the next one.
      for (let i = 0; i < 6; i += 1) expect((await through('/api/me', cookie)).text).toContain(operator);
      const waiting = through('/api/session-commands?wait=25', cookie);
      await sleep(100);
      expect((await through('/api/session-commands', cookie, { command: 'through nginx' })).status).toBe(200);
      expect((await waiting).text).toContain('through nginx');
      // A subscription may come to the one that does not hold the connection; the stream by itself goes through any.
      const address = `http://127.0.0.1:${port}`;
      const events = await readEvents(`${address}/api/events`, { host, cookie });
      const { id } = (await events.until(({ event }) => event === 'connection')).data as { id: string };
      const reached = await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) =>
          through(`/api/events/${id}/subscriptions`, cookie, { id: name, route: 'targets.changes' }),
        ),
      );
      expect(new Set(reached.map(({ status }) => status))).toEqual(new Set([200, 404]));
      await events.until(({ event }) => event === 'event');
      const own = await readEvents(`${address}/api/targets/changes`, { host, cookie });
      await own.until(({ event }) => event === 'state');
      own.leave();
      events.leave();
      // One replica stops, as in a roll-out: nobody notices.
      expect(await consoles[0]?.stop()).toBe(0);
      for (let i = 0; i < 6; i += 1) expect((await through('/api/me', cookie)).text).toContain(operator);
      await through('/auth/logout', cookie);
      expect((await through('/api/me', cookie)).text).not.toContain(operator);
    });
  },
);

/** The example of the page, on these addresses and without TLS, for which a test has no certificate. */
function exampleFor(port: number, consoles: readonly string[]): string {
  const page = readFileSync(join(repoRoot, 'docs/scale.md'), 'utf8');
  const example = /```nginx\n([\s\S]*?)```/.exec(page)?.[1];
  if (example === undefined) throw new Error('docs/scale.md has no nginx example');
  const replaced = [
    [/server 10\.0\.0\.\d+:8700/g, () => `server ${takeNext(consoles)}`],
    [/listen 443 ssl;/, () => `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate.*\n/gm, () => ''],
    [/^ *http2 on;\n/m, () => ''],
  ] as const;
  taken = 0;
  return replaced.reduce((text, [pattern, by]) => {
    if (text.search(pattern) < 0) throw new Error(`the nginx example has no ${pattern}`);
    return text.replace(pattern, by);
  }, example);
}

let taken = 0;
function takeNext(consoles: readonly string[]): string {
  const next = consoles[taken % consoles.length] ?? '';
  taken += 1;
  return next;
}

function startNginx(folder: string, example: string): void {
  const prefix = join(folder, 'nginx');
  mkdirSync(prefix);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${prefix}/${name};`,
  );
  writeFileSync(
    join(prefix, 'nginx.conf'),
    `daemon off; pid ${prefix}/pid; error_log ${prefix}/error.log; worker_processes 1;\n` +
      `events { worker_connections 256; }\nhttp { access_log off; ${temporary.join(' ')}\n${example}\n}\n`,
  );
  execFileSync(nginx, ['-t', '-q', '-p', prefix, '-c', join(prefix, 'nginx.conf')], { stdio: 'pipe' });
  const server = spawn(nginx, ['-p', prefix, '-c', join(prefix, 'nginx.conf')], { stdio: 'ignore' });
  closers.push(
    () =>
      new Promise((resolve) => {
        server.once('exit', resolve);
        server.kill('SIGTERM');
      }),
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
