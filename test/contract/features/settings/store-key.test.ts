import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../../src-main/config/index.ts';
import { openConsoleStore } from '../../../../src-main/start/console-store.ts';
import {
  type Ended,
  runConsole,
  runOnTerminal,
  serveConsole,
  terminalMissing,
} from '../../../support/console-process.ts';
import { newFolder, newStoreKey, startedConsole } from '../../../support/started-console.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const folderFor = (): string => {
  const folder = newFolder();
  folders.push(folder);
  return folder;
};

type Env = Readonly<Record<string, string | undefined>>;
const serve = (folder: string, env: Env = {}): Promise<Ended> =>
  runConsole(['serve', '--data-dir', folder, '--listen', '127.0.0.1:0'], env);
/** Starts and stops a console in this process: a store is in the folder afterwards. */
const startOnce = async (folder: string, env: Env = {}): Promise<void> => {
  const console = await startedConsole({ CONSOLE_STORE_KEY: undefined, ...env }, { folder });
  await console.close(true);
};
const store = (folder: string): string => join(folder, 'console.db');
/** One line, exit code 1 or 2, and not a byte of the store changed. */
const refusesAndKeeps = async (folder: string, env: Env, ...words: string[]): Promise<void> => {
  const before = readFileSync(store(folder));
  const files = readdirSync(folder).sort();
  const { code, stdout, stderr } = await serve(folder, env);
  expect([code === 1 || code === 2, stdout]).toEqual([true, '']);
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  for (const word of words) expect(lines[0]).toContain(word);
  expect(readFileSync(store(folder)).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(files);
};
const passphrase = 'correct horse battery';

describe('a newcomer without a keychain', () => {
  it('gets an encrypted store whose key lies beside it for its owner only, and is told so in one line', async () => {
    const folder = folderFor();
    const console = await serveConsole(folder);
    expect((await console.cookie()).length).toBeGreaterThan(40);
    await console.stop();
    const warnings = console
      .said()
      .split('\n')
      .filter((line) => line.includes('store.key'));
    expect(warnings).toEqual([
      expect.stringMatching(/readable by its owner only.*operator-console keys protect/),
    ]);
    expect(statSync(join(folder, 'store.key')).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(store(folder));
    expect(bytes.includes('SQLite format 3')).toBe(false);
    expect(bytes.includes('operator@console.localhost')).toBe(false);
  });

  it('finds the store again at the next start, with whoever was signed in', async () => {
    const folder = folderFor();
    const first = await startedConsole({ CONSOLE_STORE_KEY: undefined }, { folder });
    const session = await first.running.startOperatorSession();
    const cookie = `console_session=${session?.token}`;
    const second = await first.again();
    const answer = await fetch(`${second.running.url}/api/me`, { headers: { cookie } });
    expect(await answer.json()).toMatchObject({ authed: true });
    await second.close();
  });

  it('gets one key from several programs that start at once', async () => {
    const folder = folderFor();
    const runs = await Promise.all([1, 2, 3].map(() => runConsole(['keys', 'list', '--data-dir', folder])));
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
    await startOnce(folder);
  });
});

describe('CONSOLE_STORE_KEY', () => {
  it('opens the store and leaves no key on the disk', async () => {
    const folder = folderFor();
    const CONSOLE_STORE_KEY = newStoreKey();
    await startOnce(folder, { CONSOLE_STORE_KEY });
    await startOnce(folder, { CONSOLE_STORE_KEY });
    const key = Buffer.from(CONSOLE_STORE_KEY, 'base64');
    expect(readdirSync(folder)).not.toContain('store.key');
    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, file));
      expect([file, bytes.includes(key), bytes.includes(CONSOLE_STORE_KEY)]).toEqual([file, false, false]);
    }
  });

  it('may hold the key that lay in the file, which can then go', async () => {
    const folder = folderFor();
    await startOnce(folder);
    const CONSOLE_STORE_KEY = readFileSync(join(folder, 'store.key'), 'utf8');
    rmSync(join(folder, 'store.key'));
    await startOnce(folder, { CONSOLE_STORE_KEY });
  });

  it('of another store is refused, and nothing is changed', async () => {
    const folder = folderFor();
    await startOnce(folder, { CONSOLE_STORE_KEY: newStoreKey() });
    await refusesAndKeeps(folder, { CONSOLE_STORE_KEY: newStoreKey() }, store(folder), 'this key');
  });

  it.each([
    ['', 'set but empty'],
    ['  ', 'set but empty'],
    ['canary!', 'not base64'],
    [Buffer.alloc(31, 'canary').toString('base64'), 'has 31 bytes'],
  ])('%j is refused in words of its own, also before there is a store', async (CONSOLE_STORE_KEY, words) => {
    const folder = join(folderFor(), 'none');
    const { code, stderr } = await serve(folder, { CONSOLE_STORE_KEY });
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(words)]]);
    expect(stderr).toContain('CONSOLE_STORE_KEY');
    expect(stderr).not.toContain('canary');
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a store whose key is not found', () => {
  it('is refused and never given a new key', async () => {
    const folder = folderFor();
    await startOnce(folder);
    rmSync(join(folder, 'store.key'));
    await refusesAndKeeps(folder, {}, 'key was not found', 'CONSOLE_KEYCHAIN is off', 'CONSOLE_STORE_KEY');
    await refusesAndKeeps(folder, { CONSOLE_KEYCHAIN: 'on' }, 'key was not found', 'none answers here');
  });

  it('is refused when the file holds something else', async () => {
    const folder = folderFor();
    await startOnce(folder);
    writeFileSync(join(folder, 'store.key'), 'canary');
    await refusesAndKeeps(folder, {}, join(folder, 'store.key'));
    expect(readFileSync(join(folder, 'store.key'), 'utf8')).toBe('canary');
  });
});

