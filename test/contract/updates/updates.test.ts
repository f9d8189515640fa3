import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bucketOf,
  compareVersions,
  downloadUpdate,
  findUpdate,
  installationKind,
  manifestName,
  readUpdatePolicy,
  replacedVersion,
  type Update,
} from '../../../src-main/updates/index.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { packageName, startUpdateFeed, type UpdateFeed } from '../../support/update-feed.ts';

let folder: string;
let server: UpdateFeed;
const next = Buffer.from(`the program, version 1.1.0 ${'x'.repeat(200_000)}`);
const signal = new AbortController().signal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'updates-'));
  server = await startUpdateFeed();
  server.release('1.1.0', next);
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const find = (options: Partial<Parameters<typeof findUpdate>[0]> & { version?: string } = {}) =>
  findUpdate({
    feed: server.feed,
    installed: { version: options.version ?? '1.0.0', kind: 'appimage', arch: process.arch, id: 'a' },
    pin: undefined,
    failed: [],
    asked: false,
    signal,
    ...options,
  });

const found = async (): Promise<Update> => {
  const update = await find();
  if (update === undefined) throw new Error('no update was found');
  return update;
};

const download = async (update: Update, onProgress?: (received: number, size: number) => void) =>
  downloadUpdate({
    feed: server.feed,
    update,
    folder: join(folder, 'downloads'),
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });

const downloads = (): string[] =>
  existsSync(join(folder, 'downloads')) ? readdirSync(join(folder, 'downloads')) : [];

describe('an update from one version to the next', () => {
  it('is found, downloaded with its progress, and put in the place of the program', async () => {
    const update = await found();
    expect(update.manifest).toMatchObject({ version: '1.1.0', notes: 'What is new in 1.1.0.' });
    const progress: number[] = [];
    const file = await download(update, (received) => progress.push(received));
    expect(progress.at(-1)).toBe(next.length);
    const program = join(folder, 'operator-console.AppImage');
    writeFileSync(program, 'the program, version 1.0.0');
    const replaced = replacedVersion(folder);
    replaced.replace(program, '1.1.0', file);
    expect(readFileSync(program)).toEqual(next);
    expect(replaced.countStart('1.1.0')).toBeUndefined();
    replaced.becameReady('1.1.0');
    expect(readdirSync(folder).filter((name) => name.includes('AppImage'))).toEqual([
      'operator-console.AppImage',
    ]);
  });

  it('is left for the version before when it does not become ready twice, and is not offered again', async () => {
    const program = join(folder, 'operator-console.AppImage');
    writeFileSync(program, 'the program, version 1.0.0');
    const replaced = replacedVersion(folder);
    replaced.replace(program, '1.1.0', await download(await found()));
    expect([replaced.countStart('1.1.0'), replaced.countStart('1.1.0')]).toEqual([undefined, undefined]);
    expect(replaced.countStart('1.1.0')).toBe(program);
    expect(readFileSync(program, 'utf8')).toBe('the program, version 1.0.0');
    expect(replaced.failed()).toEqual(['1.1.0']);
    expect(await find({ failed: replaced.failed() })).toBeUndefined();
    // The version before is not on trial.
    expect(replaced.countStart('1.0.0')).toBeUndefined();
  });
});

describe('what is not offered', () => {
  it('is the version that runs, another than the pinned one, and what the rollout has not reached', async () => {
    expect(await find({ version: '1.1.0' })).toBeUndefined();
    expect(await find({ pin: '1.2.0' })).toBeUndefined();
    expect(await find({ pin: '1.1.0' })).toBeDefined();
    server.release('1.1.0', next, { rollout: 0 });
    expect(await find()).toBeUndefined();
    expect(await find({ asked: true })).toBeDefined();
  });

  it('reaches about as many installations as the rollout says', async () => {
    const reached = Array.from({ length: 2000 }, (_, i) => bucketOf(`installation-${i}`, '1.1.0')).filter(
      (bucket) => bucket < 20,
    ).length;
    expect(reached).toBeGreaterThan(320);
    expect(reached).toBeLessThan(480);
  });
});

describe('what is refused, before anything is downloaded', () => {
  const refused = async (why: RegExp): Promise<void> => {
    await expect(find()).rejects.toThrow(why);
    expect(server.asked).not.toContain(packageName);
  };

  it('is a tampered manifest: any byte of it changed', async () => {
    const whole = server.files.get(manifestName) ?? Buffer.alloc(0);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ change;
        server.files.set(manifestName, changed);
        await refused(/not signed by the key/);
      }),
      { numRuns: 40 },
    );
  });

  it('is a manifest that another key signed, and one without a signature', async () => {
    const other = await startUpdateFeed();
    other.release('1.1.0', next);
    for (const [name, content] of other.files) server.files.set(name, content);
    await other.close();
    await refused(/not signed by the key/);
    server.files.set('updates.json.sig', Buffer.alloc(0));
    await refused(/not signed by the key/);
  });

  it("is another program's feed, although the key is right", async () => {
    server.release('1.1.0', next, { product: 'another-console' });
    await refused(/of another program/);
  });

  it('is a downgrade, also to a version that was released and signed', async () => {
    server.release('0.9.0', next);
    await refused(/older than 1\.0\.0/);
    server.release('1.0.0-rc.1', next);
    await refused(/older than 1\.0\.0/);
  });

  it('is a manifest that names a package elsewhere, is too long, or that a redirect leads away from', async () => {
    const manifest = JSON.parse(String(server.files.get(manifestName)));
    for (const name of ['../evil', 'https://evil.example/x', '/etc/passwd', 'a/b', '', '.hidden']) {
      manifest.files[0].name = name;
      server.files.set(manifestName, Buffer.from(JSON.stringify(manifest)));
      server.sign();
      await refused(/cannot be read/);
    }
    server.files.set(manifestName, Buffer.alloc(300_000, 32));
    server.sign();
    await refused(/too long/);
  });
});

