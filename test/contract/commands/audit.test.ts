import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src-main/config/index.ts';
import { createAuditTrail } from '../../../src-main/features/audit/index.ts';
import { openConsoleStore } from '../../../src-main/start/console-store.ts';
import { newPostgresDatabase, postgres } from '../../support/databases.ts';
import { program } from '../../support/program.ts';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-command-'));
  env = {
    HOME: folder,
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    CONSOLE_KEYCHAIN: 'off',
    CONSOLE_STORE_KEY: Buffer.alloc(32, 7).toString('base64'),
    CONSOLE_DATA_DIR: join(folder, 'data'),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'audit', ...args], { env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

/** Opens the store as the console does. */
async function open() {
  const { store, auditHead } = await openConsoleStore(readConfig(env));
  const log = { error: () => undefined, warn: () => undefined };
  const trail = createAuditTrail({ store, now: Date.now, log, head: auditHead });
  return {
    store,
    async fill(count: number): Promise<void> {
      for (let number = 0; number < count; number += 1) {
        const event = await trail.begin({
          actor: 'a@example.com',
          action: 'tests.act',
          target: `t${number}`,
        });
        await event.success();
      }
    },
    async close(): Promise<void> {
      await trail.close();
      await store.close();
    },
  };
}

describe('operator-console audit', () => {
  it('verify says that a chain is intact, beside a console that runs', async () => {
    const running = await open();
    await running.fill(3);
    const { code, stdout, stderr } = await run('verify');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^The audit trail is intact: 3 records in .* s, the last is 3 [0-9a-f]{64}\.\n/);
    const json = await run('verify', '--json', '--data-dir', join(folder, 'data'));
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      0,
      { intact: true, checked: 3, head_seq: 3 },
    ]);
    await running.close();
  });

  it('verify names the first break and exits with 1', async () => {
    const running = await open();
    await running.fill(5);
    await running.store.db.deleteFrom('audit_records').where('seq', '=', 3).execute();
    await running.close();
    const { code, stdout } = await run('verify');
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('broken at record 3 (removed). Record 3 is missing.'),
    ]);
    expect(JSON.parse((await run('verify', '--json')).stdout)).toMatchObject({
      intact: false,
      first_break: { seq: 3, kind: 'removed' },
    });
  });

  it('verify finds the end cut off by the head that a console kept outside the store', async () => {
    const running = await open();
    await running.fill(5);
    await running.close();
    const again = await open();
    await again.store.db.deleteFrom('audit_records').where('seq', '>', 3).execute();
    const last = await again.store.db
      .selectFrom('audit_records')
      .select(['seq', 'hash'])
      .where('seq', '=', 3)
      .executeTakeFirstOrThrow();
    await again.store.db.updateTable('audit_head').set(last).execute();
    await again.close();
    const { code, stdout } = await run('verify');
    expect([code, stdout]).toEqual([1, expect.stringContaining('broken at record 4 (truncated)')]);
  });

  const headFile = (): string => join(folder, 'data', 'audit-head.json');
  const storeFiles = () =>
    ['console.db', 'console.db-wal', 'console.db-shm'].map((name) => join(folder, 'data', name));
  /** A copy of the store's files, and how to put it back. */
  const copied = () => {
    const files = storeFiles().map(
      (file) => [file, existsSync(file) ? readFileSync(file) : undefined] as const,
    );
    return () => {
      for (const [file, bytes] of files) {
        if (bytes === undefined) rmSync(file, { force: true });
        else writeFileSync(file, bytes);
      }
    };
  };
  const filled = async (count: number): Promise<void> => {
    const console = await open();
    await console.fill(count);
    await console.close();
  };

  it('verify exits with 2 when the head is gone, with an older store or not, also when told of a first run', async () => {
    await filled(5);
    const older = copied();
    await filled(3);
    rmSync(headFile());
    for (const put of [() => undefined, older]) {
      put();
      for (const args of [['verify'], ['verify', '--first-run']]) {
        const { code, stdout } = await run(...args);
        expect([args, code, stdout]).toEqual([args, 2, expect.stringContaining('The head is missing')]);
      }
    }
    // Nor does a console that starts write a new one, as if nothing had been.
    await filled(1);
    expect([existsSync(headFile()), (await run('verify')).code]).toEqual([false, 2]);
  });

  it('verify exits with 2 when an older head was put back, and when its seal is invalid', async () => {
    await filled(5);
    const older = readFileSync(headFile());
    await filled(3);
    const newer = readFileSync(headFile());
    writeFileSync(headFile(), older);
    const { code, stdout } = await run('verify');
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining('record 5, older than the store says: record 8'),
    ]);
    writeFileSync(headFile(), newer.toString().replace('8', '9'));
    const unsealed = await run('verify');
    expect([unsealed.code, unsealed.stdout]).toEqual([2, expect.stringContaining('seal is invalid')]);
    writeFileSync(headFile(), newer);
    expect((await run('verify')).code).toBe(0);
  });

  it('verify exits with 2 where no head was ever kept, unless it is told that this is a first run', async () => {
    await filled(2);
    rmSync(headFile());
    const { store } = await openConsoleStore(readConfig(env));
    await store.db.deleteFrom('audit_kept_head').execute();
    await store.close();
    const { code, stdout } = await run('verify');
    expect([code, stdout]).toEqual([2, expect.stringContaining('--first-run')]);
    expect((await run('verify', '--first-run')).code).toBe(0);
  });

  it('accept-head accepts a chain that holds by itself, and leaves a record that says so', async () => {
    await filled(5);
    rmSync(headFile());
    const { code, stdout } = await run('accept-head');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Its last record, 6')]);
    expect((await run('verify')).code).toBe(0);
    const records = (await run('export')).stdout.trim().split('\n');
    expect(JSON.parse(records.at(-1) ?? '')).toMatchObject({
      seq: 6,
      action: 'audit.accept_head',
      outcome: 'success',
      summary: expect.stringMatching(/accepted as it is, with 5 records.*The head is missing/),
      detail: { chain_seq: 5 },
    });
  });

  it('accept-head accepts no chain that is the chain itself is broken', async () => {
    await filled(5);
    const { store } = await openConsoleStore(readConfig(env));
    await store.db.deleteFrom('audit_records').where('seq', '=', 3).execute();
    await store.close();
    const { code, stderr } = await run('accept-head');
    expect([code, stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('the chain itself is broken'),
    ]);
    expect(code).not.toBe(0);
    expect((await run('verify')).code).toBe(1);
  });

  it('exits with 2, and makes nothing, where there is no store', async () => {
    for (const command of ['verify', 'export']) {
      const { code, stdout, stderr } = await run(command, '--data-dir', join(folder, 'other'));
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(join(folder, 'other'))]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(existsSync(join(folder, 'other'))).toBe(false);
  });

  it('exits with 2 when the store cannot be opened with this key', async () => {
    const running = await open();
    await running.fill(1);
    await running.close();
    env.CONSOLE_STORE_KEY = Buffer.alloc(32, 8).toString('base64');
    const { code, stderr } = await run('verify');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: .*key/)]);
    expect((await run('export')).code).not.toBe(0);
  });

  it.each([
    [['verify', '--nonsense'], '--nonsense'],
    [['nonsense'], 'nonsense'],
  ])('%j is one clear line and exit code 2', async (args, named) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  });

  it('export writes the chain for its owner only, in place of an older file, all or nothing', async () => {
    const running = await open();
    await running.fill(3);
    const file = join(folder, 'audit.ndjson');
    expect(await run('export', '-o', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await running.fill(1);
    expect((await run('export', '--output', file)).code).toBe(0);
    const seqs = readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect((await run('export')).stdout).toBe(readFileSync(file, 'utf8'));
    expect((await run('export', '-o', join(folder, 'nowhere', 'audit.ndjson'))).code).toBe(1);
    expect(readdirSync(folder).filter((name) => name.includes('audit'))).toEqual(['audit.ndjson']);
    await running.close();
  });

  it.skipIf('missing' in postgres)(
    `verify walks the chain of a PostgreSQL${'missing' in postgres ? ` (skipped: ${postgres.missing})` : ''}`,
    async () => {
      env.CONSOLE_DATABASE_URL = await newPostgresDatabase();
      const running = await open();
      await running.fill(3);
      expect(await run('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('3 records') });
      await running.close();
      env.CONSOLE_DATABASE_URL = 'postgres://postgres@127.0.0.1:9/none';
      expect(await run('verify')).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
