import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type CodeHost, type NotRead, noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { runRoutes } from '../../../../src-shared/api/runs.ts';
import {
  commitId,
  pull,
  repository,
  run,
  startCodeHost,
  type TestCodeHost,
  type World,
  world,
} from '../../../support/code-host.ts';
import { dialects } from '../../../support/databases.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';
import { completed as completedJob, cronJob, failed as failedJob, job } from '../fleet/harness.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Ten minutes ago and so on: runs are shown with how long they take. */
const begun = Math.floor(Date.now() / 1000) * 1000;
const minutesAgo = (minutes: number): number => begun - minutes * 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

type Console = { console_: TestConsole; get(path: string): Promise<{ status: number; body: never }> };

/** Reads a route as the page does: a body that is not as the contract says fails the test. */
async function opened(codeHost: CodeHost, env = {}, options = {}): Promise<Console> {
  const console_ = await testConsole(
    { CONSOLE_HEALTH_INGEST_TOKEN: 'ingest', ...env },
    { codeHost, agentTokens: { fleet: { app: 'fleet', installation: 1 } }, ...options },
  );
  closers.push(() => console_.close());
  const cookie = await console_.cookie();
  return {
    console_,
    async get(path) {
      const { statusCode, body } = await request(`${console_.url}${path}`, { headers: { cookie } });
      const answer = (await body.json()) as never;
      const route = runRoutes.find((candidate) => candidate.path === path.split('?', 1)[0]);
      if (statusCode === 200 && route !== undefined && route.answer !== 'stream') route.answer.parse(answer);
      return { status: statusCode, body: answer };
    },
  };
}

async function attached(given: World, options = {}): Promise<TestCodeHost & Console> {
  const codeHost = await startCodeHost({ world: given, ...options });
  closers.push(codeHost.close);
  return { ...codeHost, ...(await opened(codeHost.codeHost)) };
}