describe('a package', () => {
  it('that was tampered with is refused, and nothing of it is kept', async () => {
    const update = await found();
    const changed = Buffer.from(next);
    changed[100_000] = (changed[100_000] ?? 0) ^ 1;
    server.files.set(packageName, changed);
    await expect(download(update)).rejects.toThrow(/not the one that was released/);
    expect(downloads()).toEqual([]);
    server.files.set(packageName, Buffer.concat([next, Buffer.from('more')]));
    await expect(download(update)).rejects.toThrow(/not the one that was released/);
    expect(downloads()).toEqual([]);
  });

  it('whose download was cut goes on where it was cut', async () => {
    const update = await found();
    server.cutAfter = 50_000;
    await expect(download(update)).rejects.toThrow();
    expect(downloads()).toEqual([`1.1.0-${packageName}.part`]);
    server.cutAfter = undefined;
    server.asked.length = 0;
    expect(readFileSync(await download(update))).toEqual(next);
    expect(server.asked).toEqual([expect.stringMatching(/AppImage from [1-9]\d*$/)]);
    // What is there whole is not downloaded again.
    server.asked.length = 0;
    await download(update);
    expect(server.asked).toEqual([]);
  });

  it('whose cut part was tampered with is refused', async () => {
    const update = await found();
    server.cutAfter = 50_000;
    await expect(download(update)).rejects.toThrow();
    server.cutAfter = undefined;
    const part = join(folder, 'downloads', `1.1.0-${packageName}.part`);
    const changed = readFileSync(part);
    changed[0] = (changed[0] ?? 0) ^ 1;
    writeFileSync(part, changed);
    await expect(download(update)).rejects.toThrow(/not the one that was released/);
    expect(readFileSync(await download(update))).toEqual(next);
  });
});

describe('the policy', () => {
  const file = () => join(folder, 'policy.json');

  it('is of the managed file first, then of the environment, then notify', () => {
    expect(readUpdatePolicy({}, file())).toEqual({ mode: 'notify', pin: undefined, managedBy: undefined });
    const env = { CONSOLE_UPDATES: 'automatic', CONSOLE_UPDATE_VERSION: '1.2.3' };
    expect(readUpdatePolicy(env, file())).toEqual({ mode: 'automatic', pin: '1.2.3', managedBy: undefined });
    writeFileSync(file(), JSON.stringify({ updates: 'off', update_version: '1.0.0' }));
    expect(readUpdatePolicy(env, file())).toEqual({ mode: 'off', pin: '1.0.0', managedBy: file() });
  });

  it('turns updates off where the managed file cannot be used, and names a variable that cannot', () => {
    for (const text of ['', '{', '{"updates":"sometimes"}', '{"feed":"https://evil.example"}', '[]']) {
      writeFileSync(file(), text);
      expect(readUpdatePolicy({}, file())).toMatchObject({ mode: 'off', managedBy: file() });
    }
    expect(() => readUpdatePolicy({ CONSOLE_UPDATES: 'yes' }, file())).toThrow('CONSOLE_UPDATES');
    expect(() => readUpdatePolicy({ CONSOLE_UPDATE_VERSION: 'latest' }, file())).toThrow(
      'CONSOLE_UPDATE_VERSION',
    );
  });

  it('says that the package manager updates a deb and an rpm', () => {
    const kind = () => installationKind({ platform: 'linux', env: {}, resources: folder, isPackaged: true });
    writeFileSync(join(folder, 'package-type'), 'deb\n');
    expect(kind()).toMatchObject({ by: 'package manager', command: expect.stringContaining('apt install') });
    writeFileSync(join(folder, 'package-type'), 'rpm');
    expect(kind()).toMatchObject({ by: 'package manager', command: expect.stringContaining('dnf upgrade') });
    rmSync(join(folder, 'package-type'));
    expect(kind()).toMatchObject({ by: 'person' });
    expect(
      installationKind({ platform: 'linux', env: { APPIMAGE: '/a' }, resources: folder, isPackaged: true }),
    ).toEqual({ by: 'itself', kind: 'appimage', program: '/a' });
  });
});

it('versions compare by their precedence', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '1.10.0',
    '2.0.0',
  ];
  for (const [i, a] of ordered.entries())
    for (const [j, b] of ordered.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
  expect(() => compareVersions('1.0', '1.0.0')).toThrow();
});

it('the list that a release writes is taken by a build with its key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'notes.txt'), 'Faster.\n');
  writeFileSync(join(folder, packageName), next);
  const write = (version: string) =>
    spawnSync(
      process.execPath,
      [
        join(repoRoot, 'resources/build/write-update-list.ts'),
        ...['--key', join(folder, 'key.pem'), '--version', version, '--notes', join(folder, 'notes.txt')],
        join(folder, packageName),
      ],
      { encoding: 'utf8' },
    );
  expect(write('newest').status).toBe(2);
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  expect(write('1.4.0').stdout).toContain(key);
  for (const name of [manifestName, 'updates.json.sig', packageName])
    server.files.set(name, readFileSync(join(folder, name)));
  const feed = { url: server.feed.url, keys: [key] };
  const update = await find({
    feed,
    installed: { version: '1.3.9', kind: 'appimage', arch: 'x64', id: 'a' },
  });
  expect(update?.manifest).toMatchObject({ version: '1.4.0', notes: 'Faster.', rollout: 100 });
});
