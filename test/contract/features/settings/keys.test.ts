import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { variables } from '../../../../src-main/config/index.ts';
import { type KeyItem, settingsAnswer } from '../../../../src-shared/api/settings.ts';
import {
  runConsole,
  runOnTerminal,
  serveConsole,
  terminalMissing,
} from '../../../support/console-process.ts';
import { newPostgresDatabase, postgres } from '../../../support/databases.ts';
import {
  newFolder,
  newStoreKey,
  type StartedConsole,
  startedConsole,
} from '../../../support/started-console.ts';

const opened: StartedConsole[] = [];
afterEach(async () => {
  for (const console of opened.splice(0)) await console.close();
});
const start = async (...args: Parameters<typeof startedConsole>): Promise<StartedConsole> => {
  const console = await startedConsole(...args);
  opened.push(console);
  return console;
};

const settingsOf = async (console: StartedConsole) =>
  settingsAnswer.parse((await console.api('GET', '/api/settings')).body);
const key = async (console: StartedConsole, name: string): Promise<KeyItem | undefined> =>
  (await settingsOf(console)).keys.find((item) => item.name === name);
const put = (console: StartedConsole, name: string, body: object) =>
  console.api('PUT', `/api/keys/${name}`, body);
const error = (words: string) => ({
  error: expect.stringContaining(words),
  request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
});
/** What an app's report is answered, with this token: 401 for a wrong one, 503 while none is set. */
const report = async (console: StartedConsole, token: string): Promise<number> => {
  const answer = await fetch(`${console.running.url}/api/agent-health`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  await answer.body?.cancel();
  return answer.status;
};

describe('a secret that is sent somewhere', () => {
  const sent = variables.flatMap(({ name, sentTo }) => (sentTo === undefined ? [] : [{ name, sentTo }]));
  const values: Readonly<Record<string, string>> = {
    CONSOLE_STUDIO_IDENTITY_KEY: Buffer.alloc(32, 1).toString('base64'),
    CONSOLE_REGISTRY_TOKEN: 'user:canary',
    CONSOLE_GITHUB_PRIVATE_KEY: generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey,
  };

  it('is each one of the table that is a credential of another service', () => {
    expect(sent.map(({ name }) => name).sort()).toEqual([
      'CONSOLE_GITHUB_PRIVATE_KEY',
      'CONSOLE_REGISTRY_TOKEN',
      'CONSOLE_STUDIO_IDENTITY_KEY',
      'INFERENCE_API_KEY',
      'RECAPTCHA_SECRET_KEY',
      'STRIPE_SECRET_KEY',
      'TTSD_API_KEY',
      'VOICE_REMOTE_API_KEY',
    ]);
  });

  it.each(sent)(
    'is kept for its address: $name is not in use with another $sentTo',
    async ({ name, sentTo }) => {
      const [first, second] =
        sentTo === 'CONSOLE_REGISTRY'
          ? ['one.example', 'two.example']
          : ['https://one.example', 'https://two.example'];
      const console = await start({ [sentTo]: first });
      await put(console, name, { value: values[name] ?? 'canary-key' });
      expect(await key(console, name)).toMatchObject({ set: true, source: 'sealed' });
      const other = await console.again({ [sentTo]: second });
      opened.push(other);
      const withheld = await key(other, name);
      expect(withheld).toMatchObject({
        set: false,
        source: 'unset',
        withheld: expect.stringMatching(/entered for .*one.example.* not sent to .*two.example/),
      });
      expect(JSON.stringify(withheld)).not.toContain('canary');
      await put(other, name, { value: values[name] ?? 'canary-key' });
      expect(await key(other, name)).toMatchObject({ set: true, source: 'sealed' });
      expect((await key(other, name))?.withheld).toBeUndefined();
    },
  );
});

describe('PUT /api/keys/{name} (RTE-033)', () => {
  it('keeps a secret sealed in the store, in effect at once and after a restart, never told again', async () => {
    const console = await start();
    expect(await report(console, 'canary-token-1')).toBe(503);
    const { status, body } = await put(console, 'CONSOLE_HEALTH_INGEST_TOKEN', { value: 'canary-token-1' });
    expect([status, body]).toMatchObject([200, { set: true, source: 'sealed', settable: true }]);
    // Admitted, so what is refused is the empty report.
    expect(await report(console, 'canary-token-1')).toBe(400);
    expect(await report(console, 'canary-token-2')).toBe(401);
    expect(JSON.stringify([body, await settingsOf(console)])).not.toContain('canary');
    opened.pop();
    const again = await console.again();
    opened.push(again);
    expect(await report(again, 'canary-token-1')).toBe(400);
    expect(await key(again, 'CONSOLE_HEALTH_INGEST_TOKEN')).toMatchObject({ source: 'sealed' });
    expect(readFileSync(join(again.folder, 'console.db')).includes('canary-token-1')).toBe(false);
  });

  it('makes the keys it can make itself, and says which those are', async () => {
    const console = await start();
    const { keys } = await settingsOf(console);
    const made = keys.filter(({ generates }) => generates).map(({ name }) => name);
    expect(made).toEqual([
      'CONSOLE_SESSION_KEY',
      'CONSOLE_STUDIO_IDENTITY_KEY',
      'CONSOLE_HEALTH_INGEST_TOKEN',
      'CONSOLE_JUDGEMENT_INGEST_TOKEN',
      'CONSOLE_LINEAGE_INGEST_TOKEN',
      'CONSOLE_RECON_INGEST_TOKEN',
      'CONSOLE_METRICS_TOKEN',
    ]);
    for (const name of made.slice(1))
      expect(await put(console, name, { generate: true })).toMatchObject({
        status: 200,
        body: { set: true },
      });
    expect(await put(console, 'STRIPE_SECRET_KEY', { generate: true })).toEqual({
      status: 422,
      body: error('STRIPE_SECRET_KEY cannot be generated'),
    });
  });

  it('ends every session with another session key', async () => {
    const console = await start();
    expect((await put(console, 'CONSOLE_SESSION_KEY', { generate: true })).status).toBe(200);
    expect((await console.api('GET', '/api/settings')).status).toBe(401);
  });

  it('gives the studio proxy its key while it runs (CON-056)', async () => {
    const console = await start({ STUDIO_UPSTREAM: 'http://127.0.0.1:9' });
    const studio = async () => (await console.api('GET', '/studio/')).status;
    expect(await studio()).toBe(503);
    expect(JSON.stringify((await console.api('GET', '/studio/')).body)).toContain(
      'CONSOLE_STUDIO_IDENTITY_KEY',
    );
    await put(console, 'CONSOLE_STUDIO_IDENTITY_KEY', { generate: true });
    // The key resolves; nothing listens where the studio would be.
    expect(await studio()).toBe(502);
  });

  it.each([
    ['CONSOLE_STUDIO_IDENTITY_KEY', 'canary!', 'not base64'],
    ['CONSOLE_STUDIO_IDENTITY_KEY', Buffer.from('canary').toString('base64'), 'has 6 bytes'],
    ['CONSOLE_SESSION_KEY', Buffer.alloc(31, 'canary').toString('base64'), 'has 31 bytes'],
    ['CONSOLE_GITHUB_PRIVATE_KEY', '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----', 'PEM'],
    ['CONSOLE_HEALTH_INGEST_TOKEN', 'canary token', 'bearer'],
    ['STRIPE_SECRET_KEY', 'sk canary', 'space'],
    ['CONSOLE_ADMIN_PASSWORD', ' ', 'empty'],
    ['TTSD_API_KEY', 'canary\0', 'NUL'],
  ])('refuses %s=%j, saying what is wrong without repeating it', async (name, value, words) => {
    const console = await start();
    const { status, body } = await put(console, name, { value });
    expect([status, body]).toEqual([400, error(words)]);
    expect(JSON.stringify(body)).toContain(name);
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(await key(console, name)).toMatchObject({ set: false, source: 'unset' });
  });

  it('takes a private key as the code host gives it', async () => {
    const console = await start();
    for (const type of ['pkcs1', 'pkcs8'] as const) {
      const { privateKey } = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type, format: 'pem' },
      });
      expect((await put(console, 'CONSOLE_GITHUB_PRIVATE_KEY', { value: privateKey })).status).toBe(200);
    }
  });

  it('does not take what the environment holds, what only it can hold, and what is no key', async () => {
    const console = await start({ TTSD_API_KEY: 'canary-env' });
    expect(await put(console, 'TTSD_API_KEY', { value: 'other' })).toEqual({
      status: 409,
      body: error("TTSD_API_KEY is set in the console's environment"),
    });
    expect(await console.api('DELETE', '/api/keys/TTSD_API_KEY')).toMatchObject({ status: 409 });
    expect(await put(console, 'CONSOLE_KEY_PASSPHRASE', { value: 'other' })).toEqual({
      status: 422,
      body: error('environment'),
    });
    expect((await put(console, 'CONSOLE_SESSION_HOURS', { value: '8' })).status).toBe(404);
    expect(await key(console, 'TTSD_API_KEY')).toMatchObject({ source: 'env', settable: false });
  });

  it('keeps nothing where the store key lies beside the store, says what to set, and works on the environment', async () => {
    const console = await start({ CONSOLE_STORE_KEY: undefined, TTSD_API_KEY: 'canary-env' });
    const { status, body } = await put(console, 'STRIPE_SECRET_KEY', { value: 'sk_canary' });
    expect([status, body]).toEqual([422, error('CONSOLE_STORE_KEY')]);
    expect(JSON.stringify(body)).toContain('operator-console keys protect');
    const { store, keeps_secrets_in, keep_secrets_notice } = await settingsOf(console);
    expect(store).toMatchObject({ key_source: 'file', notice: expect.stringContaining('store.key') });
    expect([keeps_secrets_in, keep_secrets_notice]).toEqual([
      undefined,
      expect.stringContaining('cannot store secrets'),
    ]);
    expect(await key(console, 'STRIPE_SECRET_KEY')).toMatchObject({ set: false, settable: false });
    expect(await key(console, 'TTSD_API_KEY')).toMatchObject({ set: true, source: 'env' });
  });
});

