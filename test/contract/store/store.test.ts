import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { consoleMigrations } from '../../../src-main/console/tables.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { dialects } from '../../support/databases.ts';
import {
  addAdmin,
  adminsOf,
  bytesIn,
  inAnotherProgram,
  openConsole,
  refusalOf,
  sqlitePlace,
  storeChild,
} from './harness.ts';

const removers: (() => void)[] = [];
afterEach(() => {
  for (const remove of removers.splice(0).reverse()) remove();
});

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  const newPlace = async () => {
    const { place, remove } = await dialect.place();
    removers.push(remove);
    return place;
  };

  describe.skipIf(dialect.missing !== undefined)(`the store on ${dialect.name}${why}`, () => {
    it('is brought up to date by several programs that start at once, each migration once', async () => {
      const place = await newPlace();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => inAnotherProgram(place, { act: 'open' })),
      );
      expect(answers).toEqual(Array.from({ length: 5 }, () => ({ opened: true, rows: 0 })));
      const store = await openConsole(place);
      const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
        store.db,
      );
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(consoleMigrations).toSorted());
      await store.close();
    });

    it('keeps what was committed by a program that was killed', async () => {
      const place = await newPlace();
      expect(await inAnotherProgram(place, { act: 'write and die', rows: 25 })).toBeUndefined();
      const store = await openConsole(place);
      expect(await adminsOf(store)).toHaveLength(25);
      await store.close();
    });

    it('made by a newer program is refused, named, and left as it is', async () => {
      const place = await newPlace();
      const newer = await openStore({
        location: place,
        migrations: { ...consoleMigrations, '2999-01-01-not-yet-known': { up: async () => undefined } },
      });
      await newer.close();
      const before = place.kind === 'sqlite' ? readFileSync(place.file) : undefined;
      const message = await refusalOf(place);
      expect(message).toContain('newer version');
      expect(message).toContain('2999-01-01-not-yet-known');
      if (place.kind === 'sqlite') expect(readFileSync(place.file).equals(before ?? Buffer.of())).toBe(true);
      const again = await openStore({
        location: place,
        migrations: { ...consoleMigrations, '2999-01-01-not-yet-known': { up: async () => undefined } },
      });
      await again.close();
    });

    it('keeps nothing of a migration that fails half-way', async () => {
      const place = await newPlace();
      const first = await openConsole(place);
      await addAdmin(first, 'kept@example.com');
      await first.close();
      const failing = openStore({
        location: place,
        migrations: {
          ...consoleMigrations,
          '2999-01-01-fails': {
            async up(db) {
              await sql`create table half (id integer)`.execute(db);
              await sql`delete from session_admins`.execute(db);
              await sql`create table half (id integer)`.execute(db);
            },
          },
        },
      });
      await expect(failing).rejects.toThrow(/half/);
      const store = await openConsole(place);
      expect(await adminsOf(store)).toEqual(['kept@example.com']);
      await expect(sql`select * from half`.execute(store.db)).rejects.toThrow(/half/);
      await store.close();
    });

    it('answers times and counts as numbers', async () => {
      const store = await openConsole(await newPlace());
      const at = 1_793_000_000_123;
      await store.db.insertInto('session_admins').values({ email: 'a@example.com', added_at: at }).execute();
      const row = await store.db
        .selectFrom('session_admins')
        .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.max('added_at').as('last')])
        .executeTakeFirstOrThrow();
      expect(row).toEqual({ n: 1, last: at });
      await store.close();
    });
  });
}

describe('an encrypted store file', () => {
  const encrypted = () => {
    const made = sqlitePlace(randomBytes(32));
    removers.push(made.remove);
    return made;
  };

  it('is its owner’s alone, with what SQLite keeps beside it, and holds no plain text anywhere', async () => {
    const { place, folder } = encrypted();
    const store = await openConsole(place);
    await addAdmin(store, 'canary@example.com');
    const files = bytesIn(folder);
    expect([...files.keys()].toSorted()).toEqual(['console.db', 'console.db-shm', 'console.db-wal']);
    for (const [name, bytes] of files) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
      for (const plain of ['canary', 'session_admins', 'SQLite format 3'])
        expect([name, plain, bytes.includes(plain)]).toEqual([name, plain, false]);
    }
    await store.close();
    for (const bytes of bytesIn(folder).values()) expect(bytes.includes('canary')).toBe(false);
  });

  it('of a wider mode is given its own back', async () => {
    const { place } = encrypted();
    await (await openConsole(place)).close();
    chmodSync(place.file, 0o644);
    await (await openConsole(place)).close();
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
  });

  it('sorts more than fits its cache without a temporary file in plain text', async () => {
    const { place } = encrypted();
    const store = await openConsole(place);
    const { rows } = await sql<{ temp_store: number }>`pragma temp_store`.execute(store.db);
    expect(rows).toEqual([{ temp_store: 2 }]);
    await store.close();
  });

  it('is refused with another key or none, and loses nothing by it, not even what a killed program left', async () => {
    const { place, folder } = encrypted();
    await inAnotherProgram(place, { act: 'write and die', rows: 20 });
    const before = bytesIn(folder);
    expect(before.get('console.db-wal')?.length).toBeGreaterThan(0);
    const wrong = await refusalOf({ ...place, encryption: randomBytes(32) });
    expect(wrong).toContain(place.file);
    expect(wrong).toContain('CONSOLE_STORE_KEY');
    expect(await refusalOf({ ...place, encryption: 'none' })).toContain('no key was given');
    const store = await openConsole(place);
    expect(await adminsOf(store)).toHaveLength(20);
    await store.close();
  });

  it('is not made with an empty or short key', async () => {
    const { place, folder } = encrypted();
    for (const length of [0, 16, 31, 33]) {
      await expect(openConsole({ ...place, encryption: Buffer.alloc(length) })).rejects.toThrow(
        `A store key is 32 bytes, this one is ${length}.`,
      );
    }
    expect([...bytesIn(folder).keys()]).toEqual([]);
  });

  it('names a flipped bit, wherever it is, instead of answering from it', async () => {
    const { place } = encrypted();
    const store = await openConsole(place);
    for (let i = 0; i < 200; i += 1) await addAdmin(store, `person-${i}@example.com`);
    // A page that the schema's growth left free holds nothing, and is never read.
    await sql`vacuum`.execute(store.db);
    await store.close();
    const whole = readFileSync(place.file);
    const pages = whole.length / 4096;
    expect(pages).toBeGreaterThan(10);
    for (let page = 0; page < pages; page += 1) {
      for (const offset of page === 0 ? [3, 17, 18, 19, 20, 23, 30, 4090] : [20, 2000, 4090]) {
        const damaged = Buffer.from(whole);
        damaged.writeUInt8(damaged.readUInt8(page * 4096 + offset) ^ 1, page * 4096 + offset);
        writeFileSync(place.file, damaged);
        const told = await readEverything(place);
        expect([page, offset, told]).toEqual([page, offset, expect.stringMatching(/damaged/)]);
        expect(told).toContain(place.file);
        expect(readFileSync(place.file).equals(damaged)).toBe(true);
      }
    }
    writeFileSync(place.file, whole);
    expect(await readEverything(place)).toBe('200 people');
  });
});

