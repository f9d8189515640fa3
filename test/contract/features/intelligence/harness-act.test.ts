import { afterEach, describe, expect, it } from 'vitest';
import { intelligenceRoutes } from '../../../../src-shared/api/intelligence.ts';
import { dialects } from '../../../support/databases.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { openReportDoors, readAs } from '../../../support/report-doors.ts';
import type { TestConsole } from '../../../support/test-console.ts';

const admin = 'ada@northgate.example';
const other = 'grace@northgate.example';
const stranger = 'sven@northgate.example';
const route = intelligenceRoutes.find(({ id }) => id === 'intelligence.harness');

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Answer = { status: number; body: Record<string, unknown> };

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<{
    console_: TestConsole;
    objects: ReturnType<typeof objectCluster>['objects'];
  }> => {
    const cluster = objectCluster([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } }]);
    const opened = await openReportDoors(dialect, { cluster });
    closing.push(opened.close);
    const console_ = opened.console;
    await send(console_, 'PUT', '/api/session-admins', { admins: [admin, other] }, await console_.cookie());
    return { console_, objects: cluster.objects };
  };
  const send = async (
    console_: TestConsole,
    method: string,
    path: string,
    body: object,
    cookie: string,
  ): Promise<Answer> => {
    const answer = await fetch(`${console_.url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const act = async (console_: TestConsole, id: string, revision: string, who = admin) =>
    send(console_, 'POST', `/api/harness/${id}/act`, { revision }, await console_.cookieOf(who));
  const read = async <T>(console_: TestConsole, path: string, who = admin): Promise<T> =>
    (await readAs(console_, path, { cookie: await console_.cookieOf(who) })).body as T;
  const finding = async (console_: TestConsole, id: string) => {
    const body = await read(console_, '/api/harness');
    const { items } = route?.id === 'intelligence.harness' ? route.answer.parse(body) : { items: [] };
    return items.find((each) => each.id === id);
  };
  const queueOf = async (console_: TestConsole, who = admin) =>
    (await read<{ items: { id: string; command: string }[] }>(console_, '/api/session-queue', who)).items;
  const trail = async (console_: TestConsole) =>
    (
      await read<{ items: { seq: number; action: string; outcome: string; summary: string }[] }>(
        console_,
        '/api/audit',
      )
    ).items.filter(({ action }) => action.startsWith('harness.'));

  describe.skipIf(dialect.missing !== undefined)(`acting on a finding, on ${dialect.name}${why}`, () => {
    it('dispatches once for each revision of it, however often it is asked for (CON-127)', async () => {
      const { console_, objects } = await open();
      const before = await finding(console_, 'ownership');
      expect(before?.action).toMatchObject({ kind: 'dispatch', class: 'agents' });
      const revision = before?.revision ?? '';
      const answers = await Promise.all([1, 2, 3].map(() => act(console_, 'ownership', revision)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await act(console_, 'ownership', revision, other)).toMatchObject({
        status: 200,
        body: { state: 'done', by: admin, attempt: 1, repeated: true },
      });
      const queue = await queueOf(console_);
      expect(queue).toHaveLength(1);
      expect(queue[0]?.command).toContain('Finding "ownership"');
      expect(await queueOf(console_, other)).toEqual([]);
      expect((await finding(console_, 'ownership'))?.acted).toMatchObject({
        state: 'done',
        ref: queue[0]?.id,
      });
      // Another revision is another finding.
      objects.push({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
      const after = await finding(console_, 'ownership');
      expect(after?.revision).not.toBe(revision);
      expect(after?.acted).toBeUndefined();
      expect((await act(console_, 'ownership', after?.revision ?? '')).body).toMatchObject({
        repeated: false,
      });
      expect(await queueOf(console_)).toHaveLength(2);
    });

    it('has an audit record of what will be done before it is, and one of how it ended', async () => {
      const { console_ } = await open();
      await act(console_, 'quotas', (await finding(console_, 'quotas'))?.revision ?? '');
      const [ended, begun, ...none] = await trail(console_);
      expect(none).toEqual([]);
      expect([begun?.action, begun?.outcome, begun?.summary]).toEqual([
        'harness.begin',
        'success',
        'Will do: Send to my agent session.',
      ]);
      expect([ended?.action, ended?.outcome]).toEqual(['harness.act', 'success']);
      expect(ended?.summary).toContain(`Queued for the agent session of ${admin}.`);
    });

    it('does nothing that the guardrails do not allow, approved or not', async () => {
      const { console_ } = await open();
      const { revision = '' } = (await finding(console_, 'ownership')) ?? {};
      const cookie = await console_.cookieOf(admin);
      await send(console_, 'PUT', '/api/guardrails', { revision: 0, autonomy: { agents: 'off' } }, cookie);
      const { status, body } = await act(console_, 'ownership', revision);
      expect([status, body.error]).toEqual([
        422,
        expect.stringMatching(/guardrails leave "agents" to people/),
      ]);
      expect(await queueOf(console_)).toEqual([]);
      expect((await finding(console_, 'ownership'))?.acted).toBeUndefined();
      await send(console_, 'PUT', '/api/guardrails', { revision: 1, autonomy: { agents: 'ask' } }, cookie);
      expect((await act(console_, 'ownership', revision)).status).toBe(200);
    });

    it('is for session admins only, and for what is a finding now (CON-127)', async () => {
      const { console_ } = await open();
      const { revision = '' } = (await finding(console_, 'ownership')) ?? {};
      expect((await act(console_, 'ownership', revision, stranger)).status).toBe(403);
      expect((await act(console_, 'ownership', 'of-yesterday')).status).toBe(409);
      expect((await act(console_, 'no-such-finding', revision)).status).toBe(404);
      const list = await finding(console_, 'allowlist-console-agent-admins');
      expect(list?.action).toBeUndefined();
      expect((await act(console_, 'allowlist-console-agent-admins', list?.revision ?? '')).status).toBe(422);
      expect(await queueOf(console_)).toEqual([]);
    });
  });
}
