import { sql } from 'kysely';
import { request } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type AuditTrail,
  audited,
  auditHandlers,
  createAuditTrail,
} from '../../../../src-main/features/audit/index.ts';
import type { AuditDetail } from '../../../../src-shared/api/handler.ts';
import { ConsoleError } from '../../../../src-shared/errors.ts';
import { memoryHead, newChain, type TestChain } from '../../../support/audit-chain.ts';
import { cutConnection } from '../../../support/audit-cut-connection.ts';
import { type Dialect, dialects, newPostgresDatabase, postgres } from '../../../support/databases.ts';
import { testConsole } from '../../../support/test-console.ts';

const act = { actor: 'a@example.com', action: 'tests.act', target: 'thing' };

async function record(chain: TestChain, detail: AuditDetail = {}, summary = 'Did it.', target = 'thing') {
  const event = await chain.trail.begin({ ...act, target }, detail);
  event.record(summary);
  await event.success();
  const { items } = await chain.trail.list({}, { limit: 1 });
  const found = await chain.trail.record(items[0]?.seq ?? 0);
  if (found === undefined) throw new Error('no record');
  return found.record;
}

async function refuseAnonymous(chain: TestChain): Promise<void> {
  const event = await chain.trail.begin({ ...act, actor: 'anonymous' });
  await event.refuse('You are not signed in.');
}