async function report(console_: TestConsole, path: string, bearer: string, body: unknown): Promise<void> {
  const answer = await request(`${console_.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.body.dump();
  expect(answer.statusCode).toBe(200);
}

/** Two repositories: runs of every state, and some by pull requests and governance. */
function estate(): World {
  const sha = commitId('harbour');
  return world([
    repository({
      name: 'harbour',
      pushedAt: minutesAgo(1),
      pulls: [pull({ number: 7, branch: 'tide', headSha: sha })],
      runs: [
        run({
          id: 8101,
          sha,
          name: 'Security review',
          path: '.github/workflows/review-security.yml',
          title: 'Read tides by the hour',
          event: 'pull_request',
          branch: 'tide',
          actor: 'mira',
          status: 'in_progress',
          conclusion: null,
          createdAt: minutesAgo(11),
          startedAt: minutesAgo(10),
        }),
        run({
          id: 8102,
          sha,
          conclusion: 'timed_out',
          attempt: 2,
          createdAt: minutesAgo(90),
          startedAt: minutesAgo(30),
          updatedAt: minutesAgo(25),
        }),
        run({ id: 8103, sha, status: 'queued', conclusion: null, createdAt: minutesAgo(2) }),
      ],
    }),
    repository({
      name: 'campaign',
      pushedAt: minutesAgo(5),
      runs: [
        run({
          id: 9101,
          sha: commitId('campaign'),
          name: 'Licence check',
          path: '.github/workflows/governance-licences.yml',
          event: 'schedule',
          startedAt: minutesAgo(60),
          updatedAt: minutesAgo(58),
        }),
        run({
          id: 9102,
          sha: commitId('campaign'),
          event: 'pull_request_target',
          conclusion: 'cancelled',
          startedAt: minutesAgo(40),
          updatedAt: minutesAgo(39),
        }),
      ],
    }),
  ]);
}

describe('the list of runs', () => {
  it('shows workflow runs of all repositories with how they stand, newest first (CON-100)', async () => {
    const { get } = await attached(estate());
    const { body } = await get('/api/runs?kind=workflow&workflows=all');
    expect(body).toMatchObject({
      source: 'github',
      complete: true,
      unmeasured: [],
      repos: ['campaign', 'harbour'],
      counts: { queued: 1, running: 1, failure: 1, cancelled: 1, success: 1 },
    });
    expect(body).not.toHaveProperty('next_cursor');
    const { items } = body as { items: Record<string, unknown>[] };
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      ['workflow:harbour:8103', 'queued'],
      ['workflow:harbour:8101', 'running'],
      ['workflow:harbour:8102', 'failure'],
      ['workflow:campaign:9102', 'cancelled'],
      ['workflow:campaign:9101', 'success'],
    ]);
    const [queued, running, failed] = items;
    expect(queued).not.toHaveProperty('took_seconds');
    expect(running).toMatchObject({
      kind: 'workflow',
      family: 'review',
      repo: 'harbour',
      name: 'Security review',
      title: 'Read tides by the hour',
      started: iso(minutesAgo(10)),
      run_id: 8101,
      event: 'pull_request',
      branch: 'tide',
      actor: 'mira',
      pull_request: 7,
      url: expect.stringMatching(/harbour\/actions\/runs\/8101$/),
    });
    expect(running?.took_seconds).toBeGreaterThanOrEqual(600);
    expect(running?.took_seconds).toBeLessThan(700);
    expect(failed).toMatchObject({ attempt: 2, detail: 'ran out of time', took_seconds: 300 });
  });

  it('holds what apps and sessions reported among them, and says what no source was read for (CON-100)', async () => {
    const { get, console_ } = await attached(estate());
    await report(console_, '/api/agent-health', 'ingest', {
      app: 'tide-tables',
      agents: [
        {
          agent: 'importer',
          state: 'failing',
          detail: 'The feed is empty.',
          last_run_at: iso(minutesAgo(20)),
        },
        { agent: 'writer', state: 'degraded', detail: 'Slow.', last_run_at: iso(minutesAgo(21)) },
        { agent: 'tidier', state: 'idle', last_run_at: iso(minutesAgo(22)) },
        { agent: 'checker', state: 'healthy' },
      ],
    });
    await report(console_, '/api/session-runs', 'fleet', {
      run_id: 'r-1',
      agent: 'coder',
      repo: 'northgate/harbour',
      state: 'success',
      started_at: iso(minutesAgo(15)),
      ended_at: iso(minutesAgo(12)),
      url: 'https://fleet.example/r-1',
      summary: 'Added a retry.\nAnd a test.',
    });
    const { body } = await get('/api/runs?workflows=all');
    expect(body).toMatchObject({
      source: 'github',
      complete: false,
      unmeasured: [expect.stringMatching(/^Jobs of CronJobs were not read: .* no cluster/)],
    });
    const { items } = body as { items: { id: string; started: string }[] };
    expect(items).toHaveLength(10);
    expect(items.map(({ started }) => started)).toEqual(
      items
        .map(({ started }) => started)
        .sort()
        .reverse(),
    );
    const byId = Object.fromEntries(items.map((item) => [item.id, item]));
    expect(byId['app-agent:tide-tables:importer']).toEqual({
      id: 'app-agent:tide-tables:importer',
      kind: 'app-agent',
      name: 'importer',
      title: 'tide-tables',
      state: 'failure',
      detail: 'The feed is empty.',
      started: iso(minutesAgo(20)),
    });
    expect(byId['app-agent:tide-tables:writer']).toMatchObject({
      state: 'failure',
      detail: 'reported as degraded: Slow.',
    });
    expect(byId['app-agent:tide-tables:tidier']).toMatchObject({
      state: 'skipped',
      detail: 'reported as idle',
    });
    expect(byId['app-agent:tide-tables:checker']).toMatchObject({ state: 'success' });
    expect(byId['session:fleet:r-1']).toEqual({
      id: 'session:fleet:r-1',
      kind: 'session',
      repo: 'harbour',
      name: 'coder',
      title: 'Added a retry.',
      state: 'success',
      started: iso(minutesAgo(15)),
      took_seconds: 180,
      url: 'https://fleet.example/r-1',
      actor: 'fleet',
    });
  });

  it('is filtered by kind, repository, state, time and words, and counts the states that the others leave', async () => {
    const { get } = await attached(estate());
    const ids = async (query: string): Promise<{ ids: number[]; counts: unknown }> => {
      const { body } = await get(`/api/runs?workflows=all&${query}`);
      const { items, counts } = body as { items: { run_id: number }[]; counts: unknown };
      return { ids: items.map(({ run_id }) => run_id), counts };
    };
    const all = { queued: 1, running: 1, failure: 1, cancelled: 1, success: 1 };
    expect(await ids('state=failure')).toEqual({ ids: [8102], counts: all });
    expect(await ids('repo=campaign')).toEqual({ ids: [9102, 9101], counts: { cancelled: 1, success: 1 } });
    expect(await ids('repo=campaign&state=running')).toEqual({
      ids: [],
      counts: { cancelled: 1, success: 1 },
    });
    expect((await ids(`since=${iso(minutesAgo(10))}`)).ids).toEqual([8103, 8101]);
    expect(
      (await ids(`since=${encodeURIComponent(iso(minutesAgo(10)).replace('Z', '+00:00'))}`)).ids,
    ).toEqual([8103, 8101]);
    expect((await ids('q=TIDES%20harbour%20mira')).ids).toEqual([8101]);
    expect((await ids('q=tides%20campaign')).ids).toEqual([]);
    expect((await ids('kind=session')).ids).toEqual([]);
  });

  it('asks only the sources of the kind that is asked for', async () => {
    const { get, sandbox } = await attached(estate());
    expect((await get('/api/runs?kind=session')).body).toMatchObject({
      source: 'store',
      complete: true,
      unmeasured: [],
    });
    expect((await get('/api/runs?kind=job')).body).toMatchObject({
      source: 'unavailable',
      complete: false,
      items: [],
    });
    expect(sandbox.requests).toEqual([]);
  });

  it('offers every repository that can be asked for, also one whose runs were not read', async () => {
    const many = Array.from({ length: 22 }, (_, i) =>
      repository({
        name: `app-${i + 10}`,
        pushedAt: minutesAgo(i),
        runs: [run({ id: 1000 + i, sha: commitId(`app-${i + 10}`) })],
      }),
    );
    const { get } = await attached(
      world([
        ...many,
        repository({ name: 'old', archived: true, runs: [run({ id: 1, sha: commitId('old') })] }),
      ]),
    );
    const { body } = await get('/api/runs?kind=workflow&workflows=all');
    expect(body).toMatchObject({
      complete: false,
      unmeasured: [expect.stringMatching(/^Runs of 2 repositories were not read: .* choose one by name/)],
    });
    const { items, repos } = body as { items: { repo: string }[]; repos: string[] };
    expect(items).toHaveLength(20);
    expect(repos).toHaveLength(23);
    const named = await get('/api/runs?kind=workflow&workflows=all&repo=app-31');
    expect(named.body).toMatchObject({ complete: true, items: [{ run_id: 1021 }] });
    expect((named.body as { repos: string[] }).repos).toHaveLength(23);
    expect((await get('/api/runs?kind=workflow&repo=nowhere')).body).toMatchObject({
      items: [],
      complete: false,
      unmeasured: [expect.stringContaining('nowhere was not read: it is not among the repositories')],
    });
  });

  it('is paged without losing or repeating one, also among runs of the same moment and while new ones come (RTE-004)', async () => {
    const at = minutesAgo(100);
    const harbour = repository({
      name: 'harbour',
      runs: Array.from({ length: 25 }, (_, i) =>
        run({ id: 100 + i, sha: commitId('harbour'), createdAt: at, startedAt: at + (i % 2) * 1000 }),
      ),
    });
    const { get, console_ } = await attached(world([harbour]));
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const { body } = await get(`/api/runs?workflows=all&limit=4${cursor}`);
      const { items, next_cursor } = body as { items: { id: string }[]; next_cursor?: string };
      seen.push(...items.map(({ id }) => id));
      await report(console_, '/api/session-runs', 'fleet', {
        run_id: `new-${page}`,
        agent: 'coder',
        state: 'running',
        started_at: iso(minutesAgo(1)),
      });
      if (next_cursor === undefined) break;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    const wrong = await get('/api/runs?cursor=2026');
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { error: expect.stringContaining('"cursor"'), request_id: expect.any(String) },
    ]);
  });

  it('keeps runs apart whose names would read the same, and pages over names of any length', async () => {
    const { get, console_ } = await opened(noCodeHost);
    const agents = ['a'.repeat(200), `${'a'.repeat(199)}ß`, 'b:c', 'ü/…'].map((agent) => ({
      agent,
      state: 'healthy',
      last_run_at: iso(minutesAgo(1)),
    }));
    for (const app of ['x'.repeat(200), 'shop', 'shop:b'])
      await report(console_, '/api/agent-health', 'ingest', {
        app,
        agents: [...agents, { agent: 'c', state: 'idle' }],
      });
    const ids: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/api/runs?kind=app-agent&limit=1${cursor}`);
      const { items, next_cursor } = body as { items: { id: string }[]; next_cursor?: string };
      ids.push(...items.map(({ id }) => id));
      cursor = next_cursor === undefined ? '' : `&cursor=${encodeURIComponent(next_cursor)}`;
    } while (cursor !== '' && ids.length < 50);
    expect(new Set(ids).size).toBe(15);
    expect(ids).toHaveLength(15);
  });

  for (const dialect of dialects) {
    it.skipIf(dialect.missing !== undefined)(
      `takes in the newest 1,000 session runs of a store on ${dialect.name}, and says that there are older ones`,
      async () => {
        const { place, remove } = await dialect.place();
        closers.push(remove);
        const { get, console_ } = await opened(noCodeHost, {}, { place });
        const row = (i: number) => ({
          app: 'fleet',
          run_id: `r-${i}`,
          agent: 'coder',
          repo: null,
          state: 'running' as const,
          started_at: minutesAgo(2000 - i),
          ended_at: null,
          url: null,
          summary: null,
          received_at: minutesAgo(0),
        });
        const rows = Array.from({ length: 1001 }, (_, i) => row(i));
        for (let at = 0; at < rows.length; at += 100)
          await console_.store.db
            .insertInto('session_runs')
            .values(rows.slice(at, at + 100))
            .execute();
        const { body } = await get('/api/runs?kind=session&limit=1000');
        expect(body).toMatchObject({
          counts: { running: 1000 },
          complete: false,
          unmeasured: ['Older session runs were not read: one list takes in the newest 1,000.'],
        });
        expect((body as { items: { id: string }[] }).items[0]?.id).toBe('session:fleet:r-1000');
        const newer = await get(`/api/runs?kind=session&since=${iso(minutesAgo(1002))}`);
        expect(newer.body).toMatchObject({ counts: { running: 3 }, complete: true });
      },
    );
  }
});

