import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, readConfig } from '../../../src-main/config/index.ts';
import { secretNames } from '../../../src-main/features/settings/index.ts';
import { openConsoleStore } from '../../../src-main/start/console-store.ts';
import { routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import { runConsole, type ServingConsole, serveConsole } from '../../support/console-process.ts';
import { newPostgresDatabase, postgres } from '../../support/databases.ts';
import { type Keyring, keyringMissing, startKeyring } from '../../support/keyring.ts';
import { newFolder } from '../../support/started-console.ts';

/** Texts that must appear nowhere, by what they are. */
type Canaries = Map<string, string[]>;
/** Everything the console said or wrote, by where. */
type Findings = { where: string; content: Buffer }[];

const base64Key = (): string => randomBytes(32).toString('base64');
const token = (what: string): string => `canary-${what}-${randomBytes(9).toString('hex')}`;

/** A value for each secret, of the shape that it must have. */
function newSecrets(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const shaped: Record<string, string> = {
    CONSOLE_STUDIO_IDENTITY_KEY: base64Key(),
    CONSOLE_SESSION_KEY: base64Key(),
    CONSOLE_GITHUB_PRIVATE_KEY: privateKey,
    CONSOLE_REGISTRY_TOKEN: `reader:${token('console_registry_token')}`,
  };
  return Object.fromEntries(secretNames.map((name) => [name, shaped[name] ?? token(name.toLowerCase())]));
}

/** The ways a secret could be written: as it is, line by line, and encoded. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const decoded = Buffer.from(secret, 'base64');
  return [
    ...secret.split(/[\n:]/).filter((line) => line.length > 12 && !line.startsWith('-----')),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    ...(decoded.length === 32 ? [decoded.toString('hex'), decoded.toString('base64url')] : []),
  ];
}

const filesOf = (folder: string): Findings =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ where: entry.name, content: readFileSync(join(entry.parentPath, entry.name)) }));

function expectNowhere(canaries: Canaries, findings: Findings): void {
  const found = [...canaries].flatMap(([what, texts]) =>
    findings
      .filter(({ content }) => texts.some((text) => content.includes(text)))
      .map(({ where }) => `${what} in ${where}`),
  );
  expect(found).toEqual([]);
}

type Setting = {
  readonly name: string;
  readonly missing: string | undefined;
  /** Where the secrets are: in the environment, or given to the running console. */
  readonly given: 'env' | 'keys';
  env(): Promise<Environment>;
  /** Beside the store: what may hold its key. */
  readonly stop?: () => void;
};

let keyring: Keyring | undefined;
const settings: Setting[] = [
  {
    name: 'secrets in the environment, on PostgreSQL',
    missing: 'missing' in postgres ? postgres.missing : undefined,
    given: 'env',
    async env() {
      const url = new URL(await newPostgresDatabase());
      url.password = token('database-password');
      return { CONSOLE_DATABASE_URL: url.href, CONSOLE_STORE_KEY: base64Key() };
    },
  },
  {
    name: 'secrets sealed in the embedded store',
    missing: undefined,
    given: 'keys',
    env: async () => ({ CONSOLE_STORE_KEY: base64Key() }),
  },
  {
    name: 'secrets in the keychain',
    missing: keyringMissing,
    given: 'keys',
    async env() {
      keyring = await startKeyring();
      return { ...keyring.env, CONSOLE_KEYCHAIN: 'on' };
    },
  },
];
afterAll(() => keyring?.stop());

/** What a stream of events says at first: it does not end by itself. */
async function firstWords(body: Readable): Promise<string> {
  let text = '';
  const enough = setTimeout(() => body.destroy(), 500);
  try {
    for await (const piece of body) text += String(piece);
  } catch {
    // Cut by us.
  }
  clearTimeout(enough);
  return text;
}