describe('DELETE /api/keys/{name}', () => {
  it('forgets a kept secret at once and for good', async () => {
    const console = await start();
    await put(console, 'CONSOLE_HEALTH_INGEST_TOKEN', { value: 'canary-token' });
    const gone = await console.api('DELETE', '/api/keys/CONSOLE_HEALTH_INGEST_TOKEN');
    expect(gone).toMatchObject({ status: 200, body: { set: false, source: 'unset' } });
    expect(await report(console, 'canary-token')).toBe(503);
    expect((await console.api('DELETE', '/api/keys/CONSOLE_HEALTH_INGEST_TOKEN')).status).toBe(404);
  });
});

describe('the audit trail', () => {
  it('names the key that was set and where it is kept, never its value', async () => {
    const console = await start({ CONSOLE_SESSION_ADMINS: 'operator@console.localhost' });
    await put(console, 'STRIPE_SECRET_KEY', { value: 'sk_canary' });
    await put(console, 'STRIPE_SECRET_KEY', { value: 'sk canary' });
    const { body } = await console.api('GET', '/api/audit?action=keys.set');
    expect(body).toMatchObject({
      items: [
        { outcome: 'failure', target: 'STRIPE_SECRET_KEY' },
        {
          outcome: 'success',
          target: 'STRIPE_SECRET_KEY',
          summary: 'STRIPE_SECRET_KEY was set and is sealed in the store.',
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('canary');
  });
});

const noPostgres = 'missing' in postgres ? postgres.missing : undefined;
const why = noPostgres === undefined ? '' : ` (skipped: ${noPostgres})`;

describe.skipIf(noPostgres !== undefined)(`several consoles on one PostgreSQL${why}`, () => {
  it('with one store key share what one of them was given, and what it forgot, within seconds', async () => {
    const shared = { CONSOLE_DATABASE_URL: await newPostgresDatabase(), CONSOLE_STORE_KEY: newStoreKey() };
    const [a, b] = [await start(shared), await start(shared)];
    expect((await settingsOf(a)).store).toMatchObject({
      kind: 'postgres',
      encrypted: false,
      key_source: 'env',
    });
    await put(a, 'CONSOLE_HEALTH_INGEST_TOKEN', { value: 'canary-token' });
    await vi.waitFor(async () => expect(await report(b, 'canary-token')).toBe(400), {
      timeout: 10_000,
      interval: 100,
    });
    await b.api('DELETE', '/api/keys/CONSOLE_HEALTH_INGEST_TOKEN');
    await vi.waitFor(async () => expect(await report(a, 'canary-token')).toBe(503), {
      timeout: 10_000,
      interval: 100,
    });
  });

  it('with another store key neither opens nor overwrites what the first sealed', async () => {
    const CONSOLE_DATABASE_URL = await newPostgresDatabase();
    const [a, b] = [await start({ CONSOLE_DATABASE_URL }), await start({ CONSOLE_DATABASE_URL })];
    await put(a, 'CONSOLE_HEALTH_INGEST_TOKEN', { value: 'canary-token' });
    expect(await key(b, 'CONSOLE_HEALTH_INGEST_TOKEN')).toMatchObject({ set: false });
    expect(await put(b, 'CONSOLE_HEALTH_INGEST_TOKEN', { value: 'other-token' })).toEqual({
      status: 409,
      body: error('another store key'),
    });
    expect(await report(a, 'canary-token')).toBe(400);
  });
});

describe('operator-console keys', () => {
  const folder = newFolder();
  const env = { CONSOLE_STORE_KEY: newStoreKey() };
  const keys = (...args: string[]) => runConsole(['keys', ...args, '--data-dir', folder], env);
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('sets a key from standard input, lists where it is kept, and a running console takes it up', async () => {
    const console = await serveConsole(folder, env);
    const set = await runConsole(
      ['keys', 'set', 'CONSOLE_HEALTH_INGEST_TOKEN', '--data-dir', folder],
      env,
      'canary-token\n',
    );
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('sealed in the store') });
    const listed = await keys('list');
    expect(listed.stdout).toMatch(/^CONSOLE_HEALTH_INGEST_TOKEN +sealed in the store$/m);
    expect(listed.stdout).toMatch(/^CONSOLE_STORE_KEY +set in the environment$/m);
    expect(listed.stdout).toMatch(/^STRIPE_SECRET_KEY +not set$/m);
    const running = { running: { url: console.url } } as StartedConsole;
    await vi.waitFor(async () => expect(await report(running, 'canary-token')).toBe(400), {
      timeout: 10_000,
      interval: 100,
    });
    expect((await keys('delete', 'CONSOLE_HEALTH_INGEST_TOKEN')).code).toBe(0);
    await vi.waitFor(async () => expect(await report(running, 'canary-token')).toBe(503), {
      timeout: 10_000,
      interval: 100,
    });
    await console.stop();
    expect([set.stdout, set.stderr, listed.stdout, console.said()].join()).not.toContain('canary');
  });

  it('hands the studio key over as a Secret that holds exactly the key, and records who did', async () => {
    expect((await keys('generate', 'CONSOLE_STUDIO_IDENTITY_KEY')).code).toBe(0);
    const shown = (await keys('show', 'CONSOLE_STUDIO_IDENTITY_KEY', '--force')).stdout.trim();
    expect(Buffer.from(shown, 'base64')).toHaveLength(32);
    const { stdout } = await keys(
      'secret',
      'CONSOLE_STUDIO_IDENTITY_KEY',
      '--namespace',
      'studio',
      '--name',
      'studio-identity',
    );
    expect(stdout).toBe(`apiVersion: v1
kind: Secret
metadata:
  name: "studio-identity"
  namespace: "studio"
type: Opaque
data:
  CONSOLE_STUDIO_IDENTITY_KEY: ${Buffer.from(shown).toString('base64')}
`);
    const { stdout: trail } = await runConsole(['audit', 'export', '--data-dir', folder], env);
    const acts = trail
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; actor: string; summary: string });
    expect(acts.map(({ action }) => action)).toEqual(['keys.set', 'keys.show', 'keys.show']);
    expect(acts[2]?.summary).toContain('Secret studio/studio-identity');
    expect(acts[0]?.actor).toContain('command line');
    expect(trail).not.toContain(shown);
  });

  it.each([
    [['show', 'CONSOLE_SESSION_KEY'], 'not a terminal'],
    [['show', 'CONSOLE_SESSION_KEY', '--force'], 'not set'],
    [['show', 'HOME', '--force'], 'not a key'],
    [['set', 'CONSOLE_SESSION_KEY'], 'standard input'],
    [['generate', 'STRIPE_SECRET_KEY'], 'cannot be generated'],
    [['delete', 'STRIPE_SECRET_KEY'], 'nothing to delete'],
    [['secret', 'CONSOLE_SESSION_KEY', '--namespace', 'Not A Name', '--name', 'x'], '--namespace'],
  ])('%j is refused in one line that says why', async (args, words) => {
    const { code, stdout, stderr } = await keys(...args);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(words)]);
  });

  const noTerminal = terminalMissing === undefined ? '' : ` (skipped: ${terminalMissing})`;
  it.skipIf(noTerminal !== '')(`asks for a value on a terminal without showing it${noTerminal}`, async () => {
    const { code, stdout } = await runOnTerminal(
      ['keys', 'set', 'STRIPE_SECRET_KEY', '--data-dir', folder],
      { ...env, TERM: 'dumb' },
      [['STRIPE_SECRET_KEY: ', 'sk_canary']],
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('sealed')]);
    expect(stdout).not.toContain('canary');
    expect((await keys('show', 'STRIPE_SECRET_KEY', '--force')).stdout).toBe('sk_canary\n');
  });
});