const chains: TestChain[] = [];
afterEach(async () => {
  for (const chain of chains.splice(0)) await chain.close();
});
const opened = async (...of: Parameters<typeof newChain>): Promise<TestChain> => {
  const chain = await newChain(...of);
  chains.push(chain);
  return chain;
};

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  describe.skipIf(dialect.missing !== undefined)(`the audit trail on ${dialect.name}${why}`, () => {
    it('records how an act ended, on every path (CON-180)', async () => {
      const { trail } = await opened(dialect);
      await audited(trail, act, {}, async (event) => event.record('Changed it.', { from: 1, to: 2 }));
      const failing = (error: Error) =>
        expect(
          audited(trail, act, {}, async (event) => {
            event.record('Tried it.');
            throw error;
          }),
        ).rejects.toBe(error);
      await failing(new ConsoleError('NotAllowed', 'You may not.'));
      await failing(new ConsoleError('Conflict', 'It was changed meanwhile.'));
      await failing(new Error('secret in a stack'));
      const { items } = await trail.list({}, { limit: 10 });
      expect(items.map(({ outcome, summary }) => `${outcome}: ${summary}`)).toEqual([
        'failure: Tried it. The console failed on this; the reason is in its log.',
        'failure: Tried it. It was changed meanwhile.',
        'refused: Tried it. You may not.',
        'success: Changed it.',
      ]);
      expect((await trail.record(1))?.record.detail).toEqual({ from: 1, to: 2 });
    });

    it('takes one end for one act', async () => {
      const { trail } = await opened(dialect);
      const event = await trail.begin(act);
      await event.success();
      await expect(event.fail('again')).rejects.toThrow('ended twice');
      expect((await trail.list({}, { limit: 10 })).items).toHaveLength(1);
    });

    it('stores what no database and no other language can, replaced, and what is too long, cut', async () => {
      const chain = await opened(dialect);
      const odd = await record(
        chain,
        // What a handler's types do not allow, but a mistake may bring.
        { nul: 'a\0b', half: 'x\ud83d', 'ключ "ä"': 1, [`__proto__`]: 'p', big: 1.5, nothing: null } as never,
        `${'s'.repeat(999)}😀`,
        't'.repeat(5000),
      );
      expect(odd.detail).toEqual({
        nul: 'a\ufffdb',
        half: 'x\ufffd',
        '____ "_"': 1,
        _proto_: 'p',
        big: '1.5',
        nothing: 'null',
      });
      expect(odd.summary).toBe(`${'s'.repeat(999)}…`);
      expect(odd.target).toHaveLength(320);

      const long = await record(chain, { small: 1, text: 'ü'.repeat(20_000) });
      expect(long.detail).toMatchObject({ small: 1, cut: expect.stringContaining('cut') });
      expect(long.detail.text).toMatch(/^ü{499}…$/);

      const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`n${n}`, 'y'.repeat(90)]));
      const cut = await record(chain, { ...many, small: 1 });
      expect(cut.detail).toMatchObject({ small: 1, cut: expect.stringMatching(/^\d+ facts did not fit/) });
      expect(Buffer.byteLength(JSON.stringify(cut.detail))).toBeLessThanOrEqual(16 * 1024);
      expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: 3 });
    });

    it('records twenty refusals a minute of callers without a session, and counts the others', async () => {
      let now = Date.parse('2026-01-01T00:00:00Z');
      const chain = await opened(dialect, () => now);
      for (let count = 0; count < 30; count += 1) await refuseAnonymous(chain);
      const targets = async () =>
        (await chain.trail.list({ actor: 'anonymous' }, { limit: 200 })).items.length;
      expect(await targets()).toBe(20);
      // Others are recorded as ever.
      expect((await record(chain)).seq).toBe(21);
      now += 59_999;
      await refuseAnonymous(chain);
      expect(await targets()).toBe(20);
      now += 1;
      await refuseAnonymous(chain);
      await refuseAnonymous(chain);
      expect((await chain.trail.record(22))?.record.detail).toEqual({ not_recorded: 11 });
      expect((await chain.trail.record(23))?.record.detail).toEqual({});
      // The clock put back bars nobody.
      now -= 3_600_000;
      await refuseAnonymous(chain);
      expect(await targets()).toBe(23);
      for (let count = 0; count < 25; count += 1) await refuseAnonymous(chain);
      await chain.restart();
      expect((await chain.trail.list({}, { limit: 1 })).items[0]).toMatchObject({
        actor: 'anonymous',
        action: 'audit.not_recorded',
        summary: expect.stringMatching(/^6 more refusals/),
      });
    });

    it('begins nothing while it cannot be written, and goes on when it can', async () => {
      const chain = await opened(dialect);
      const rename = (from: string, to: string) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(chain.store.db);
      await chain.fill(1);
      await rename('audit_head', 'away');
      const done = vi.fn(async () => 'done');
      await expect(audited(chain.trail, act, {}, done)).rejects.toMatchObject({
        name: 'Unavailable',
        message: expect.stringMatching(/^This was done, but could not be recorded/),
      });
      expect(done).toHaveBeenCalledTimes(1);
      await expect(audited(chain.trail, act, {}, done)).rejects.toMatchObject({
        name: 'Unavailable',
        message: expect.stringMatching(/^Nothing was done: the audit trail cannot be written/),
      });
      expect(done).toHaveBeenCalledTimes(1);
      await rename('away', 'audit_head');
      await expect(audited(chain.trail, act, {}, done)).resolves.toBe('done');
      expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: 2 });
    });

    it('stops, rather than fork, when a record stands where the next one belongs', async () => {
      const chain = await opened(dialect);
      await chain.fill(3);
      await chain.store.db.updateTable('audit_head').set({ seq: 2 }).execute();
      await expect(record(chain)).rejects.toMatchObject({ name: 'Unavailable' });
      expect(await chain.rows()).toHaveLength(3);
    });

    it('tells a waiting caller of the close, and loses nobody who came before it', async () => {
      const chain = await opened(dialect);
      const event = await chain.trail.begin(act);
      const late = await chain.trail.begin(act);
      const waiting = event.success();
      const closing = chain.trail.close();
      await expect(late.success()).rejects.toMatchObject({ name: 'Unavailable' });
      await Promise.all([waiting, closing]);
      expect(await chain.rows()).toHaveLength(1);
    });

    it('keeps its head outside the store: the first at once, the last when it closes (RTE-019)', async () => {
      const chain = await opened(dialect);
      await chain.fill(1);
      const [first] = await chain.rows();
      await vi.waitFor(() => expect(chain.head.kept).toEqual({ seq: 1, hash: first?.hash }));
      for (let count = 0; count < 20; count += 1) await chain.fill(1);
      // A keychain is slow: it is not asked for each record.
      expect(chain.head.writes).toBeLessThan(15);
      await chain.restart();
      expect(chain.head.kept).toEqual({ seq: 21, hash: (await chain.rows()).at(-1)?.hash });
      expect(await chain.trail.verify()).toMatchObject({ intact: true, head_kept_in: 'keychain' });
    });

    it('never writes over a kept head that the chain does not have', async () => {
      const stolen = { seq: 40, hash: 'a'.repeat(64) };
      const chain = await opened(dialect, Date.now, memoryHead(stolen));
      await chain.fill(3);
      await chain.restart();
      expect(chain.head.kept).toEqual(stolen);
      expect(chain.logged().match(/cut off or rewritten/g)).toHaveLength(1);
      expect(await chain.trail.verify()).toMatchObject({ first_break: { seq: 4, kind: 'truncated' } });
      expect(await chain.trail.verdict()).toMatchObject({ first_break: { seq: 4, kind: 'truncated' } });
    });

    it('goes on without its keychain, says so once, and does not call the chain checked against it', async () => {
      const head = memoryHead();
      head.read = () => Promise.reject(new Error('The keychain is locked: unlock it.'));
      head.write = () => Promise.reject(new Error('The keychain is locked: unlock it.'));
      const chain = await opened(dialect, Date.now, head);
      await chain.fill(3);
      await vi.waitFor(() => expect(chain.logged()).toContain('cannot be kept'));
      await chain.fill(3);
      await chain.restart();
      expect(chain.logged().match(/cannot be kept outside the store/g)).toHaveLength(1);
      expect(await chain.trail.verify()).toMatchObject({
        intact: true,
        head_kept_in: 'nowhere',
        head_unread: 'The keychain is locked: unlock it.',
      });
    });

    it('ends a walk whose reader has left', async () => {
      const chain = await opened(dialect);
      await chain.fill(10);
      const reason = new Error('left');
      await expect(chain.trail.verify({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('ends a walk whose events nobody reads any more', async () => {
      const { trail, fill } = await opened(dialect);
      await fill(6000);
      let walk: Promise<unknown> | undefined;
      const watched: AuditTrail = {
        ...trail,
        verify(options = {}) {
          // Progress is told ten times a second: this walk is over before.
          options.onProgress?.({ checked: 0, total: 6000 });
          const walking = trail.verify(options);
          walk = walking;
          return walking;
        },
      };
      const call = { accepts: () => true, signal: new AbortController().signal };
      // Of a call the handler uses these two.
      const answer = await auditHandlers(watched, Date.now)['audit.verify']({} as never, call as never);
      if (!(Symbol.asyncIterator in answer)) throw new Error('no events');
      const events = answer[Symbol.asyncIterator]();
      expect((await events.next()).value).toMatchObject({ event: 'progress' });
      await events.return?.();
      await expect(walk).rejects.toMatchObject({ name: 'AbortError' });
    });

    it('judges a page by the newest 20,000 records, and says from which', async () => {
      const chain = await opened(dialect);
      for (let count = 0; count < 20_100; count += 4020) await chain.fill(4020);
      expect(await chain.trail.verdict()).toMatchObject({ intact: true, from_seq: 101, checked: 20_000 });
      await chain.store.db.updateTable('audit_records').set({ hash: 'a' }).where('seq', '=', 50).execute();
      expect(await chain.trail.verdict()).toMatchObject({ intact: true });
      // Known from a full walk it is told on every page.
      expect(await chain.trail.verify()).toMatchObject({ first_break: { seq: 50 } });
      expect(await chain.trail.verdict()).toMatchObject({ intact: false, first_break: { seq: 50 } });
      await chain.restart();
      await chain.store.db.deleteFrom('audit_records').where('seq', '=', 100).execute();
      expect(await chain.trail.verdict()).toMatchObject({ first_break: { seq: 100, kind: 'removed' } });
    });
  });
}

const [sqlite] = dialects;
if (sqlite === undefined) throw new Error('no dialect');

describe('the audit trail on a full disk', () => {
  it('says that the disk is full, and goes on when there is room', async () => {
    const chain = await opened(sqlite);
    await chain.fill(1);
    const limit = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(chain.store.db);
    // SQLite raises it to what is there already.
    await limit(1);
    const long = { text: 'x'.repeat(9000) };
    const event = await chain.trail.begin(act, long);
    await expect(event.success()).rejects.toMatchObject({
      name: 'Unavailable',
      message: expect.stringContaining('is full'),
    });
    await limit(1_000_000);
    await record(chain, long);
    expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: 2 });
  });
});