describe('runs of CronJobs', () => {
  const estateOfJobs = () => [
    cronJob('nightly'),
    job('nightly-1', 'nightly', completedJob(60, 50)),
    job('nightly-2', 'nightly', failedJob(20, 15)),
    {
      ...job('nightly-3', 'nightly', { startTime: iso(minutesAgo(5)), active: 1 }),
      metadata: {
        ...(job('nightly-3', 'nightly', {}).metadata as object),
        annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
        labels: { 'platform.dev/agent': 'night-watch' },
      },
    },
    job('queued', 'nightly', {}),
    job('paused', 'nightly', {}, { suspend: true }),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'migrate', namespace: 'agents' },
      spec: { template: {} },
      status: completedJob(5, 4),
    },
  ];

  it('are those of the target that is asked for', async () => {
    const { get } = await opened(noCodeHost, {}, { cluster: objectCluster(estateOfJobs()) });
    expect((await get('/api/runs?kind=job&target=test')).body).toMatchObject({ source: 'kubernetes' });
    const unknown = await get('/api/runs?kind=job&target=bundle:none');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      error: expect.stringContaining('There is no target bundle:none'),
      request_id: expect.any(String),
    });
  });

  it('are listed as their Jobs tell them, and Jobs of nobody are not', async () => {
    const { get } = await opened(noCodeHost, {}, { cluster: objectCluster(estateOfJobs()) });
    const { body } = await get('/api/runs?kind=job');
    expect(body).toMatchObject({ source: 'kubernetes', complete: true, unmeasured: [], repos: [] });
    const { items } = body as { items: { id: string }[] };
    expect(Object.fromEntries(items.map(({ id, ...item }) => [id, item]))).toEqual({
      'job:agents:nightly-1': {
        kind: 'job',
        name: 'nightly',
        title: 'Job agents/nightly-1',
        state: 'success',
        started: iso(minutesAgo(60)),
        took_seconds: 600,
        event: 'schedule',
      },
      'job:agents:nightly-2': expect.objectContaining({
        state: 'failure',
        detail: 'Job has reached the specified backoff limit',
        took_seconds: 300,
      }),
      'job:agents:nightly-3': expect.objectContaining({
        name: 'night-watch',
        state: 'running',
        event: 'manual',
      }),
      'job:agents:queued': expect.objectContaining({ state: 'queued' }),
      'job:agents:paused': expect.objectContaining({ state: 'waiting', detail: 'suspended' }),
    });
    expect(items[0]).toMatchObject({ id: 'job:agents:nightly-3' });
  });

  it('stand among the others, with what of the cluster was not read', async () => {
    const cluster = objectCluster(estateOfJobs(), {
      states: { 'jobs.batch': { state: 'partly', gaps: ['Forbidden: list jobs in tenant-willow.'] } },
    });
    const { get } = await opened(noCodeHost, {}, { cluster });
    const { body } = await get('/api/runs?state=failure');
    expect(body).toMatchObject({
      items: [{ id: 'job:agents:nightly-2' }],
      counts: { success: 1, failure: 1, running: 1, queued: 1, waiting: 1 },
      source: 'store',
      complete: false,
    });
    expect((body as { unmeasured: string[] }).unmeasured).toContain('Forbidden: list jobs in tenant-willow.');
  });

  it('of a bundle are told as of when it was taken', async () => {
    const cluster = objectCluster(estateOfJobs(), { source: 'bundle', takenAt: minutesAgo(2) });
    const { get } = await opened(noCodeHost, {}, { cluster });
    const { body } = await get('/api/runs?kind=job&q=night-watch');
    expect(body).toMatchObject({
      source: 'bundle',
      read_at: iso(minutesAgo(2)),
      items: [{ state: 'running', took_seconds: 180 }],
    });
  });
});

