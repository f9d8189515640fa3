import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditTrail } from '../../../../src-main/features/audit/index.ts';
import { createAuditTrail } from '../../../../src-main/features/audit/index.ts';
import {
  type AuditItem,
  type AuditRecord,
  type AuditVerification,
  auditProgress,
  type auditRoutes,
  auditVerification,
} from '../../../../src-shared/api/audit.ts';
import { routeTable } from '../../../../src-shared/api/index.ts';
import { changed, memoryHead } from '../../../support/audit-chain.ts';
import { dialects } from '../../../support/databases.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'operator@example.com';
const env = { CONSOLE_ADMIN_EMAIL: admin, CONSOLE_SESSION_ADMINS: admin };

type Answer = { status: number; body: unknown };
type ListAnswer = {
  items: AuditItem[];
  next_cursor?: string;
  verdict: { intact: boolean; first_break?: { seq: number; kind: string }; head_kept_in: string };
  complete: boolean;
  unmeasured: string[];
};

/** Answers of the audit routes have the shapes that the table promises. */
function promised(id: (typeof auditRoutes)[number]['id'], body: unknown): void {
  const answer = routeTable.find((route) => route.id === id)?.answer;
  if (answer !== undefined && typeof answer === 'object') answer.parse(body);
}

const quiet = (): void => undefined;