describe.skipIf('missing' in postgres)(
  `the audit trail on a failing PostgreSQL${'missing' in postgres ? ` (skipped: ${postgres.missing})` : ''}`,
  () => {
    it('neither loses nor doubles a record when connections die around COMMIT', async () => {
      const way = await cutConnection(await newPostgresDatabase());
      const cut: Dialect = {
        name: 'PostgreSQL',
        missing: undefined,
        place: async () => ({ place: { kind: 'postgres', url: way.url }, remove: () => undefined }),
      };
      const chain = await newChain(cut);
      for (let round = 0; round < 12; round += 1) {
        way.plan = [round % 2 === 0 ? 'cut before it is answered' : 'cut before it arrives'];
        await chain.fill(5);
      }
      way.plan = ['cut before it is answered', 'cut before it arrives', 'cut before it is answered'];
      await chain.fill(5);
      expect(way.cut).toBe(15);
      const targets = (await chain.rows()).map(({ body }) => JSON.parse(body).target);
      expect(targets.sort()).toEqual(Array.from({ length: 65 }, (_, n) => `t${n + 1}`).sort());
      expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: 65 });
      await chain.close();
      await way.close();
    });

    it('tells who waits when the database is away, and goes on when it is back', async () => {
      const way = await cutConnection(await newPostgresDatabase());
      const cut: Dialect = {
        name: 'PostgreSQL',
        missing: undefined,
        place: async () => ({ place: { kind: 'postgres', url: way.url }, remove: () => undefined }),
      };
      const chain = await newChain(cut);
      await chain.fill(1);
      const event = await chain.trail.begin(act);
      way.down = true;
      await expect(event.success()).rejects.toMatchObject({
        name: 'Unavailable',
        message: expect.stringContaining('does not answer'),
      });
      await expect(chain.trail.begin(act)).rejects.toMatchObject({ name: 'Unavailable' });
      way.down = false;
      await chain.fill(1);
      expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: 2 });
      await chain.close();
      await way.close();
    });

    it('asks the database once for an act, and looks for the end of a chain that another console has continued', async () => {
      const url = await newPostgresDatabase();
      const chain = await newChain({
        name: 'PostgreSQL',
        missing: undefined,
        place: async () => ({ place: { kind: 'postgres', url }, remove: () => undefined }),
      });
      let asked = 0;
      const counted = chain.store.db.withPlugin({
        transformQuery({ node }) {
          asked += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const log = { error: () => undefined, warn: () => undefined };
      const other = createAuditTrail({
        store: { ...chain.store, db: counted },
        now: Date.now,
        log,
        head: undefined,
      });
      const once = async (): Promise<number> => {
        asked = 0;
        await (await other.begin(act)).success();
        return asked;
      };
      await once();
      expect([await once(), await once()]).toEqual([1, 1]);
      await chain.fill(1);
      expect(await once()).toBeGreaterThan(1);
      expect(await once()).toBe(1);
      expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: 6 });
      await other.close();
      await chain.close();
    });

    it('waits for the disk, whatever the default of the server is', async () => {
      const url = await newPostgresDatabase();
      const chain = await newChain({
        name: 'PostgreSQL',
        missing: undefined,
        place: async () => ({ place: { kind: 'postgres', url }, remove: () => undefined }),
      });
      const { db } = chain.store;
      const name = sql.id(new URL(url).pathname.slice(1));
      await sql`alter database ${name} set synchronous_commit to off`.execute(db);
      // What a transaction that writes to the chain has, noted from inside it.
      await sql`create table seen (setting text)`.execute(db);
      await sql`create function note() returns trigger language plpgsql as
        'begin insert into seen values (current_setting(''synchronous_commit'')); return new; end'`.execute(
        db,
      );
      await sql`create trigger note before insert on audit_records for each row execute function note()`.execute(
        db,
      );
      await chain.restart();
      // The first after a start looks for the chain's end, later ones know it.
      await chain.fill(1);
      await chain.fill(1);
      const { rows } = await sql<{ setting: string }>`select setting from seen`.execute(db);
      expect(rows).toEqual([{ setting: 'on' }, { setting: 'on' }]);
      await chain.close();
    });
  },
);