describe('keys protect', () => {
  it('puts the key under a passphrase: no copy is left, and every start needs it', async () => {
    const folder = folderFor();
    await startOnce(folder);
    const key = readFileSync(join(folder, 'store.key'), 'utf8').trim();
    const CONSOLE_KEY_PASSPHRASE = passphrase;
    const protect = await runConsole(['keys', 'protect', '--data-dir', folder], { CONSOLE_KEY_PASSPHRASE });
    expect(protect).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('protected by the passphrase'),
    });
    expect(readdirSync(folder)).not.toContain('store.key');
    const sealed = join(folder, 'store-key.sealed');
    expect(statSync(sealed).mode & 0o777).toBe(0o600);
    expect(readFileSync(sealed, 'utf8')).not.toContain(key);
    await refusesAndKeeps(folder, {}, 'CONSOLE_KEY_PASSPHRASE', 'terminal');
    await refusesAndKeeps(folder, { CONSOLE_KEY_PASSPHRASE: 'canary' }, 'is not the passphrase');
    const console = await startedConsole(
      { CONSOLE_STORE_KEY: undefined, CONSOLE_KEY_PASSPHRASE },
      { folder },
    );
    expect(await console.api('GET', '/api/settings')).toMatchObject({
      body: { store: { key_source: 'passphrase' }, keeps_secrets_in: 'sealed' },
    });
    const kept = await console.api('PUT', '/api/keys/STRIPE_SECRET_KEY', { value: 'sk_canary' });
    expect(kept).toMatchObject({ status: 200, body: { source: 'sealed' } });
    await console.close(true);
  });

  it('before the first start never writes the key in plain text', async () => {
    const folder = join(folderFor(), 'new');
    const { code } = await runConsole(['keys', 'protect', '--data-dir', folder], {
      CONSOLE_KEY_PASSPHRASE: passphrase,
    });
    expect([code, readdirSync(folder).sort()]).toEqual([
      0,
      ['audit-head.json', 'console.db', 'store-key.sealed'],
    ]);
  });

  it('refuses a short passphrase, no passphrase, and a key that the environment holds', async () => {
    const folder = folderFor();
    await startOnce(folder);
    for (const [env, words] of [
      [{ CONSOLE_KEY_PASSPHRASE: 'short' }, 'too short'],
      [{}, 'CONSOLE_KEY_PASSPHRASE'],
      [{ CONSOLE_STORE_KEY: readFileSync(join(folder, 'store.key'), 'utf8').trim() }, 'CONSOLE_STORE_KEY'],
    ] as const) {
      const { code, stderr } = await runConsole(['keys', 'protect', '--data-dir', folder], env);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    await startOnce(folder);
  });

  it('says what to do where no keychain answers, and leaves the key where it is', async () => {
    const folder = folderFor();
    await startOnce(folder);
    const { code, stderr } = await runConsole(['keys', 'protect', '--keychain', '--data-dir', folder], {
      CONSOLE_KEYCHAIN: 'on',
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/was not moved.*gnome-keyring/)]);
    await startOnce(folder);
  });

  it('says which file is damaged when the sealed key cannot be read', async () => {
    const folder = folderFor();
    const CONSOLE_KEY_PASSPHRASE = passphrase;
    await runConsole(['keys', 'protect', '--data-dir', folder], { CONSOLE_KEY_PASSPHRASE });
    const file = join(folder, 'store-key.sealed');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 60));
    await refusesAndKeeps(folder, { CONSOLE_KEY_PASSPHRASE }, file, 'damaged');
  });

  describe.skipIf(terminalMissing !== undefined)(
    `on a terminal${terminalMissing === undefined ? '' : ` (skipped: ${terminalMissing})`}`,
    () => {
      const env = { TERM: 'dumb' };

      it('asks twice, takes only two that agree, and shows neither', async () => {
        const folder = folderFor();
        const args = ['keys', 'protect', '--data-dir', folder];
        const differ = await runOnTerminal(args, env, [
          ['New passphrase: ', passphrase],
          ['Again: ', `${passphrase}!`],
        ]);
        expect(differ).toMatchObject({ code: 2, stdout: expect.stringContaining('do not match') });
        const agree = await runOnTerminal(args, env, [
          ['New passphrase: ', passphrase],
          ['Again: ', `${passphrase}x\u007f`],
        ]);
        expect(agree).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('protected by the passphrase'),
        });
        expect(differ.stdout + agree.stdout).not.toContain(passphrase);
        await startOnce(folder, { CONSOLE_KEY_PASSPHRASE: passphrase });
      });

      it('is asked for at start, three times at most', async () => {
        const folder = folderFor();
        await runConsole(['keys', 'protect', '--data-dir', folder], { CONSOLE_KEY_PASSPHRASE: passphrase });
        const list = ['keys', 'list', '--data-dir', folder];
        const right = await runOnTerminal(list, env, [
          ['Passphrase of the store key: ', 'canary of a typing error'],
          ['(wrong passphrase, try again): ', passphrase],
        ]);
        expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('CONSOLE_STORE_KEY') });
        const wrong = await runOnTerminal(list, env, [
          ['Passphrase of the store key: ', 'canary 1'],
          ['(wrong passphrase, try again): ', 'canary 2'],
          ['(wrong passphrase, try again): ', 'canary 3'],
        ]);
        expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('3 wrong passphrases') });
        expect(right.stdout + wrong.stdout).not.toMatch(/canary|correct horse/);
      });
    },
  );
});

