import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Settings, settingsAnswer } from '../../../src-shared/api/settings.ts';
import { type Ended, runConsole, type ServingConsole, serveConsole } from '../../support/console-process.ts';
import { type Keyring, keyringMissing, startKeyring } from '../../support/keyring.ts';
import { newFolder, newStoreKey } from '../../support/started-console.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const folderFor = (): string => {
  const folder = newFolder();
  folders.push(folder);
  return join(folder, 'data');
};

type Env = Readonly<Record<string, string | undefined>>;
const admin = { CONSOLE_SESSION_ADMINS: 'operator@console.localhost' };
const api = async (console: ServingConsole, method: string, path: string, body?: object) => {
  const answer = await fetch(`${console.url}${path}`, {
    method,
    headers: {
      cookie: await console.cookie(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
};
const settingsOf = async (console: ServingConsole): Promise<Settings> =>
  settingsAnswer.parse((await api(console, 'GET', '/api/settings')).body);
/** Every file below a folder, read whole. */
const contents = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
const serve = (folder: string, env: Env): Promise<Ended> => runConsole(['serve', '--data-dir', folder], env);
const refuses = async (folder: string, env: Env, words: RegExp): Promise<void> => {
  const before = contents(folder);
  const { code, stdout, stderr } = await serve(folder, env);
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringMatching(words)]]);
  expect(contents(folder).equals(before)).toBe(true);
};

const noPrompt = keyringMissing ?? (existsSync('/usr/bin/Xvfb') ? undefined : 'Xvfb not installed');
/** A start on a locked keychain whose question nobody answers: it waits half a minute, beside the other tests. */
let unanswered: Promise<Ended> | undefined;
beforeAll(() => {
  if (noPrompt !== undefined) return;
  unanswered = startThatNobodyAnswers();
  // Its test tells of the failure.
  unanswered.catch(() => undefined);
});

async function startThatNobodyAnswers(): Promise<Ended> {
  const screen = spawn('Xvfb', ['-displayfd', '1'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const display = await new Promise<string>((resolve) =>
    screen.stdout.once('data', (data) => resolve(`:${String(data).trim()}`)),
  );
  const keyring = await startKeyring(display);
  try {
    const folder = join(newFolder(), 'data');
    const env = { ...keyring.env, CONSOLE_KEYCHAIN: 'on' };
    await runConsole(['keys', 'list', '--data-dir', folder], env);
    await keyring.lock();
    return await runConsole(['serve', '--data-dir', folder], env, '', 90_000);
  } finally {
    keyring.stop();
    screen.kill('SIGKILL');
  }
}

const why = keyringMissing === undefined ? '' : ` (skipped: ${keyringMissing})`;

describe.skipIf(keyringMissing !== undefined)(`with a keychain${why}`, () => {
  let keyring: Keyring;
  let env: Env;
  beforeAll(async () => {
    keyring = await startKeyring();
    env = { ...keyring.env, ...admin, CONSOLE_KEYCHAIN: 'on' };
  });
  afterAll(() => keyring?.stop());

  it('two starts find one store: its key, the secrets and the head of the audit trail are in the keychain', async () => {
    const folder = folderFor();
    const first = await serveConsole(folder, env);
    const cookie = await first.cookie();
    const kept = await api(first, 'PUT', '/api/keys/CONSOLE_HEALTH_INGEST_TOKEN', { value: 'canary-token' });
    expect(kept).toMatchObject({ status: 200, body: { source: 'keychain' } });
    await first.stop();
    expect(first.said()).not.toContain('store.key');

    const second = await serveConsole(folder, env);
    const me = await fetch(`${second.url}/api/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({ authed: true });
    const { keys, keychain, store, keeps_secrets_in } = await settingsOf(second);
    expect([keychain.state, store.key_source, store.notice, keeps_secrets_in]).toEqual([
      'available',
      'keychain',
      undefined,
      'keychain',
    ]);
    expect(keys.find(({ name }) => name === 'CONSOLE_HEALTH_INGEST_TOKEN')).toMatchObject({
      set: true,
      source: 'keychain',
    });
    const report = async () => {
      const answer = await fetch(`${second.url}/api/agent-health`, {
        method: 'POST',
        headers: { authorization: 'Bearer canary-token', 'content-type': 'application/json' },
        body: '{}',
      });
      return answer.status;
    };
    // Admitted, so what is refused is the empty report.
    expect(await report()).toBe(400);
    expect((await api(second, 'GET', '/api/audit')).body).toMatchObject({
      verdict: { intact: true, head_kept_in: 'keychain' },
    });
    // A command beside it changes the keychain: the running console takes it up.
    await runConsole(['keys', 'delete', 'CONSOLE_HEALTH_INGEST_TOKEN', '--data-dir', folder], env);
    await vi.waitFor(async () => expect(await report()).toBe(503), { timeout: 10_000, interval: 100 });
    await runConsole(
      ['keys', 'set', 'CONSOLE_HEALTH_INGEST_TOKEN', '--data-dir', folder],
      env,
      'canary-token',
    );
    await vi.waitFor(async () => expect(await report()).toBe(400), { timeout: 10_000, interval: 100 });
    await second.stop();

    expect(readdirSync(folder).sort()).toEqual(['console.db', 'installation.json']);
    const bytes = contents(folder);
    for (const text of ['SQLite format 3', 'canary-token', 'operator@console.localhost'])
      expect([text, bytes.includes(text)]).toEqual([text, false]);
  });

  it('a folder that is moved keeps its keys, one that is another does not get them', async () => {
    const folder = folderFor();
    await runConsole(['keys', 'set', 'TTSD_API_KEY', '--data-dir', folder], env, 'canary');
    renameSync(folder, `${folder}-moved`);
    const list = async (place: string) =>
      (await runConsole(['keys', 'list', '--data-dir', place], env)).stdout;
    expect(await list(`${folder}-moved`)).toMatch(/^TTSD_API_KEY +stored in the keychain$/m);
    expect(await list(folder)).toMatch(/^TTSD_API_KEY +not set$/m);
  });

  it('a store without the rest of its folder is refused, with where its key may be', async () => {
    const folder = folderFor();
    await runConsole(['keys', 'list', '--data-dir', folder], env);
    const other = folderFor();
    await runConsole(['keys', 'list', '--data-dir', other], env);
    rmSync(join(other, 'installation.json'));
    copyFileSync(join(folder, 'console.db'), join(other, 'console.db'));
    await refuses(other, env, /not in this person's keychain.*installation\.json/);
  });

  it('several programs that start at once on a new folder share one key', async () => {
    const folder = folderFor();
    const runs = await Promise.all(
      [1, 2, 3].map(() => runConsole(['keys', 'list', '--data-dir', folder], env)),
    );
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
    expect(existsSync(join(folder, 'store.key'))).toBe(false);
    expect((await runConsole(['keys', 'list', '--data-dir', folder], env)).code).toBe(0);
  });

  it('a key that lay in a file moves into the keychain, and the file is gone', async () => {
    const folder = folderFor();
    await runConsole(['keys', 'list', '--data-dir', folder], { ...env, CONSOLE_KEYCHAIN: 'off' });
    expect(existsSync(join(folder, 'store.key'))).toBe(true);
    const protect = await runConsole(['keys', 'protect', '--keychain', '--data-dir', folder], env);
    expect(protect).toMatchObject({ code: 0, stdout: expect.stringContaining('in the keychain') });
    expect(existsSync(join(folder, 'store.key'))).toBe(false);
    const { stdout } = await runConsole(['keys', 'list', '--data-dir', folder], env);
    expect(stdout).toContain('The store key is in the keychain.');
    await refuses(folder, { ...env, CONSOLE_KEYCHAIN: 'off' }, /CONSOLE_KEYCHAIN is off/);
  });

  it('where none answers, a store made with one is refused, and the words say what to do', async () => {
    const folder = folderFor();
    await runConsole(['keys', 'list', '--data-dir', folder], env);
    const none = { ...env, DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined };
    await refuses(folder, none, /none answers here.*desktop session.*CONSOLE_STORE_KEY/);
  });

  it('a session bus that takes connections and says nothing does not hold up the start', async () => {
    const folder = folderFor();
    await runConsole(['keys', 'list', '--data-dir', folder], env);
    const path = join(folder, '..', 'silent');
    const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(path);
    try {
      await refuses(folder, { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }, /none answers here/);
    } finally {
      silent.close();
    }
  });

  it('a keychain that hangs does not hold up the start', async () => {
    const folder = folderFor();
    await runConsole(['keys', 'list', '--data-dir', folder], env);
    keyring.freeze();
    try {
      await refuses(folder, env, /key was not found/);
    } finally {
      keyring.thaw();
    }
  });

  describe('that is locked', () => {
    it('refuses to start on its store, makes no other key, and starts again once it is unlocked', async () => {
      const folder = folderFor();
      await runConsole(['keys', 'list', '--data-dir', folder], env);
      await keyring.lock();
      await refuses(folder, env, /which cannot be read now.*locked.*unlock/);
      await keyring.unlock();
      const console = await serveConsole(folder, env);
      expect((await settingsOf(console)).store.key_source).toBe('keychain');
      await console.stop();
    });

    it('with the store key in the environment: says so, misses what it holds, and seals what is given now', async () => {
      const folder = folderFor();
      const own = { ...env, CONSOLE_STORE_KEY: newStoreKey() };
      await runConsole(['keys', 'set', 'TTSD_API_KEY', '--data-dir', folder], own, 'canary');
      await keyring.lock();
      const console = await serveConsole(folder, own);
      expect(console.said()).toContain('in the keychain cannot be read');
      const { keychain, keys, keeps_secrets_in } = await settingsOf(console);
      expect([keychain, keeps_secrets_in]).toEqual([
        { state: 'locked', detail: expect.stringContaining('unlock it') },
        'sealed',
      ]);
      expect(keys.find(({ name }) => name === 'TTSD_API_KEY')).toMatchObject({ set: false });
      await keyring.unlock();
      // Once it is unlocked the page that shows the keys finds them again.
      await vi.waitFor(
        async () =>
          expect((await settingsOf(console)).keys.find(({ name }) => name === 'TTSD_API_KEY')).toMatchObject({
            set: true,
            source: 'keychain',
          }),
        { timeout: 15_000, interval: 1000 },
      );
      await console.stop();
    });
  });
});

describe.skipIf(noPrompt !== undefined)(
  `a keychain whose prompt nobody answers${noPrompt === undefined ? '' : ` (skipped: ${noPrompt})`}`,
  () => {
    it('is given up after a while: the program says so and ends', { timeout: 120_000 }, async () => {
      const { stdout, stderr } = (await unanswered) ?? {};
      expect([stdout, stderr?.trim().split('\n')]).toEqual([
        '',
        [expect.stringMatching(/waits for an answer/)],
      ]);
    });
  },
);