describe('a console whose audit trail cannot be written', () => {
  it('does no privileged act, and says why', async () => {
    const admin = 'operator@example.com';
    const console_ = await testConsole({ CONSOLE_ADMIN_EMAIL: admin, CONSOLE_SESSION_ADMINS: admin });
    const cookie = await console_.cookie();
    const revoke = async (headers: Record<string, string>) => {
      const { statusCode, body } = await request(`${console_.url}/api/sessions/revoke-all`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ subject: admin }),
      });
      return { status: statusCode, text: await body.text() };
    };
    const sessions = async () =>
      (await console_.store.db.selectFrom('sessions').selectAll().execute()).length;
    await sql`alter table audit_head rename to away`.execute(console_.store.db);
    // The first one to find out: nobody is let in, and nothing is done for them.
    expect(await revoke({})).toMatchObject({ status: 503 });
    const before = await sessions();
    expect(before).toBeGreaterThan(0);
    expect(await revoke({ cookie })).toEqual({
      status: 503,
      text: expect.stringContaining('Nothing was done: the audit trail cannot be written'),
    });
    expect(await sessions()).toBe(before);
    await sql`alter table away rename to audit_head`.execute(console_.store.db);
    expect(await revoke({ cookie })).toMatchObject({ status: 200 });
    expect(await sessions()).toBe(0);
    await console_.close();
  });
});