describe('a store that cannot be opened', () => {
  const CONSOLE_STORE_KEY = newStoreKey();

  it('because a bit of it was flipped', async () => {
    const folder = folderFor();
    await startOnce(folder, { CONSOLE_STORE_KEY });
    const bytes = readFileSync(store(folder));
    // In the middle of every page but the first: whichever is read first, its seal does not hold.
    for (let at = 4096 + 2048; at < bytes.length; at += 4096) bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(store(folder), bytes);
    await refusesAndKeeps(folder, { CONSOLE_STORE_KEY }, store(folder), 'damaged');
  });

  it('because a newer program made it', async () => {
    const folder = folderFor();
    const env = { CONSOLE_DATA_DIR: folder, CONSOLE_STORE_KEY, CONSOLE_KEYCHAIN: 'off' };
    const { store: open } = await openConsoleStore(readConfig(env));
    await sql`insert into kysely_migration (name, timestamp) values ('2099-01-01-future', '2099')`.execute(
      open.db,
    );
    await open.close();
    await refusesAndKeeps(folder, { CONSOLE_STORE_KEY }, 'newer version', '2099-01-01-future');
  });

  it('because another program holds it', async () => {
    const folder = folderFor();
    const env = { CONSOLE_DATA_DIR: folder, CONSOLE_STORE_KEY, CONSOLE_KEYCHAIN: 'off' };
    const { store: open } = await openConsoleStore(readConfig(env));
    await open.db.transaction().execute(async () => {
      const { code, stderr } = await serve(folder, { CONSOLE_STORE_KEY });
      expect([code, stderr.trim().split('\n')]).toEqual([
        1,
        [expect.stringContaining('locked by another program')],
      ]);
    });
    await open.close();
  });

  it('because its folder is a file', async () => {
    const folder = join(folderFor(), 'file');
    writeFileSync(folder, '');
    const { code, stderr } = await serve(folder, { CONSOLE_STORE_KEY });
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(folder)]]);
  });

  const noDisk = whyNoSmallDisk();
  it.skipIf(noDisk !== undefined)(
    `because the disk is full${noDisk ? ` (skipped: ${noDisk})` : ''}`,
    async () => {
      const folder = folderFor();
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
      try {
        const { code, stderr } = await serve(disk, { CONSOLE_STORE_KEY });
        expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(/disk.* is full/)]]);
      } finally {
        execFileSync('umount', [disk]);
      }
    },
  );
});

function whyNoSmallDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk';
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return undefined;
  } catch {
    return 'this machine lets nobody mount a disk';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