for (const setting of settings) {
  const why = setting.missing === undefined ? '' : ` (skipped: ${setting.missing})`;

  describe.skipIf(setting.missing !== undefined)(`no secret gets out, ${setting.name}${why}`, () => {
    const folder = newFolder();
    const secrets = newSecrets();
    const canaries: Canaries = new Map();
    const findings: Findings = [];
    const plant = (what: string, secret: string): string => {
      canaries.set(what, forms(secret));
      return secret;
    };
    let env: Environment;
    let console_: ServingConsole;
    let cookie: string;

    /** One call; its status, and everything it answered is kept for the search. */
    const call = async (
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: string,
      ownCookie = false,
    ): Promise<number> => {
      const answer = await request(`${console_.url}${path}`, {
        method: method as 'GET',
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      });
      const { 'set-cookie': given, ...rest } = answer.headers;
      const isEndless = String(rest['content-type']).startsWith('text/event-stream');
      const text = await (isEndless ? firstWords(answer.body) : answer.body.text());
      findings.push({
        where: `${method} ${path}: ${answer.statusCode}`,
        content: Buffer.from(JSON.stringify(ownCookie ? rest : answer.headers) + text),
      });
      if (ownCookie) cookie = String(given).split(';', 1)[0] ?? '';
      return answer.statusCode;
    };
    const json = (value: object): string => JSON.stringify(value);

    beforeAll(async () => {
      const inEnvironment =
        setting.given === 'env' ? secrets : { CONSOLE_ADMIN_PASSWORD: secrets.CONSOLE_ADMIN_PASSWORD };
      env = {
        ...(await setting.env()),
        ...inEnvironment,
        CONSOLE_LOG_LEVEL: 'debug',
        CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
        CONSOLE_KEY_PASSPHRASE: plant('CONSOLE_KEY_PASSPHRASE', token('passphrase')),
        TTSD_URL: `http://ada:${plant('password in TTSD_URL', token('url'))}@127.0.0.1:9/`,
        STUDIO_UPSTREAM: 'http://127.0.0.1:9',
      };
      for (const [name, value] of Object.entries(secrets)) plant(name, value);
      if (env.CONSOLE_STORE_KEY !== undefined) plant('CONSOLE_STORE_KEY', env.CONSOLE_STORE_KEY);
      if (env.CONSOLE_DATABASE_URL !== undefined)
        plant('password in CONSOLE_DATABASE_URL', new URL(env.CONSOLE_DATABASE_URL).password);
      console_ = await serveConsole(folder, env);
      cookie = await console_.cookie();
    }, 60_000);
    afterAll(async () => {
      await console_?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** A call whose answer shows a secret this once, so that it is not searched. */
    const shown = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await request(`${console_.url}${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: json(body),
      });
      expect([path, answer.statusCode]).toEqual([path, 200]);
      return (await answer.body.json()) as Record<string, unknown>;
    };

    /** Plants the secrets of data sources, and calls their routes with IDs that exist. */
    const callDataSources = async (): Promise<void> => {
      const connection = {
        name: 'orders',
        type: 'postgres',
        tenant: 'northgate',
        settings: { host: '127.0.0.1', database: 'orders', user: 'reader' },
        credentials: { password: plant('password of a connection', token('connection')) },
      };
      expect(await call('POST', '/api/connections', { cookie }, json(connection))).toBe(200);
      const clash = plant('password of a connection that is taken', token('clash'));
      const again = json({ ...connection, credentials: { password: clash } });
      expect(await call('POST', '/api/connections', { cookie }, again)).toBe(409);
      const { items } = (await (
        await request(`${console_.url}/api/connections`, { headers: { cookie } })
      ).body.json()) as { items: { id: string }[] };
      const path = `/api/connections/${items[0]?.id}`;
      await call('GET', path, { cookie });
      const moved = json({ settings: { ...connection.settings, host: '127.0.0.2' } });
      expect(await call('PUT', path, { cookie }, moved)).toBe(422);
      const bad = json({
        credentials: { [token('key').replaceAll('-', '_')]: plant('no credential', token('no')) },
      });
      expect(await call('PUT', path, { cookie }, bad)).toBe(400);
      expect(await call('POST', '/api/connectors/status/refresh', { cookie }, '{}')).toBe(200);

      const key = JSON.stringify({
        type: 'service_account',
        client_email: 'console@northgate.example',
        private_key: plant('key of a service account', newSecrets().CONSOLE_GITHUB_PRIVATE_KEY ?? ''),
      });
      const provider = { provider: 'gcp', enabled: false, service_account_key: key };
      expect(await call('POST', '/api/providers', { cookie }, json(provider))).toBe(200);

      const { runner, secret } = await shown('/api/runners', { name: 'edge' });
      const { id } = runner as { id: string };
      plant('an enrolment ticket', String(secret));
      const { token: given } = await shown(`/api/runners/${id}/connect`, { secret });
      plant('the token of a runner', String(given));
      await call('POST', `/api/runners/${id}/connect`, {}, json({ secret }));
      for (const route of [
        '/api/runners',
        '/api/providers',
        '/api/connectors/status',
        '/api/search?q=orders',
      ])
        await call('GET', route, { cookie });
    };

    it('in answers, headers, logs, files and the audit trail, when every route is called, well and badly', async () => {
      const wrong = (what: string): string => plant(`wrong ${what}`, token('wrong'));
      const signIn = (password: string, own = false) =>
        call('POST', '/auth/password', {}, json({ username: 'operator@console.localhost', password }), own);
      expect(await signIn(wrong('password'))).toBe(401);
      expect(await signIn(secrets.CONSOLE_ADMIN_PASSWORD ?? '', true)).toBe(200);
      await call('POST', '/auth/google', {}, json({ credential: wrong('credential') }));
      await call('GET', `/auth/link?token=${wrong('link token')}`);

      if (setting.given === 'keys') {
        for (const [name, value] of Object.entries(secrets)) {
          if (name === 'CONSOLE_ADMIN_PASSWORD') continue;
          expect([name, await call('PUT', `/api/keys/${name}`, { cookie }, json({ value }))]).toEqual([
            name,
            200,
          ]);
          // Another session key ends the session that gave it.
          if (name === 'CONSOLE_SESSION_KEY') await signIn(secrets.CONSOLE_ADMIN_PASSWORD ?? '', true);
        }
      }
      const report = (bearer: string) =>
        call('POST', '/api/agent-health', { authorization: `Bearer ${bearer}` }, '{}');
      // They are in use: what is refused is the empty report.
      expect([await report(secrets.CONSOLE_HEALTH_INGEST_TOKEN ?? ''), await report(wrong('token'))]).toEqual(
        [400, 401],
      );
      for (const name of secretNames) {
        await call(
          'PUT',
          `/api/keys/${name}`,
          { cookie },
          json({ value: `${wrong(`value of ${name}`)} \0` }),
        );
        await call(
          'PUT',
          '/api/settings',
          { cookie },
          json({ values: { [name]: wrong(`setting ${name}`) } }),
        );
      }
      const address = `http://ada:${wrong('password in a setting')}@host`;
      // Refused for its scheme, or because a secret in the environment was given for another address.
      expect(
        await call(
          'PUT',
          '/api/settings',
          { cookie },
          json({ values: { VOICE_REMOTE_URL: `ftp${address}` } }),
        ),
      ).toSatisfy((status) => status === 400 || status === 422);

      await callDataSources();
      plant('the session', cookie.slice(cookie.indexOf('=') + 1));
      const table: readonly Route[] = routeTable;
      for (const { method, path } of table) {
        // Ends the session that the rest needs.
        if (path === '/auth/logout' || path === '/api/sessions/revoke-all') continue;
        const verb = method === 'any' ? 'POST' : method;
        const target = path.replace('{name}', 'CONSOLE_SESSION_KEY').replace(/\{\w+\}/g, '1');
        const body =
          verb === 'GET' || verb === 'DELETE' ? undefined : json({ canary: wrong('field of a body') });
        const stranger = {
          authorization: `Bearer ${wrong('bearer')}`,
          cookie: `console_session=${wrong('session')}`,
        };
        await call(verb, target, stranger, body);
        if (verb !== 'DELETE')
          await call(verb, target, { cookie, 'x-console-identity': wrong('identity') }, body);
      }
      for (const accept of ['text/html', 'application/json'])
        await call('GET', '/studio/x', { cookie, accept });
      await call('GET', `/no/such/page?token=${wrong('token in an address')}`, {
        cookie,
        accept: 'text/html',
      });
      await call('GET', '/api/settings', { cookie });
      expect(findings.length).toBeGreaterThan(table.length * 2);

      const trail = await runConsole(['audit', 'export', '--data-dir', folder], env);
      expect(trail.stdout.split('\n').length).toBeGreaterThan(20);
      findings.push({ where: 'the audit trail', content: Buffer.from(trail.stdout + trail.stderr) });
      findings.push(...filesOf(folder), { where: 'the log', content: Buffer.from(console_.said()) });
      expect(findings.map(({ where }) => where)).toContain('console.log');
      expectNowhere(canaries, findings);
    }, 90_000);

    it('in answers and logs, when the store fails under it', async () => {
      const settings = { ...env, CONSOLE_DATA_DIR: folder, CONSOLE_KEYCHAIN: 'off' };
      // The keychain's key cannot be read in this process: that store is broken from outside instead.
      if (env.CONSOLE_STORE_KEY !== undefined) {
        const { store } = await openConsoleStore(readConfig(settings));
        await sql`drop table sealed_keys`.execute(store.db);
        await store.close();
      }
      const value = plant('a value that could not be kept', token('unkept'));
      const status = await call('PUT', '/api/keys/TTSD_API_KEY', { cookie }, json({ value }));
      if (env.CONSOLE_STORE_KEY !== undefined && setting.given === 'keys') {
        expect(status).toBe(500);
        expect(console_.said()).toContain('request failed');
      }
      await call('GET', '/api/settings', { cookie });
      findings.push({ where: 'the log', content: Buffer.from(console_.said()) });
      expectNowhere(canaries, findings);
    });

    it('in what it says when it crashes', async () => {
      const crash = 'setTimeout(()=>{throw new Error("crash of this test")},2500)';
      const options = `--import=data:text/javascript,${encodeURIComponent(crash)}`;
      const { code, stdout, stderr } = await runConsole(
        ['serve', '--data-dir', join(folder, 'crash'), '--listen', '127.0.0.1:0'],
        { ...env, ...secrets, CONSOLE_DATABASE_URL: undefined, NODE_OPTIONS: options },
      );
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining('crash of this test')]);
      expectNowhere(canaries, [
        { where: 'the crash', content: Buffer.from(stdout + stderr) },
        ...filesOf(folder),
      ]);
    });
  });
}