/** Records written as another console on the same store would. */
async function write(
  { store }: TestConsole,
  acts: readonly {
    actor?: string;
    action?: string;
    target?: string;
    summary?: string;
    at?: string;
    end?: 'success' | 'fail' | 'refuse';
  }[],
): Promise<void> {
  let at = Date.now();
  const trail: AuditTrail = createAuditTrail({
    store,
    now: () => at,
    log: { error: quiet, warn: quiet },
    head: undefined,
  });
  for (const act of acts) {
    at = act.at === undefined ? at : Date.parse(act.at);
    const event = await trail.begin({
      actor: act.actor ?? 'a@example.com',
      action: act.action ?? 'tests.act',
      target: act.target ?? 'thing',
    });
    const { summary = 'Did it.', end = 'success' } = act;
    if (end === 'success') event.record(summary);
    await (end === 'success' ? event.success() : event[end](summary));
  }
  await trail.close();
}

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  describe.skipIf(dialect.missing !== undefined)(`the audit routes on ${dialect.name}${why}`, () => {
    const opened: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of opened.splice(0)) await close();
    });

    const signedIn = async (options: { head?: ReturnType<typeof memoryHead> } = {}) => {
      const { place, remove } = await dialect.place();
      const console_ = await testConsole(env, {
        place,
        ...(options.head === undefined ? {} : { auditHead: options.head }),
      });
      opened.push(async () => {
        await console_.close();
        remove();
      });
      const cookie = await console_.cookie();
      const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
        const { statusCode, body } = await request(`${console_.url}${path}`, {
          headers: { cookie, ...headers },
        });
        return { status: statusCode, body: await body.json() };
      };
      const list = async (query = ''): Promise<ListAnswer> => {
        const { status, body } = await get(`/api/audit${query}`);
        expect([status, body]).toEqual([200, body]);
        promised('audit.list', body);
        return body as ListAnswer;
      };
      return { console_, cookie, get, list };
    };
    const seqs = ({ items }: ListAnswer): number[] => items.map(({ seq }) => seq);

    it('list what was done, by whom, to what, how it ended and from where (CON-076)', async () => {
      const { console_, cookie, get, list } = await signedIn();
      const answer = await request(`${console_.url}/api/sessions/revoke-all`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'user-agent': 'tests/1' },
        body: JSON.stringify({ subject: 'someone@example.com' }),
      });
      expect(answer.statusCode).toBe(200);
      const { items, verdict } = await list('?action=sessions.revoke_all');
      expect(items).toEqual([
        expect.objectContaining({ actor: admin, target: 'someone@example.com', outcome: 'success' }),
      ]);
      expect(verdict).toMatchObject({ intact: true, head_kept_in: 'nowhere' });
      const { body } = await get(`/api/audit/${items[0]?.seq}`);
      expect(body).toMatchObject({ detail: { address: '127.0.0.1', user_agent: 'tests/1' } });
    });

    it('page through the chain newest first, each record once', async () => {
      const { console_, list } = await signedIn();
      await write(
        console_,
        Array.from({ length: 25 }, (_, index) => ({ target: `t${index}` })),
      );
      const found: number[] = [];
      let cursor: string | undefined = '';
      for (let pages = 0; cursor !== undefined && pages < 10; pages += 1) {
        const page: ListAnswer = await list(`?action=tests.act&limit=10${cursor && `&cursor=${cursor}`}`);
        found.push(...seqs(page));
        cursor = page.next_cursor;
      }
      expect(found).toHaveLength(25);
      expect(found).toEqual([...new Set(found)].sort((a, b) => b - a));
      expect((await list('?action=tests.act')).items).toHaveLength(25);
    });

    it('filter by who, what, how, when and by text, all at once', async () => {
      const { console_, list } = await signedIn();
      await write(console_, [
        { actor: 'ann@example.com', action: 'keys.set', target: 'K1', at: '2020-01-01T00:00:00Z' },
        {
          actor: 'ann@example.com',
          action: 'keys.delete',
          target: 'K1',
          at: '2020-01-02T00:00:00Z',
          end: 'refuse',
        },
        {
          actor: 'bob@example.com',
          action: 'keys.set',
          target: 'K2',
          at: '2020-01-03T00:00:00Z',
          end: 'fail',
        },
        {
          actor: 'bob@example.com',
          action: 'keys.set',
          summary: 'Größe „ÄÖÜ" geändert.',
          at: '2020-01-02T12:00:00Z',
        },
        {
          actor: 'bob@example.com',
          action: 'keys.set',
          summary: '100%_sure\\ "yes".',
          at: '2020-01-05T00:00:00Z',
        },
      ]);
      const targets = async (query: string) => {
        const { items } = await list(`?until=2020-12-31T00:00:00Z&${query}`);
        return items.map(({ actor, at }) => `${actor.slice(0, 3)} ${at.slice(8, 13)}`);
      };
      expect(await targets('')).toEqual(['bob 05T00', 'bob 02T12', 'bob 03T00', 'ann 02T00', 'ann 01T00']);
      expect(await targets('actor=ann@example.com')).toEqual(['ann 02T00', 'ann 01T00']);
      expect(await targets('actor=ann@example.com&action=keys.set')).toEqual(['ann 01T00']);
      expect(await targets('outcome=failure')).toEqual(['bob 03T00']);
      expect(await targets('outcome=refused')).toEqual(['ann 02T00']);
      expect(await targets('since=2020-01-02T00:00:00Z&action=keys.set')).toEqual([
        'bob 05T00',
        'bob 02T12',
        'bob 03T00',
      ]);
      // In the time zone it is given in, and with its own moment.
      expect(await targets('since=2020-01-03T02:00:00%2B02:00')).toEqual(['bob 05T00', 'bob 03T00']);
      expect(await targets('q=ANN@')).toEqual(['ann 02T00', 'ann 01T00']);
      expect(await targets('q=k2')).toEqual(['bob 03T00']);
      expect(await targets(`q=${encodeURIComponent('GRÖßE „äöü"')}`)).toEqual(['bob 02T12']);
      expect(await targets(`q=${encodeURIComponent('0%_S')}`)).toEqual(['bob 05T00']);
      expect(await targets(`q=${encodeURIComponent('e\\ "Y')}`)).toEqual(['bob 05T00']);
      expect(await targets(`q=${encodeURIComponent('%')}&actor=ann@example.com`)).toEqual([]);
      // Not in the names of the record's own fields.
      expect(await targets('q=prev_hash')).toEqual([]);
    });

    it('find what is rare in a long chain', async () => {
      const { console_, list } = await signedIn();
      await write(console_, [{ target: 'needle' }]);
      const trail = createAuditTrail({
        store: console_.store,
        now: Date.now,
        log: { error: quiet, warn: quiet },
        head: undefined,
      });
      await Promise.all(
        Array.from({ length: 6000 }, async () =>
          (await trail.begin({ actor: 'b@example.com', action: 'tests.hay', target: 'hay' })).success(),
        ),
      );
      await trail.close();
      for (const query of ['q=NEEDLE', 'actor=a@example.com', 'action=tests.act'])
        expect((await list(`?${query}`)).items.map(({ target }) => target)).toEqual(['needle']);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['cursor=x', 'cursor'],
      ['outcome=maybe', 'outcome'],
      ['since=yesterday', 'since'],
      ['actors=x', 'actors'],
    ])('refuse ?%s by name', async (query, name) => {
      const { get } = await signedIn();
      expect(await get(`/api/audit?${query}`)).toEqual({
        status: 400,
        body: { error: expect.stringContaining(`"${name}"`), request_id: expect.any(String) },
      });
    });

    it('are for session admins only (CON-166)', async () => {
      const { console_ } = await signedIn();
      const other = await testConsole({ ...env, CONSOLE_SESSION_ADMINS: 'other@example.com' });
      opened.push(() => other.close());
      for (const path of ['/api/audit', '/api/audit/1', '/api/audit/verify', '/api/audit/export']) {
        expect((await request(`${console_.url}${path}`)).statusCode).toBe(401);
        const cookie = await other.cookie();
        const refused = await request(`${other.url}${path}`, { headers: { cookie } });
        expect([path, refused.statusCode]).toEqual([path, 403]);
        expect(await refused.body.text()).toContain('CONSOLE_SESSION_ADMINS');
      }
    });

    it('show one record in full with its neighbours (CON-077)', async () => {
      const { console_, get, list } = await signedIn();
      await write(console_, [{}, {}, {}]);
      const { items } = await list('?action=tests.act');
      const [third, second, first] = items;
      const { status, body } = await get(`/api/audit/${second?.seq}`);
      promised('audit.record', body);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          ...second,
          prev_hash: first?.hash,
          previous: { seq: first?.seq, hash: first?.hash },
          next: { seq: third?.seq, hash: third?.hash },
        }),
      ]);
      expect((await get(`/api/audit/${third?.seq}`)).body).not.toHaveProperty('next');
      expect(await get('/api/audit/99999')).toEqual({
        status: 404,
        body: { error: expect.stringContaining('99999'), request_id: expect.any(String) },
      });
    });

    it('leave a record that somebody broke out of the list, and say so', async () => {
      const { console_, get, list } = await signedIn();
      await write(console_, [{}, {}, {}]);
      const { items } = await list('?action=tests.act');
      const seq = items[1]?.seq ?? 0;
      await console_.store.db
        .updateTable('audit_records')
        .set({ body: '{"action":"tests.act"}' })
        .where('seq', '=', seq)
        .execute();
      const now = await list('?action=tests.act');
      expect(seqs(now)).toEqual([items[0]?.seq, items[2]?.seq]);
      expect(now).toMatchObject({
        complete: false,
        unmeasured: [expect.stringContaining(`record ${seq}`)],
        verdict: { intact: false, first_break: { seq, kind: 'edited' } },
      });
      expect((await get(`/api/audit/${seq}`)).status).toBe(422);
    });

    it('verify the chain (CON-078)', async () => {
      const head = memoryHead();
      const { console_, get } = await signedIn({ head });
      await write(console_, [{}, {}, {}]);
      const { status, body } = await get('/api/audit/verify');
      promised('audit.verify', body);
      expect([status, body]).toMatchObject([200, { intact: true }]);
      await console_.store.db.deleteFrom('audit_records').where('seq', '=', 2).execute();
      expect((await get('/api/audit/verify')).body).toMatchObject({
        intact: false,
        first_break: { seq: 2, kind: 'removed', reason: 'Record 2 is missing.' },
      });
    });

    it('send events while they walk, the result last (RTE-020)', async () => {
      const { console_, cookie } = await signedIn();
      await write(console_, [{}, {}]);
      const { headers, body } = await request(`${console_.url}/api/audit/verify`, {
        headers: { cookie, accept: 'text/event-stream' },
      });
      expect(headers['content-type']).toContain('text/event-stream');
      const events = (await body.text())
        .split('\n\n')
        .filter((text) => text !== '')
        .map((text) => /^event: (\w+)\ndata: (.+)$/.exec(text)?.slice(1) ?? [text]);
      const last = events.pop();
      expect(last?.[0]).toBe('result');
      const result: AuditVerification = auditVerification.parse(JSON.parse(last?.[1] ?? ''));
      expect(result).toMatchObject({ intact: true });
      expect(result.checked).toBeGreaterThanOrEqual(2);
      for (const [name, data] of events) {
        expect(name).toBe('progress');
        auditProgress.parse(JSON.parse(data ?? ''));
      }
    });

    it('export the chain as it is hashed (RTE-018)', async () => {
      const { console_, cookie } = await signedIn();
      await write(console_, [{}, { summary: 'Zürich "x" \n\u2028 \u{1f600}' }, {}]);
      const { headers, body } = await request(`${console_.url}/api/audit/export`, { headers: { cookie } });
      expect(headers).toMatchObject({
        'content-type': expect.stringContaining('application/x-ndjson'),
        'content-disposition': 'attachment; filename="audit.ndjson"',
      });
      const lines = (await body.text()).split('\n').slice(0, -1);
      const rows = await console_.store.db
        .selectFrom('audit_records')
        .select(['seq', 'body', 'hash'])
        .orderBy('seq')
        .execute();
      expect(lines).toHaveLength(rows.length);
      for (const [index, line] of lines.entries()) {
        const record: AuditRecord = JSON.parse(line);
        expect(record.hash).toBe(rows[index]?.hash);
        expect(changed(line, { hash: undefined })).toBe(rows[index]?.body);
      }
    });
  });
}