/** Reads every page of the store and answers what it held, or what it failed with. */
async function readEverything(place: ReturnType<typeof sqlitePlace>['place']): Promise<string> {
  try {
    const store = await openConsole(place);
    try {
      const tables = await sql<{
        name: string;
      }>`select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'`.execute(
        store.db,
      );
      for (const { name } of tables.rows) await sql`select * from ${sql.table(name)}`.execute(store.db);
      // What no table leads to, such as an index: SQLite says which page it could not get, and throws for some.
      const checked = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(store.db);
      const [said] = checked.rows;
      if (said?.integrity_check !== 'ok') return `${place.file} is damaged: ${said?.integrity_check}`;
      return `${(await adminsOf(store)).length} people`;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') return error.message;
    throw error;
  }
}

describe('a store file of a version that did not encrypt', () => {
  const plainStore = async (people: number) => {
    const made = sqlitePlace('none');
    removers.push(made.remove);
    const store = await openConsole(made.place);
    const rows = Array.from({ length: people }, (_, i) => ({
      email: `person-${i}@canary.example`,
      added_at: i,
    }));
    for (let i = 0; i < rows.length; i += 5000)
      await store.db
        .insertInto('session_admins')
        .values(rows.slice(i, i + 5000))
        .execute();
    await store.close();
    return { ...made, encryptedPlace: { ...made.place, encryption: randomBytes(32) } };
  };

  it('becomes encrypted when it is opened with a key, and nothing is lost or left in plain text', async () => {
    const { place, encryptedPlace, folder } = await plainStore(500);
    // Half of it is only in the -wal of a program that was killed.
    await inAnotherProgram(place, { act: 'write and die', rows: 300 });
    const store = await openConsole(encryptedPlace);
    expect(await adminsOf(store)).toHaveLength(800);
    for (const bytes of bytesIn(folder).values()) {
      expect(bytes.includes('canary')).toBe(false);
      expect(bytes.includes('SQLite format 3')).toBe(false);
    }
    await store.close();
    expect([...bytesIn(folder).keys()]).toEqual(['console.db']);
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
    expect(await refusalOf(place)).toContain('no key was given');
  });

  it('is encrypted once by several programs that start at once', async () => {
    const { encryptedPlace } = await plainStore(2000);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => inAnotherProgram(encryptedPlace, { act: 'open' })),
    );
    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ opened: true, rows: 2000 })));
  });

  for (const act of ['hold', 'stay'] as const) {
    it(`is waited for, then left alone, while a program ${act === 'hold' ? 'writes to' : 'merely has'} it`, async () => {
      const { place, encryptedPlace } = await plainStore(10);
      const other = storeChild(place, { act });
      expect(await other.answer).toEqual({ held: true });
      expect(await refusalOf(encryptedPlace)).toContain('locked by another program');
      const ended = once(other.process, 'exit');
      other.process.kill('SIGKILL');
      await ended;
      const store = await openConsole(place);
      expect(await adminsOf(store)).toHaveLength(10);
      await store.close();
    });
  }

  it('loses nothing when the program is killed while it encrypts', async () => {
    const { place, encryptedPlace, folder } = await plainStore(40_000);
    const before = bytesIn(folder).get('console.db') ?? Buffer.of();
    const draft = `${place.file}.encrypting`;
    let killedAtWork = 0;
    for (let round = 0; round < 14; round += 1) {
      writeFileSync(place.file, before);
      const child = storeChild(encryptedPlace, { act: 'open' });
      const ended = once(child.process, 'exit');
      while (child.process.exitCode === null && !existsSync(draft)) await sleep(2);
      await sleep(round * 8);
      child.process.kill('SIGKILL');
      await ended;
      if (existsSync(draft)) killedAtWork += 1;
      const store = await openConsole(encryptedPlace);
      expect([round, (await adminsOf(store)).length]).toEqual([round, 40_000]);
      await store.close();
      expect([round, [...bytesIn(folder).keys()]]).toEqual([round, ['console.db']]);
    }
    // Otherwise this test has proved nothing.
    expect(killedAtWork).toBeGreaterThan(3);
  }, 120_000);
});
