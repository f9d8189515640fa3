import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../support/databases.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const token = 'health-token';
const removers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removers.splice(0).reverse()) await remove();
});

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<TestConsole> => {
    const { place, remove } = await dialect.place();
    removers.push(remove);
    const console_ = await testConsole(
      { CONSOLE_HEALTH_INGEST_TOKEN: token },
      {
        place,
        agentTokens: {
          'first-app': { app: 'first', installation: 1 },
          'second-app': { app: 'second', installation: 2 },
        },
      },
    );
    removers.push(() => console_.close());
    return console_;
  };
  const post = async (
    console_: TestConsole,
    path: string,
    bearer: string,
    body: unknown,
  ): Promise<{ status: number; body: unknown }> => {
    const answer = await request(`${console_.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  };

  describe.skipIf(dialect.missing !== undefined)(`agent health on ${dialect.name}${why} (CON-105)`, () => {
    const kept = (console_: TestConsole) =>
      console_.store.db.selectFrom('agent_health').selectAll().orderBy('app').orderBy('agent').execute();

    it('keeps the last report of each app and agent, and when it came', async () => {
      const console_ = await open();
      const report = (state: string) => ({
        app: 'shop',
        agents: [
          { agent: 'reviewer', state, runs_succeeded: 3, last_run_at: '2026-11-06T12:00:00+02:00' },
          { agent: 'planner', state: 'idle', detail: 'Nothing to do.' },
        ],
      });
      expect(await post(console_, '/api/agent-health', token, report('healthy'))).toEqual({
        status: 200,
        body: { accepted: 2 },
      });
      const [, first] = await kept(console_);
      console_.advance(60_000);
      const next = { app: 'shop', agents: [{ agent: 'reviewer', state: 'failing', runs_failed: 1 }] };
      expect((await post(console_, '/api/agent-health', token, next)).body).toEqual({ accepted: 1 });
      const rows = await kept(console_);
      expect(rows.map(({ agent, state }) => [agent, state])).toEqual([
        ['planner', 'idle'],
        ['reviewer', 'failing'],
      ]);
      expect(first).toMatchObject({ runs_succeeded: 3, last_run_at: Date.parse('2026-11-06T10:00:00Z') });
      // What the last report did not say is not carried over from the one before.
      expect(rows[1]).toMatchObject({ runs_succeeded: null, runs_failed: 1, last_run_at: null });
      expect((rows[1]?.received_at ?? 0) - (first?.received_at ?? 0)).toBeGreaterThanOrEqual(60_000);
    });

    it('takes an agent named twice in one report as last said', async () => {
      const console_ = await open();
      const agents = ['healthy', 'degraded'].map((state) => ({ agent: 'reviewer', state }));
      expect((await post(console_, '/api/agent-health', token, { app: 'shop', agents })).body).toEqual({
        accepted: 1,
      });
      expect((await kept(console_)).map(({ state }) => state)).toEqual(['degraded']);
    });

    it('takes reports of one app from many senders at once, in any order of their agents', async () => {
      const console_ = await open();
      const agents = Array.from({ length: 200 }, (_, i) => ({ agent: `agent-${i}`, state: 'healthy' }));
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          post(console_, '/api/agent-health', token, {
            app: 'shop',
            agents: i % 2 === 0 ? agents : [...agents].reverse(),
          }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await kept(console_)).toHaveLength(200);
    });

    it('shows what cannot be stored in free text, and refuses it in a name', async () => {
      const console_ = await open();
      const of = (agent: string, detail: string) => ({
        app: 'shop',
        agents: [{ agent, state: 'healthy', detail }],
      });
      expect((await post(console_, '/api/agent-health', token, of('a', 'x\0y\ud800'))).status).toBe(200);
      expect((await kept(console_))[0]?.detail).toBe('x\uFFFDy\uFFFD');
      const refused = await post(console_, '/api/agent-health', token, of('a\0b', ''));
      expect([refused.status, refused.body]).toEqual([
        400,
        { error: expect.stringContaining('agents.agent'), request_id: expect.any(String) },
      ]);
    });
  });

  describe.skipIf(dialect.missing !== undefined)(`session runs on ${dialect.name}${why} (CON-106)`, () => {
    const run = { run_id: 'run-1', agent: 'coder', state: 'running', started_at: '2026-11-06T12:00:00Z' };
    const ended = { ...run, state: 'failure', ended_at: '2026-11-06T12:05:00Z', summary: 'Tests failed.' };
    const report = (console_: TestConsole, body: unknown, app = 'first-app') =>
      post(console_, '/api/session-runs', app, body);
    const kept = (console_: TestConsole) =>
      console_.store.db.selectFrom('session_runs').selectAll().orderBy('app').execute();

    it('are made by their first report, changed while they run, and stay as they ended', async () => {
      const console_ = await open();
      const answer = (state: string, created: boolean) => ({
        status: 200,
        body: { run_id: 'run-1', state, created },
      });
      expect(await report(console_, run)).toEqual(answer('running', true));
      expect(await report(console_, run)).toEqual(answer('running', false));
      expect(await report(console_, ended)).toEqual(answer('failure', false));
      const [before] = await kept(console_);
      expect(before).toMatchObject({ summary: 'Tests failed.', ended_at: Date.parse(ended.ended_at) });
      for (const late of [run, { ...ended, state: 'success', summary: 'All fine.' }, ended])
        expect(await report(console_, late)).toEqual(answer('failure', false));
      expect(await kept(console_)).toEqual([before]);
    });

    it('of one App are out of reach of another', async () => {
      const console_ = await open();
      await report(console_, run);
      expect((await report(console_, ended, 'second-app')).body).toMatchObject({ created: true });
      expect((await kept(console_)).map(({ app, state }) => [app, state])).toEqual([
        ['first', 'running'],
        ['second', 'failure'],
      ]);
    });

    it('reported many times at once are made once (RTE-026)', async () => {
      const console_ = await open();
      const answers = await Promise.all(Array.from({ length: 20 }, () => report(console_, ended)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      const created = answers.filter(({ body }) => JSON.stringify(body).includes('"created":true'));
      expect(created).toHaveLength(1);
      expect(await kept(console_)).toHaveLength(1);
    });

    it('that contradict themselves are refused and change nothing', async () => {
      const console_ = await open();
      const backwards = { ...ended, ended_at: '2026-11-06T11:59:59Z' };
      const runningAndEnded = { ...ended, state: 'running' };
      for (const body of [backwards, runningAndEnded])
        expect((await report(console_, body)).status).toBe(422);
      expect(await kept(console_)).toEqual([]);
    });
  });
}