describe('when the code host is not read', () => {
  const reasons: readonly NotRead[] = [
    { ok: false, kind: 'unset', reason: 'this console is attached to no code host' },
    { ok: false, kind: 'unavailable', reason: 'the code host answered 502' },
    { ok: false, kind: 'refused', reason: 'the App may not read them' },
    { ok: false, kind: 'quota', reason: 'the rest of the quota is for the agent fleet' },
    { ok: false, kind: 'not-found', reason: 'the code host has no such thing' },
  ];
  const paths = ['/api/runs?kind=workflow', '/api/agent-runs', '/api/governance-runs', '/api/reviews'];

  for (const notRead of reasons) {
    it(`says so on every page, for the reason "${notRead.kind}", and shows what the store has`, async () => {
      const { get, console_ } = await opened({ ...noCodeHost, repositories: async () => notRead });
      for (const path of paths) {
        const { status, body } = await get(path);
        expect([path, status, body]).toMatchObject([
          path,
          200,
          {
            items: [],
            source: 'unavailable',
            complete: false,
            unmeasured: [`The repositories were not read: ${notRead.reason}.`],
          },
        ]);
      }
      await report(console_, '/api/session-runs', 'fleet', {
        run_id: 'r-1',
        agent: 'coder',
        state: 'running',
        started_at: iso(minutesAgo(1)),
      });
      expect((await get('/api/runs')).body).toMatchObject({
        items: [{ id: 'session:fleet:r-1', state: 'running' }],
        source: 'store',
        complete: false,
        unmeasured: [expect.stringContaining(notRead.reason), expect.stringContaining('CronJobs')],
      });
    });
  }

  it('names each repository that was not read, once for each reason, and shows the others', async () => {
    const { get, sandbox } = await attached(
      world(
        ['harbour', 'campaign', 'studio'].map((name, i) =>
          repository({ name, pushedAt: minutesAgo(i), runs: [run({ id: i + 1, sha: commitId(name) })] }),
        ),
      ),
    );
    sandbox.fault({ kind: 'truncated', path: '/(harbour|studio)/actions/runs' });
    const { body } = await get('/api/runs?kind=workflow&workflows=all');
    expect(body).toMatchObject({
      source: 'github',
      complete: false,
      items: [{ repo: 'campaign' }],
      unmeasured: [expect.stringMatching(/^Runs of harbour and studio were not read: .+\.$/)],
    });
    const other = await attached(world([repository({ name: 'harbour' })]));
    other.sandbox.fault({ kind: 'error', status: 502, path: '/actions/runs' });
    expect((await other.get('/api/runs?kind=workflow&workflows=all')).body).toMatchObject({
      source: 'unavailable',
      items: [],
      repos: ['harbour'],
    });
  });
});

