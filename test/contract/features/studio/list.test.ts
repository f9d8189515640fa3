import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxRepository } from '../../../../src-main/sandbox/code-host/index.ts';
import { createCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { type StudioList, studioListAnswer } from '../../../../src-shared/api/studio.ts';
import {
  commitId,
  type Fault,
  issue,
  organisation,
  repository,
  type SandboxCodeHost,
  startCodeHost,
  world,
} from '../../../support/code-host.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

/** A console attached to a sandbox code host of these repositories, and both clocks moved as one. */
type Attached = {
  readonly console: TestConsole;
  readonly sandbox: SandboxCodeHost;
  advance(ms: number): void;
  list(): Promise<StudioList>;
  /** Reads of the installation since the last call: not what signing in and asking for the quota need. */
  reads(): readonly { path: string; status: number; cost: number }[];
};

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function attached(
  repositories: SandboxRepository[],
  options: { quota?: number } = {},
): Promise<Attached> {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const { sandbox, codeHost, close } = await startCodeHost({
    world: world(repositories),
    now,
    reserve: 1000,
    ...options,
  });
  opened.push(close);
  const console = await testConsole({}, { codeHost });
  opened.push(() => console.close());
  let seen = 0;
  return {
    console,
    sandbox,
    advance(ms) {
      ahead += ms;
      console.advance(ms);
    },
    async list() {
      const answer = await fetch(`${console.url}/api/studio`, {
        headers: { cookie: await console.cookie() },
      });
      expect(answer.status).toBe(200);
      return studioListAnswer.parse(await answer.json());
    },
    reads() {
      const since = sandbox.requests.slice(seen);
      seen = sandbox.requests.length;
      return since.filter(({ path }) => /^\/(repos|installation)\//.test(path));
    },
  };
}

const at = Date.UTC(2026, 10, 20, 12);

/** A studio app, the more recently updated the lower its number. */
const app = (number: number, more: Partial<SandboxRepository> = {}): SandboxRepository =>
  repository({
    name: `app-${String(number).padStart(2, '0')}`,
    topics: ['studio-app'],
    updatedAt: at - number * 60_000,
    ...more,
  });

const verified = (
  name: string,
  state: 'pending' | 'success' | 'failure' | 'error',
  context = 'platform/ci',
): SandboxRepository['statuses'][number] => ({
  sha: commitId(name),
  context,
  state,
  description: `said ${state}`,
  url: `https://ci.northgate.example/${name}`,
  at,
});

describe('GET /api/studio (CON-005, CON-059)', () => {
  it('lists the repositories with the studio topic, most recently updated first, with their kind (CON-010, CON-011, CON-012, CON-014, CON-015, CON-016, CON-017, CON-060)', async () => {
    const { list } = await attached([
      app(2, { description: 'Tide tables for three harbours' }),
      app(1, { topics: ['studio-app', 'studio-pipeline'] }),
      repository({ name: 'campaign', topics: ['platform'], updatedAt: at }),
    ]);
    const { apps, org, source, complete, unmeasured, statusComplete } = await list();
    expect(apps.map(({ name, kind }) => [name, kind])).toEqual([
      ['app-01', 'pipeline'],
      ['app-02', 'web'],
    ]);
    expect(apps[1]).toMatchObject({
      description: 'Tide tables for three harbours',
      html_url: expect.stringMatching(/\/northgate\/app-02$/),
      updated_at: new Date(at - 120_000).toISOString(),
    });
    expect({ org, source, complete, unmeasured, statusComplete }).toEqual({
      org: 'northgate',
      source: 'github',
      complete: true,
      unmeasured: [],
      statusComplete: true,
    });
  });

  it('derives each state from open jobs and the CI status of the default branch, in the order of the table (CON-021, CON-022, CON-023, CON-024, CON-025, CON-026, CON-027, CON-031)', async () => {
    const cases = [
      { state: 'working', jobs: 2, ci: 'success' },
      { state: 'building', jobs: 0, ci: 'pending' },
      { state: 'live', jobs: 0, ci: 'success' },
      { state: 'failed', jobs: 0, ci: 'failure' },
      { state: 'failed', jobs: 0, ci: 'error' },
      { state: 'idle', jobs: 0, ci: undefined },
    ] as const;
    const { list } = await attached(
      cases.map(({ jobs, ci }, index) => {
        const { name } = app(index);
        return app(index, {
          issues: Array.from({ length: jobs }, (_, number) => issue({ number: number + 1 })),
          statuses: [
            verified(name, 'failure', 'other/ci'),
            ...(ci === undefined ? [] : [verified(name, ci)]),
          ],
        });
      }),
    );
    const { apps } = await list();
    expect(apps.map(({ status }) => status?.state)).toEqual(cases.map(({ state }) => state));
    expect(apps[0]?.status).toMatchObject({
      open_jobs: 2,
      state_detail: '2 open jobs for the agent',
      default_branch: 'main',
      verification: 'platform/ci',
      last_run_found: true,
      last_run_status: 'success',
      last_run_sha: commitId('app-00'),
      last_run_url: 'https://ci.northgate.example/app-00',
      last_run_description: 'said success',
      source: 'github',
      cached: false,
      reads: { open_jobs: 'read', verification: 'read' },
    });
    expect(apps[5]?.status).not.toHaveProperty('last_run_status');
    expect(apps[5]?.status?.last_run_found).toBe(false);
  });

  it('counts open studio issues only: no pull requests, no closed ones, no other labels (CON-019)', async () => {
    const { list } = await attached([
      app(1, {
        issues: [
          issue({ number: 1 }),
          issue({ number: 2, state: 'closed' }),
          issue({ number: 3, labels: ['bug'] }),
        ],
      }),
    ]);
    expect((await list()).apps[0]?.status).toMatchObject({ open_jobs: 1, has_brief: false });
  });

  it.each([
    ['by its type', { type: 'Brief' }],
    ['by its label', { labels: ['studio', 'brief'] }],
  ])('knows a brief %s (CON-020)', async (_how, brief) => {
    const { list } = await attached([app(1, { issues: [issue({ number: 4, ...brief })] })]);
    expect((await list()).apps[0]?.status?.has_brief).toBe(true);
  });

  it('knows a brief among the closed jobs, and counts those as open nowhere (CON-019, CON-020)', async () => {
    const { list } = await attached([
      app(1, { issues: [issue({ number: 4, state: 'closed', type: 'Brief' })] }),
      app(2, { issues: [issue({ number: 4, state: 'closed' }), issue({ number: 5 })] }),
    ]);
    const { apps, unmeasured } = await list();
    expect(apps.map(({ status }) => [status?.has_brief, status?.open_jobs])).toEqual([
      [true, 0],
      [false, 1],
    ]);
    expect(unmeasured).toEqual([]);
  });

  it('says that an app without a brief may have one among jobs that were not read', async () => {
    const closed = Array.from({ length: 101 }, (_, index) => issue({ number: index + 1, state: 'closed' }));
    const { list } = await attached([app(1, { issues: closed })]);
    expect((await list()).unmeasured).toEqual([
      'app-01: no brief is among its open jobs and the newest 100 closed ones; older ones were not read.',
    ]);
  });

  it('tells an app that nothing was ever pushed to as idle', async () => {
    const { list } = await attached([app(1, { commits: [] })]);
    expect((await list()).apps[0]?.status).toMatchObject({ state: 'idle', last_run_found: false });
  });

  it('answers other methods 405 and says where briefs are filed (CON-061, CON-185)', async () => {
    const { console } = await attached([]);
    const answer = await fetch(`${console.url}/api/studio`, {
      method: 'POST',
      headers: { cookie: await console.cookie() },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await answer.text()).toContain('no longer files briefs');
  });
});

describe('what the studio list costs the code host', () => {
  const thirty = () => Array.from({ length: 30 }, (_, number) => app(number));

  it('is one page and three reads for each of twelve apps at most when nothing is known yet (CON-014, CON-018, CON-191, CON-192)', async () => {
    const { list, reads } = await attached(thirty());
    const { apps, statusComplete, unmeasured, complete } = await list();
    const asked = reads();
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.length).toBeLessThanOrEqual(1 + 12 * 3);
    expect(asked.filter(({ path }) => path.startsWith('/installation/repositories'))).toHaveLength(1);
    expect(apps.filter(({ status }) => status !== undefined)).toHaveLength(12);
    expect([complete, statusComplete]).toEqual([true, false]);
    expect(unmeasured).toEqual([expect.stringContaining('app-12, app-13')]);
  });

  it('is nothing within 60 seconds (CON-026, CON-193)', async () => {
    const { list, reads, advance } = await attached(thirty());
    const first = await list();
    reads();
    advance(59_000);
    const second = await list();
    expect(reads()).toEqual([]);
    expect(second.apps[0]?.status).toMatchObject({
      cached: true,
      read_at: first.apps[0]?.status?.read_at,
      reads: { open_jobs: 'cached' },
    });
  });

  it('is no quota after 60 seconds when nothing changed: every answer is a 304', async () => {
    const { list, reads, advance } = await attached(thirty());
    const first = await list();
    reads();
    advance(61_000);
    const again = await list();
    const asked = reads();
    expect(asked.length).toBeGreaterThanOrEqual(25);
    expect(asked.every(({ status, cost }) => status === 304 && cost === 0)).toBe(true);
    expect(again.apps[3]?.status?.cached).toBe(false);
    expect(Date.parse(again.apps[3]?.status?.read_at ?? '')).toBeGreaterThan(
      Date.parse(first.apps[3]?.status?.read_at ?? ''),
    );
  });

  it('is shared by everybody who asks at the same time', async () => {
    const { list, reads } = await attached(thirty());
    await Promise.all([list(), list(), list()]);
    const paths = reads().map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('is three reads of an app whose jobs do not fit on a page, and the count says where it stops', async () => {
    const jobs = (count: number) => Array.from({ length: count }, (_, index) => issue({ number: index + 1 }));
    const { list, reads } = await attached([app(1, { issues: jobs(130) }), app(2, { issues: jobs(250) })]);
    const { apps, unmeasured } = await list();
    expect(apps.map(({ status }) => status?.open_jobs)).toEqual([130, 200]);
    expect(apps.map(({ status }) => status?.state_detail)).toEqual([
      '130 open jobs for the agent',
      '200+ open jobs for the agent',
    ]);
    expect(unmeasured).toContainEqual(
      expect.stringMatching(/^app-02: its open jobs were counted to 200 only/),
    );
    const asked = reads();
    for (const name of ['app-01', 'app-02'])
      expect(asked.filter(({ path }) => path.includes(name)).length).toBe(3);
  });

  it('finds the verification among more than a hundred contexts with its third read', async () => {
    const others = Array.from({ length: 120 }, (_, index) => verified('app-01', 'success', `a/${index}`));
    const { list } = await attached([app(1, { statuses: [...others, verified('app-01', 'failure')] })]);
    expect((await list()).apps[0]?.status?.state).toBe('failed');
  });
});

describe('the limits of the studio list', () => {
  it('walks ten pages of a hundred repositories and says that there are more (CON-013, CON-195)', async () => {
    const many = Array.from({ length: 1200 }, (_, number) => repository({ name: `r-${number}` }));
    const { list, reads } = await attached([...many, app(1)]);
    const { complete, unmeasured } = await list();
    expect(complete).toBe(false);
    expect(unmeasured).toContain(
      'The list was cut short: the first 1000 of 1201 repositories were looked at.',
    );
    expect(reads().filter(({ path }) => path.startsWith('/installation/'))).toHaveLength(10);
  });

  it('reads nothing anew when the quota is at the reserve, serves what it kept and names the rest (CON-014, CON-015, CON-196)', async () => {
    const { list, reads, advance, sandbox } = await attached([app(1), app(2)]);
    await list();
    reads();
    sandbox.world.organisations[0]?.repositories.push(app(0));
    advance(61_000);
    sandbox.setQuota(1001);
    // One request is left above the reserve; it must not be overdrawn by several at once.
    const { apps, complete, statusComplete, unmeasured } = await list();
    expect(reads().reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(1);
    expect(statusComplete).toBe(false);
    expect(complete || unmeasured.some((reason) => reason.startsWith('The list is an older one'))).toBe(true);
    for (const name of ['app-01', 'app-02']) {
      expect(apps.find((one) => one.name === name)?.status).toMatchObject({ cached: true, state: 'idle' });
      expect(unmeasured).toContainEqual(
        expect.stringMatching(new RegExp(`^${name}: its status is an older one: .*kept for the agent fleet`)),
      );
    }
  });

  it('reads nothing at all from a code host whose quota was at the reserve from the start', async () => {
    const { list, reads } = await attached([app(1)], { quota: 1000 });
    expect(await list()).toMatchObject({
      apps: [],
      source: 'unavailable',
      complete: false,
      statusComplete: false,
      unmeasured: [expect.stringContaining('kept for the agent fleet')],
    });
    expect(reads()).toEqual([]);
  });

  it('guesses no organisation when the App has several installations and none is named', async () => {
    const { sandbox } = await attached([app(1)]);
    sandbox.world.organisations.push(organisation({ login: 'elsewhere', repositories: [app(9)] }));
    const codeHost = createCodeHost({
      now: Date.now,
      settings: () => ({
        appId: sandbox.appId,
        privateKey: sandbox.privateKey,
        installationId: undefined,
        apiUrl: new URL(sandbox.url),
        reserve: 0,
      }),
    });
    opened.push(async () => codeHost.close());
    expect(await codeHost.repositories()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('CONSOLE_GITHUB_INSTALLATION_ID'),
    });
  });
});

describe('a code host in trouble', () => {
  const faults: readonly [name: string, fault: Fault, reason: RegExp][] = [
    ['that answers 502', { kind: 'error', status: 502 }, /answered 502/],
    ['that is rate limited', { kind: 'rate-limited' }, /wait|kept for the agent fleet/],
    ['that asks to wait', { kind: 'secondary' }, /asked this console to wait/],
    ['that cuts its JSON off', { kind: 'truncated' }, /cut off|not understood/],
    ['that ends its answers early', { kind: 'short-body' }, /cut off|not understood|cannot be reached/],
    ['that never answers', { kind: 'hang' }, /did not answer within 5 s/],
    ['whose installation was removed', { kind: 'revoked' }, /credentials|any more|not installed/],
    ['whose installation is suspended', { kind: 'suspended' }, /suspended/],
  ];

  it.each(faults)(
    '%s before anything was read leaves an empty list with its reason (CON-009, CON-012)',
    async (_name, fault, reason) => {
      const { list, sandbox, console } = await attached([app(1)]);
      sandbox.fault(fault);
      const { unmeasured, ...rest } = await list();
      expect(rest).toMatchObject({ apps: [], source: 'unavailable', complete: false, statusComplete: false });
      expect(unmeasured).toEqual([expect.stringMatching(reason)]);
      expect(await (await fetch(`${console.url}/healthz`)).text()).toBe('ok');
      sandbox.clearFaults();
    },
  );

  it.each(faults.filter(([, { kind }]) => kind !== 'revoked' && kind !== 'suspended'))(
    '%s for one app only leaves the others with their states',
    async (_name, fault, reason) => {
      const { list, sandbox } = await attached([app(1), app(2)]);
      sandbox.fault({ ...fault, path: '/repos/northgate/app-02/issues' });
      const { apps, complete, statusComplete, unmeasured } = await list();
      expect(apps[0]?.status?.state).toBe('idle');
      expect(apps[1]).not.toHaveProperty('status');
      expect([complete, statusComplete]).toEqual([true, false]);
      expect(unmeasured).toEqual([expect.stringMatching(/^app-02: /)]);
      expect(unmeasured[0]).toMatch(reason);
    },
  );

  it('keeps showing what it read before, and says that it is older', async () => {
    const { list, sandbox, advance } = await attached([
      app(1, { statuses: [verified('app-01', 'success')] }),
    ]);
    await list();
    advance(61_000);
    sandbox.fault({ kind: 'error', status: 503 });
    const { apps, source, complete, statusComplete, unmeasured } = await list();
    expect(apps[0]?.status).toMatchObject({ state: 'live', cached: true, reads: { verification: 'stale' } });
    expect({ source, complete, statusComplete }).toEqual({
      source: 'github',
      complete: false,
      statusComplete: false,
    });
    expect(unmeasured.join(' ')).toMatch(/The list is an older one.*app-01: its status is an older one.*503/);
  });

  it('that answers 500 for an app is asked for it three times in a minute at most, retries included (CON-191, CON-193)', async () => {
    const { list, sandbox, reads, advance } = await attached([app(1)]);
    sandbox.fault({ kind: 'error', status: 500, path: '/repos/northgate/app-01/' });
    for (const _ of [1, 2, 3]) {
      expect((await list()).unmeasured).toEqual([expect.stringMatching(/^app-01: .*answered 500/)]);
      advance(15_000);
    }
    const ofApp = () => reads().filter(({ path }) => path.startsWith('/repos/northgate/app-01/'));
    expect(ofApp().length).toBeLessThanOrEqual(3);
    sandbox.clearFaults();
    advance(16_000);
    expect((await list()).statusComplete).toBe(true);
  });

  it.each([403, 429] as const)(
    'that answers %i with Retry-After is not asked again before',
    async (status) => {
      const { list, sandbox, reads, advance } = await attached([app(1)]);
      sandbox.fault({ kind: 'secondary', status, retryAfter: 5, path: '/installation/repositories' });
      expect((await list()).unmeasured).toEqual([expect.stringMatching(/asked this console to wait/)]);
      expect(reads()).toHaveLength(1);
      sandbox.clearFaults();
      advance(4000);
      expect((await list()).unmeasured).toEqual([expect.stringMatching(/to wait until \d\d:\d\d UTC/)]);
      expect(reads()).toEqual([]);
      advance(1500);
      expect((await list()).source).toBe('github');
    },
  );

  it('that asks for a second of patience gets it, and the page its answer', async () => {
    const { list, sandbox, reads } = await attached([app(1)]);
    sandbox.fault({
      kind: 'secondary',
      status: 429,
      retryAfter: 1,
      path: '/installation/repositories',
      times: 1,
    });
    const begun = performance.now();
    expect((await list()).source).toBe('github');
    expect(performance.now() - begun).toBeGreaterThan(990);
    expect(reads().filter(({ path }) => path.startsWith('/installation/'))).toHaveLength(2);
  });

  it('that refuses the token it has just given is said to', async () => {
    const { list, sandbox, reads } = await attached([app(1)]);
    sandbox.fault({ kind: 'error', status: 401, path: '^/(installation|repos)/' });
    const { unmeasured } = await list();
    expect(unmeasured).toEqual([
      expect.stringMatching(/refuses \(401\) the installation token that it gave a moment ago/),
    ]);
    expect(reads().length).toBeLessThanOrEqual(2);
  });

  it('is asked again once it works', async () => {
    const { list, sandbox } = await attached([app(1)]);
    sandbox.fault({ kind: 'revoked' });
    expect((await list()).source).toBe('unavailable');
    sandbox.clearFaults();
    expect(await list()).toMatchObject({ source: 'github', statusComplete: true });
  });
});

describe('a console without a code host', () => {
  it('says which variables would attach it', async () => {
    const console = await testConsole();
    opened.push(() => console.close());
    const answer = await fetch(`${console.url}/api/studio`, { headers: { cookie: await console.cookie() } });
    expect(await answer.json()).toMatchObject({
      source: 'unavailable',
      unmeasured: [expect.stringContaining('CONSOLE_GITHUB_APP_ID and CONSOLE_GITHUB_PRIVATE_KEY')],
    });
  });
});
