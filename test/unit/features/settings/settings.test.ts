import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConsoleTables, consoleMigrations } from '../../../../src-main/console/tables.ts';
import {
  createKeptSecrets,
  createSeal,
  fileHeadKeeper,
  keychainHeadKeeper,
  storeKeyOf,
} from '../../../../src-main/features/settings/index.ts';
import { type Keychain, KeychainError } from '../../../../src-main/sources/keychain/index.ts';
import { openStore } from '../../../../src-main/store/index.ts';

/** A keychain in memory, which can be locked. */
function memoryKeychain(): Keychain & { locked: boolean; entries: Map<string, string> } {
  const entries = new Map<string, string>();
  const keychain = {
    entries,
    locked: false,
    state: async () => ({
      state: keychain.locked ? ('locked' as const) : ('available' as const),
      detail: '',
    }),
    get: async (name: string) => open().get(name),
    set: async (name: string, value: string) => void open().set(name, value),
    add: async (name: string, value: string) => !open().has(name) && open().set(name, value) !== undefined,
    delete: async (name: string) => open().delete(name),
  };
  const open = (): Map<string, string> => {
    if (keychain.locked) throw new KeychainError('locked', 'It is locked.');
    return entries;
  };
  return keychain;
}

const memoryStore = () =>
  openStore<ConsoleTables>({
    location: { kind: 'sqlite', file: ':memory:', encryption: 'none' },
    migrations: consoleMigrations,
  });

describe('a sealed secret', () => {
  const seal = createSeal(randomBytes(32));

  it('opens under its own key and name only, and never twice the same', () => {
    const sealed = seal.close('A', 'canary');
    expect(seal.open('A', sealed)).toBe('canary');
    expect(seal.open('B', sealed)).toBeUndefined();
    expect(createSeal(randomBytes(32)).open('A', sealed)).toBeUndefined();
    expect(seal.close('A', 'canary')).not.toBe(sealed);
  });

  it('does not open when any part of it was changed', () => {
    const sealed = seal.close('A', 'canary of some length');
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'x' ? 'y' : 'x';
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      // The last letter of base64url may carry bits that nothing reads.
      const same = Buffer.from(changed.slice(3), 'base64url').equals(
        Buffer.from(sealed.slice(3), 'base64url'),
      );
      if (!same || at < 3) expect([at, seal.open('A', changed)]).toEqual([at, undefined]);
    }
    for (const cut of ['', 'v1.', sealed.slice(0, -4)]) expect(seal.open('A', cut)).toBeUndefined();
  });
});

describe('the store key', () => {
  it('gives each purpose a key of its own, the same at every start', () => {
    const root = randomBytes(32);
    const keys = (['store', 'sealing', 'head'] as const).map((use) => storeKeyOf('env', root).subkey(use));
    expect(new Set([root, ...keys].map((key) => key.toString('hex'))).size).toBe(4);
    expect(
      storeKeyOf('keychain', root)
        .subkey('store')
        .equals(keys[0] ?? root),
    ).toBe(true);
    for (const key of keys) expect(key).toHaveLength(32);
  });
});

describe('a secret given to the console', () => {
  it('is kept in the keychain, and while that is locked sealed in the store, and never in both', async () => {
    const store = await memoryStore();
    const keychain = memoryKeychain();
    const kept = createKeptSecrets({
      db: store.db,
      keychain,
      seal: createSeal(randomBytes(32)),
      shared: false,
    });
    expect(await kept.set('TTSD_API_KEY', 'one')).toBe('keychain');
    keychain.locked = true;
    expect(await kept.set('TTSD_API_KEY', 'two')).toBe('sealed');
    keychain.locked = false;
    // The older one, which could not be taken out of the locked keychain, does not come back.
    expect(await kept.get('TTSD_API_KEY')).toBe('two');
    expect(await kept.set('TTSD_API_KEY', 'three')).toBe('keychain');
    expect((await kept.rows()).sealed.size).toBe(0);
    expect(await kept.delete('TTSD_API_KEY')).toBe(true);
    expect([await kept.get('TTSD_API_KEY'), keychain.entries.size]).toEqual([undefined, 0]);
    await store.close();
  });

  it('of a store that several consoles share is sealed there, also where a keychain answers', async () => {
    const store = await memoryStore();
    const keychain = memoryKeychain();
    const kept = createKeptSecrets({
      db: store.db,
      keychain,
      seal: createSeal(randomBytes(32)),
      shared: true,
    });
    expect([await kept.set('TTSD_API_KEY', 'one'), keychain.entries.size]).toEqual(['sealed', 0]);
    await store.close();
  });
});

describe('the head of the audit trail', () => {
  const head = { seq: 7, hash: 'ab'.repeat(32) };

  it('is read as it was kept, in a file for its owner only and in the keychain', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'head-'));
    for (const keeper of [
      fileHeadKeeper(folder, '', randomBytes(32)),
      keychainHeadKeeper(memoryKeychain(), ''),
    ]) {
      expect(await keeper.read()).toBeUndefined();
      await keeper.write(head);
      expect(await keeper.read()).toEqual(head);
    }
    rmSync(folder, { recursive: true });
  });

  it('in a file is not believed once the file was changed, or written with another key, or for another store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'head-'));
    const key = randomBytes(32);
    const keeper = fileHeadKeeper(folder, '', key);
    await keeper.write(head);
    const file = join(folder, 'audit-head.json');
    const text = readFileSync(file, 'utf8');
    for (const changed of [
      text.replace('"seq":7', '"seq":6'),
      text.replace('abab', 'abac'),
      '{}',
      '',
      text.slice(0, 40),
    ]) {
      writeFileSync(file, changed);
      await expect(keeper.read()).rejects.toThrow(/seal is invalid/);
    }
    writeFileSync(file, text);
    expect(await keeper.read()).toEqual(head);
    await expect(fileHeadKeeper(folder, '', randomBytes(32)).read()).rejects.toThrow(/another store key/);
    writeFileSync(join(folder, 'audit-head-other.json'), text);
    await expect(fileHeadKeeper(folder, '-other', key).read()).rejects.toThrow();
    rmSync(folder, { recursive: true });
  });
});