describe('a repository with more runs than are read', () => {
  const full = (count: number) =>
    repository({
      name: `of-${count}`,
      runs: Array.from({ length: count }, (_, index) =>
        run({
          id: 100 + index,
          sha: commitId(`of-${count}`),
          path: '.github/workflows/agent-tidy.yml',
          event: 'pull_request',
          createdAt: minutesAgo(index + 1),
        }),
      ),
    });
  const gap = 'Only the newest 100 runs of of-101 were read; older ones were not.';

  it.each(['/api/runs?kind=workflow', '/api/agent-runs', '/api/governance-runs', '/api/reviews'])(
    'is named by %s, whose list is not complete then',
    async (path) => {
      const { get } = await attached(world([full(100), full(101)]));
      expect((await get(path)).body).toMatchObject({ complete: false, unmeasured: [gap] });
    },
  );

  it('is not named where what was read reaches back to the time that is asked for', async () => {
    const { get } = await attached(world([full(101)]));
    const since = (minutes: number) => `/api/runs?kind=workflow&since=${iso(minutesAgo(minutes))}`;
    expect((await get(since(60))).body).toMatchObject({ complete: true, unmeasured: [] });
    expect((await get(since(600))).body).toMatchObject({ unmeasured: [gap] });
  });
});

describe('runs of workflows of no agent', () => {
  const files = ['agent-tidy', 'governance-access', 'review-security', 'build'];
  const estateOf = () =>
    world([
      repository({
        name: 'harbour',
        runs: files.map((file, index) =>
          run({
            id: 100 + index,
            sha: commitId('harbour'),
            path: `.github/workflows/${file}.yml`,
            event: 'pull_request',
            createdAt: minutesAgo(index + 1),
          }),
        ),
      }),
    ]);
  const ids = (body: { items: { run_id: number }[] }) => body.items.map(({ run_id }) => run_id);

  it('stand in /api/runs only when they are asked for (CON-100)', async () => {
    const { get } = await attached(estateOf());
    const listed = async (query: string) => ids((await get(`/api/runs?${query}`)).body);
    expect(await listed('')).toEqual([100, 101, 102]);
    expect(await listed('kind=workflow')).toEqual([100, 101, 102]);
    expect(await listed('workflows=other')).toEqual([103]);
    expect(await listed('workflows=all')).toEqual([100, 101, 102, 103]);
    expect((await get('/api/runs')).body).toMatchObject({ counts: { success: 3 } });
    expect((await get('/api/runs?workflows=every')).status).toBe(400);
  });

  it('stand in /api/agent-runs only when they are asked for (CON-098)', async () => {
    const { get } = await attached(estateOf());
    const listed = async (query: string) => {
      const { body } = await get(`/api/agent-runs${query}`);
      return (body as { items: { runs: { run_id: number }[] }[] }).items.map(({ runs }) =>
        ids({ items: runs }),
      );
    };
    expect(await listed('')).toEqual([[100, 101, 102]]);
    expect(await listed('?workflows=other')).toEqual([[103]]);
    expect(await listed('?workflows=all')).toEqual([[100, 101, 102, 103]]);
  });
});

describe('runs by pull requests', () => {
  it('are listed for each repository that was read (CON-098)', async () => {
    const { get } = await attached(estate());
    const { body } = await get('/api/agent-runs?workflows=all');
    expect(body).toMatchObject({
      source: 'github',
      complete: true,
      items: [
        { repo: 'harbour', url: expect.stringMatching(/\/northgate\/harbour$/), runs: [{ run_id: 8101 }] },
        { repo: 'campaign', runs: [{ run_id: 9102, event: 'pull_request_target' }] },
      ],
    });
    expect((await get('/api/agent-runs?repo=campaign')).body).toMatchObject({
      items: [{ repo: 'campaign' }],
    });
  });
});

describe('runs of governance agents', () => {
  it('are those whose workflow is one, of all repositories or one (CON-110)', async () => {
    const { get } = await attached(estate());
    expect((await get('/api/governance-runs')).body).toMatchObject({
      source: 'github',
      items: [{ run_id: 9101, family: 'governance', name: 'Licence check', took_seconds: 120 }],
    });
    expect((await get('/api/governance-runs?repo=harbour')).body).toMatchObject({
      items: [],
      complete: true,
    });
  });
});