describe('no secret gets out of a start that fails', () => {
  it('by a value that cannot be used, a wrong key, a wrong passphrase or a database that does not answer', async () => {
    const folder = newFolder();
    const canary = token('start');
    const key = base64Key();
    const serve = (env: Record<string, string>) =>
      runConsole(['serve', '--data-dir', folder, '--listen', '127.0.0.1:0'], {
        CONSOLE_LOG_LEVEL: 'debug',
        ...env,
      });
    expect((await runConsole(['keys', 'list', '--data-dir', folder], { CONSOLE_STORE_KEY: key })).code).toBe(
      0,
    );
    const other = base64Key();
    const failures: Record<string, string>[] = [
      { CONSOLE_STORE_KEY: canary },
      { CONSOLE_STORE_KEY: other },
      { CONSOLE_SESSION_KEY: canary },
      { CONSOLE_GITHUB_PRIVATE_KEY: canary },
      { CONSOLE_HEALTH_INGEST_TOKEN: `${canary} ${canary}` },
      { STRIPE_SECRET_KEY: `${canary} ${canary}` },
      { CONSOLE_DATABASE_URL: `mysql://ada:${canary}@127.0.0.1/x` },
      { CONSOLE_DATABASE_URL: `postgres://ada:${canary}@127.0.0.1:9/x`, CONSOLE_STORE_KEY: key },
      { CONSOLE_DATABASE_URL: `postgres://ada:${canary}@no-such-host.invalid/x`, CONSOLE_STORE_KEY: key },
      { TTSD_URL: `ftp://ada:${canary}@127.0.0.1/` },
      { CONSOLE_PUBLIC_URL: `ada:${canary}@127.0.0.1` },
    ];
    const canaries: Canaries = new Map([
      ['the canary', forms(canary)],
      ['a store key', [...forms(key), ...forms(other)]],
    ]);
    for (const env of failures) {
      const { code, stdout, stderr } = await serve(env);
      const names = Object.keys(env).join(', ');
      expect([names, code === 1 || code === 2, stdout]).toEqual([names, true, '']);
      expectNowhere(canaries, [{ where: names, content: Buffer.from(stdout + stderr) }]);
    }
    expectNowhere(canaries, filesOf(folder));
    rmSync(folder, { recursive: true, force: true });
  }, 90_000);
});
