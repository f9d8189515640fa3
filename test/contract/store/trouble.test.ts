import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { consoleMigrations } from '../../../src-main/console/tables.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { newPostgresDatabase, postgres } from '../../support/databases.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';
import {
  addAdmin,
  adminsOf,
  bytesIn,
  inAnotherProgram,
  openConsole,
  openRelay,
  type Relay,
  refusalOf,
  sqlitePlace,
  storeChild,
} from './harness.ts';

const removers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removers.splice(0).reverse()) await remove();
});

const root = process.getuid?.() === 0;

/** Asks the console to write something: its status and words. */
async function write({ url }: TestConsole, cookie: string): Promise<{ status: number; error?: string }> {
  const answer = await request(`${url}/api/session-commands`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'anything' }),
  });
  const { error } = (await answer.body.json()) as { error?: string };
  return { status: answer.statusCode, ...(error === undefined ? {} : { error }) };
}

describe('a store file that cannot be used', () => {
  const made = (encryption: Buffer | 'none' = randomBytes(32)) => {
    const place = sqlitePlace(encryption);
    removers.push(place.remove);
    return place;
  };

  it('held by another program is waited for 5 s, answered with 503, and used again when it is free', async () => {
    const { place } = made();
    const console_ = await testConsole({}, { place });
    removers.push(() => console_.close());
    const cookie = await console_.cookie();
    const holder = storeChild(place, { act: 'hold' });
    removers.push(() => void holder.process.kill('SIGKILL'));
    expect(await holder.answer).toEqual({ held: true });
    expect(await write(console_, cookie)).toEqual({
      status: 503,
      error: expect.stringContaining('The store has been locked by another program'),
    });
    expect(await refusalOf(place)).toContain(`${place.file} has been locked by another program`);
    const ended = once(holder.process, 'exit');
    holder.process.kill('SIGKILL');
    await ended;
    expect(await write(console_, cookie)).toEqual({ status: 200 });
  });

  it('in a place that is no folder is one sentence', async () => {
    const { place, folder } = made();
    writeFileSync(join(folder, 'file'), 'a file');
    const below = { ...place, file: join(folder, 'file', 'console.db') };
    expect(await refusalOf(below)).toContain('cannot be opened for writing');
    expect([...bytesIn(folder).keys()]).toEqual(['file']);
  });

  it('that is not a store is left as it is', async () => {
    const { place } = made();
    const letter = 'Dear reader, this is a letter and no store.\n'.repeat(200);
    writeFileSync(place.file, letter);
    expect(await refusalOf(place)).toContain('cannot be read with this key');
    expect(await refusalOf({ ...place, encryption: 'none' })).toContain('not a store');
    expect(bytesIn(join(place.file, '..')).get('console.db')?.toString()).toBe(letter);
  });

  /** `nobody` of every Linux distribution. */
  const nobody = 65_534;

  it('read-only for this user is refused and stays read-only', async () => {
    const { place, folder } = made();
    await (await openConsole(place)).close();
    chmodSync(place.file, 0o400);
    if (root) for (const path of [folder, place.file]) chownSync(path, nobody, nobody);
    const before = bytesIn(folder);
    // Root may write anything: as root this is asked of another user.
    const answer = await inAnotherProgram(place, { act: 'open' }, root ? nobody : undefined);
    expect(answer).toEqual({ known: true, error: expect.stringContaining('cannot be opened for writing') });
    expect(bytesIn(folder)).toEqual(before);
    expect(statSync(place.file).mode & 0o777).toBe(0o400);
  });

  const noDisk = whyNoSmallDisk();
  describe.skipIf(noDisk !== undefined)(
    `on a full disk${noDisk === undefined ? '' : ` (skipped: ${noDisk})`}`,
    () => {
      let disk: string;
      beforeAll(() => {
        disk = mountSmallDisk();
      });
      afterAll(() => takeAway(disk));

      it('tells so, keeps all it had, and goes on when there is room', async () => {
        const place = {
          kind: 'sqlite',
          file: join(disk, 'console.db'),
          encryption: randomBytes(32),
        } as const;
        const console_ = await testConsole({}, { place });
        removers.push(() => console_.close());
        const cookie = await console_.cookie();
        const filler = join(disk, 'filler');
        fillUp(filler);
        let kept = 0;
        const fill = async (): Promise<void> => {
          for (; kept < 5000; kept += 1) await addAdmin(console_.store, `person-${kept}@example.com`);
        };
        await expect(fill()).rejects.toThrow('is full');
        expect(await write(console_, cookie)).toEqual({
          status: 503,
          error: 'The disk of the store is full: nothing was written. Free some space and try again.',
        });
        expect(await adminsOf(console_.store)).toHaveLength(kept);
        rmSync(filler);
        expect(await write(console_, cookie)).toEqual({ status: 200 });
        expect(await adminsOf(console_.store)).toHaveLength(kept);
      });

      it('tells so when a new store does not fit', async () => {
        const filler = join(disk, 'filler');
        fillUp(filler);
        const place = { kind: 'sqlite', file: join(disk, 'new.db'), encryption: randomBytes(32) } as const;
        expect(await refusalOf(place)).toContain('is full');
        rmSync(filler);
        await (await openConsole(place)).close();
        for (const end of ['', '-wal', '-shm']) rmSync(`${place.file}${end}`, { force: true });
      });

      it('leaves a plain store plain when its encrypted copy does not fit', async () => {
        const place = { kind: 'sqlite', file: join(disk, 'plain.db'), encryption: 'none' } as const;
        const store = await openConsole(place);
        await addAdmin(store, 'kept@example.com');
        await store.close();
        const filler = join(disk, 'filler');
        fillUp(filler);
        expect(await refusalOf({ ...place, encryption: randomBytes(32) })).toContain('is full');
        rmSync(filler);
        const again = await openConsole(place);
        expect(await adminsOf(again)).toEqual(['kept@example.com']);
        await again.close();
      });
    },
  );
});

function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux' || !root) return 'only root on Linux can mount a small disk';
  try {
    takeAway(mountSmallDisk());
    return undefined;
  } catch {
    return 'this system does not let root mount a small disk';
  }
}

/** A disk of 4 MB: two stores fit, and little more. */
function mountSmallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' });
  return folder;
}

function takeAway(disk: string): void {
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
}

function fillUp(file: string): void {
  for (const size of [65_536, 4096]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

describe('a database address', () => {
  it('that is none is refused without repeating it: it may hold a password', async () => {
    for (const url of ['mysql://root:hush@db/console', 'postgres//root:hush@db/console', 'hush']) {
      const told = await refusalOf({ kind: 'postgres', url });
      expect(told).toContain('CONSOLE_DATABASE_URL is not the address of a PostgreSQL database');
      expect(told).not.toContain('hush');
    }
  });

  it('that nobody listens on is named without its password', async () => {
    const told = await refusalOf({ kind: 'postgres', url: 'postgres://me:hush@127.0.0.1:9/console' });
    expect(told).toContain('The database 127.0.0.1:9/console does not answer');
    expect(told).not.toContain('hush');
  });
});

const why = 'missing' in postgres ? ` (skipped: ${postgres.missing})` : '';

describe.skipIf('missing' in postgres)(`a PostgreSQL that refuses${why}`, () => {
  let server: PostgresServer;
  const ask = async (...statements: string[]): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  };
  const urlAs = (user: string, database: string, query = ''): string => {
    const url = new URL(server.url);
    const [name = '', password = ''] = user.split(':');
    Object.assign(url, { username: name, password, pathname: `/${database}`, search: query });
    return url.href;
  };

  beforeAll(async () => {
    const started = await startPostgres();
    if ('missing' in started) throw new Error(started.missing);
    server = started;
    await ask(
      "create role mira login password 'right'",
      "create role guest login password 'right'",
      'create database owned owner mira',
      'create database held',
      'create database reading owner mira',
      'alter database reading set default_transaction_read_only = on',
      "create role busy login password 'right' connection limit 0",
    );
    const [row] = await ask('show hba_file');
    writeFileSync(
      String(row?.hba_file),
      'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
    );
    await ask('select pg_reload_conf()');
  });
  afterAll(() => server.stop());

  const cases: readonly (readonly [string, () => string, string])[] = [
    ['a wrong password', () => urlAs('mira:wrong', 'owned'), 'refused the credentials'],
    ['no password', () => urlAs('mira', 'owned'), 'refused the credentials'],
    ['an unknown user', () => urlAs('nobody:right', 'owned'), 'refused the credentials'],
    ['a missing database', () => urlAs('mira:right', 'absent'), 'does not exist on its server'],
    ['a user without rights', () => urlAs('guest:right', 'held'), 'may not do this'],
    ['too many connections', () => urlAs('busy:right', 'owned'), 'has no free connections'],
    ['a read-only database', () => urlAs('mira:right', 'reading'), 'is read-only'],
    [
      'TLS it does not speak',
      () => urlAs('mira:right', 'owned', '?sslmode=verify-full'),
      'does not speak TLS',
    ],
  ];
  for (const [what, url, words] of cases) {
    it(`for ${what} is told in words that name the database and no secret`, async () => {
      const told = await refusalOf({ kind: 'postgres', url: url() });
      expect(told).toContain(words);
      expect(told).toContain(new URL(url()).pathname);
      for (const secret of ['right', 'wrong']) expect(told).not.toContain(secret);
    });
  }

  it('opens for the right password', async () => {
    await (await openConsole({ kind: 'postgres', url: urlAs('mira:right', 'owned') })).close();
  });
});

describe.skipIf('missing' in postgres)(`a PostgreSQL that goes away while the console runs${why}`, () => {
  const open = async (): Promise<{ console_: TestConsole; cookie: string; relay: Relay; url: string }> => {
    const url = await newPostgresDatabase();
    const relay = await openRelay(url);
    removers.push(relay.down);
    const console_ = await testConsole({}, { place: { kind: 'postgres', url: relay.url } });
    removers.push(() => console_.close());
    return { console_, cookie: await console_.cookie(), relay, url };
  };

  it('is answered with 503 and words, without its address, and is used again as soon as it is back', async () => {
    const { console_, cookie, relay } = await open();
    const read = async (): Promise<number> => {
      const answer = await request(`${console_.url}/api/sessions`, { headers: { cookie } });
      await answer.body.dump();
      return answer.statusCode;
    };
    expect(await read()).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      await relay.down();
      expect(await read()).toBe(503);
      expect(await write(console_, cookie)).toEqual({
        status: 503,
        error: expect.stringContaining('The database does not answer'),
      });
      const alive = await request(`${console_.url}/healthz`);
      expect([alive.statusCode, await alive.body.text()]).toEqual([200, 'ok']);
      await relay.up();
      expect(await read()).toBe(200);
      expect(await write(console_, cookie)).toEqual({ status: 200 });
    }
  });

  it('and ends every connection, idle or in the middle of a transaction, does not end the console', async () => {
    const { console_, cookie, url } = await open();
    const { db } = console_.store;
    const endAll = async (): Promise<void> => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await client.end();
    };
    const cut = db.transaction().execute(async (tx) => {
      await tx.insertInto('session_admins').values({ email: 'lost@example.com', added_at: 1 }).execute();
      await endAll();
      await tx.insertInto('session_admins').values({ email: 'other@example.com', added_at: 1 }).execute();
    });
    await expect(cut).rejects.toThrow('does not answer');
    await expect.poll(async () => (await write(console_, cookie)).status).toBe(200);
    await endAll();
    // The pool hears of it a moment later.
    await expect.poll(async () => (await write(console_, cookie)).status).toBe(200);
    expect(await adminsOf(console_.store)).toEqual([]);
  });

  it('and swallows what it is asked is given up on, and its connection is not used again', async () => {
    const { relay } = await open();
    const store = await openStore({
      location: { kind: 'postgres', url: relay.url },
      migrations: consoleMigrations,
      patience: 300,
    });
    removers.push(() => store.close());
    const ask = () => sql`select 1`.execute(store.db);
    await ask();
    relay.swallow();
    await expect(ask()).rejects.toThrow('did not answer in time');
    await relay.down();
    await relay.up();
    await ask();
  });

  it('keeps its silent connections out of the pool even while the network stays broken for them', async () => {
    const { relay } = await open();
    const store = await openStore({
      location: { kind: 'postgres', url: relay.url },
      migrations: consoleMigrations,
      patience: 300,
    });
    removers.push(() => store.close());
    await sql`select 1`.execute(store.db);
    relay.swallow();
    await expect(sql`select 1`.execute(store.db)).rejects.toThrow('did not answer in time');
    relay.carryNew();
    // The old connection is as dead as before: only a new one can answer this.
    await sql`select 1`.execute(store.db);
  });
});
