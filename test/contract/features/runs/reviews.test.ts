import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type CodeHost, type NotRead, noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { runRoutes } from '../../../../src-shared/api/runs.ts';
import {
  annotation,
  commitId,
  job,
  pull,
  repository,
  run,
  startCodeHost,
  type TestCodeHost,
  type World,
  world,
} from '../../../support/code-host.ts';
import { testConsole } from '../../../support/test-console.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const begun = Math.floor(Date.now() / 1000) * 1000;
const minutesAgo = (minutes: number): number => begun - minutes * 60_000;
const sha = commitId('harbour');

type Get = (path: string) => Promise<{ status: number; body: Record<string, unknown> }>;

/** Reads a route as the page does: a body that is not as the contract says fails the test. */
async function opened(codeHost: CodeHost): Promise<Get> {
  const console_ = await testConsole({}, { codeHost });
  closers.push(() => console_.close());
  const cookie = await console_.cookie();
  return async (path) => {
    const { statusCode, body } = await request(`${console_.url}${path}`, { headers: { cookie } });
    const answer = (await body.json()) as Record<string, unknown>;
    const plain = path.split('?', 1)[0] ?? '';
    const route = runRoutes.find((candidate) =>
      new RegExp(`^${candidate.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain),
    );
    if (statusCode === 200 && route !== undefined && route.answer !== 'stream') route.answer.parse(answer);
    return { status: statusCode, body: answer };
  };
}

async function attached(given: World, options = {}): Promise<TestCodeHost & { get: Get }> {
  const codeHost = await startCodeHost({ world: given, ...options });
  closers.push(codeHost.close);
  return { ...codeHost, get: await opened(codeHost.codeHost) };
}

type GivenReview = Parameters<typeof run>[0] & { type: string };

function reviewRun({ type, ...given }: GivenReview) {
  return run({
    name: `${type} review`,
    path: `.github/workflows/review-${type}.yml`,
    title: 'Read tides by the hour',
    event: 'pull_request',
    branch: 'tide',
    ...given,
  });
}

/** A repository whose security review found things, was run before, and is running for design. */
function estate(): World {
  return world([
    repository({
      name: 'harbour',
      pulls: [
        pull({
          number: 7,
          branch: 'tide',
          headSha: sha,
          comments: [
            {
              author: 'sentry-agent[bot]',
              body: 'This key is read twice.',
              path: 'src/a b.ts',
              line: 3,
              at: minutesAgo(20),
            },
          ],
          reviews: [
            { author: 'sentry-agent[bot]', state: 'COMMENTED', body: '', at: minutesAgo(20) },
            {
              author: 'sentry-agent[bot]',
              state: 'CHANGES_REQUESTED',
              body: 'Two things to fix.',
              at: minutesAgo(19),
            },
            { author: 'mira', state: 'APPROVED', body: '', at: minutesAgo(5) },
          ],
        }),
      ],
      runs: [
        reviewRun({
          type: 'security',
          id: 301,
          sha,
          conclusion: 'failure',
          startedAt: minutesAgo(25),
          updatedAt: minutesAgo(22),
          jobs: [
            job({
              id: 41,
              name: 'secrets',
              annotations: [
                annotation({
                  path: 'src/z.ts',
                  line: 9,
                  level: 'notice',
                  title: '',
                  message: 'Name it.\nPlease.',
                }),
                annotation({
                  path: 'src/a b.ts',
                  line: 3,
                  endLine: 5,
                  level: 'failure',
                  title: 'Key in the code',
                  message: 'Move it out.',
                }),
                annotation({
                  path: '.github',
                  level: 'failure',
                  title: '',
                  message: 'Process completed with exit code 1.',
                }),
              ],
            }),
            job({
              id: 42,
              name: 'inputs',
              annotations: [
                annotation({ path: 'src/#1/100%.ts', line: 2, level: 'warning', title: 'Unchecked input' }),
              ],
            }),
            job({ id: 43, name: 'licences' }),
          ],
        }),
        reviewRun({ type: 'security', id: 201, sha, startedAt: minutesAgo(90), updatedAt: minutesAgo(88) }),
        reviewRun({
          type: 'design',
          id: 302,
          sha,
          status: 'in_progress',
          conclusion: null,
          startedAt: minutesAgo(2),
        }),
        run({ id: 303, sha, startedAt: minutesAgo(1) }),
      ],
    }),
    repository({
      name: 'campaign',
      pulls: [
        pull({
          number: 4,
          branch: 'mail',
          headSha: commitId('campaign'),
          state: 'closed',
          mergedAt: minutesAgo(40),
          mergeSha: commitId('campaign'),
          reviews: [{ author: 'mira', state: 'APPROVED', body: 'Good.', at: minutesAgo(41) }],
        }),
      ],
      runs: [
        reviewRun({
          type: 'quality',
          id: 401,
          sha: commitId('campaign'),
          branch: 'mail',
          startedAt: minutesAgo(50),
          updatedAt: minutesAgo(48),
          jobs: [job({ id: 51, name: 'quality' })],
        }),
      ],
    }),
  ]);
}

const countAsked = ({ sandbox }: TestCodeHost, pattern: RegExp): number =>
  sandbox.requests.filter(({ path }) => pattern.test(path)).length;
const findingsAsked = /\/(check-suites|check-runs)\//;

describe('the list of reviews', () => {
  it('shows running and past ones, newest first, with what the newest ended one of each type found (CON-101)', async () => {
    const { get } = await attached(estate());
    const { body } = await get('/api/reviews');
    expect(body).toMatchObject({ source: 'github', complete: true, unmeasured: [] });
    const items = body.items as Record<string, unknown>[];
    expect(
      items.map(({ run_id, type, state, findings_count }) => [run_id, type, state, findings_count]),
    ).toEqual([
      [302, 'design', 'running', undefined],
      [301, 'security', 'failure', 3],
      [401, 'quality', 'success', 0],
      [201, 'security', 'success', undefined],
    ]);
    expect(items[1]).toMatchObject({
      repo: 'harbour',
      name: 'security review',
      title: 'Read tides by the hour',
      sha,
      branch: 'tide',
      pull_request: 7,
      took_seconds: 180,
    });
    const latest = body.latest as { run_id: number; findings: unknown[] }[];
    expect(latest.map(({ run_id, findings }) => [run_id, findings.length])).toEqual([
      [301, 3],
      [401, 0],
    ]);
    expect((await get('/api/reviews?repo=campaign')).body).toMatchObject({ items: [{ run_id: 401 }] });
  });

  it('reads what an ended review found once, also when the code host would have to be asked again', async () => {
    let ahead = 0;
    const double = await attached(estate(), { now: () => Date.now() + ahead });
    await double.get('/api/reviews');
    const asked = countAsked(double, findingsAsked);
    // Two check suites, and the two checks that found something.
    expect(asked).toBe(4);
    double.sandbox.fault({ kind: 'error', status: 502, path: '/check-' });
    ahead = 60_000;
    expect((await double.get('/api/reviews')).body).toMatchObject({ complete: true });
    expect((await double.get('/api/reviews/security/301')).body).toMatchObject({ complete: true });
    expect(countAsked(double, findingsAsked)).toBe(asked);
  });

  it('reads a new attempt of a review anew', async () => {
    let ahead = 0;
    const { get, sandbox } = await attached(estate(), { now: () => Date.now() + ahead });
    expect((await get('/api/reviews/quality/401')).body).toMatchObject({ findings: [] });
    const [, campaign] = sandbox.world.organisations[0]?.repositories ?? [];
    const again = campaign?.runs[0];
    if (again === undefined) throw new Error('the estate has such a run');
    again.attempt = 2;
    again.jobs[0]?.annotations.push(annotation({ path: 'mail.ts' }));
    // Long enough for the code host to be asked again.
    ahead = 60_000;
    expect((await get('/api/reviews/quality/401')).body).toMatchObject({
      review: { findings_count: 1 },
      findings: [{ path: 'mail.ts' }],
    });
  });

  it('asks at most 24 times for findings, newest reviews first, and goes on with the next request', async () => {
    const types = Array.from({ length: 15 }, (_, i) => `type-${i + 10}`);
    const double = await attached(
      world([
        repository({
          name: 'harbour',
          runs: types.map((type, i) =>
            reviewRun({
              type,
              id: 100 + i,
              sha,
              startedAt: minutesAgo(60 + i),
              jobs: [job({ id: 900 + i, annotations: [annotation({ path: 'a.ts' })] })],
            }),
          ),
        }),
      ]),
    );
    const first = (await double.get('/api/reviews')).body;
    expect(countAsked(double, findingsAsked)).toBe(24);
    const known = (first.items as { findings_count?: number }[]).filter(
      ({ findings_count }) => findings_count !== undefined,
    ).length;
    expect(known).toBeGreaterThanOrEqual(10);
    expect(known).toBeLessThan(15);
    expect(first.items).toMatchObject([
      { findings_count: 1 },
      { findings_count: 1 },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
    expect(first).toMatchObject({
      source: 'github',
      complete: false,
      unmeasured: [expect.stringMatching(/^Findings of \d reviews were not all read: .*24 times at most/)],
    });
    expect((first.latest as unknown[]).length).toBe(known);
    const second = (await double.get('/api/reviews')).body;
    expect(second).toMatchObject({ complete: true });
    expect(countAsked(double, findingsAsked)).toBe(30);
  });

  it('does not go on asking a code host that does not answer, and says it once', async () => {
    const double = await attached(estate());
    double.sandbox.fault({ kind: 'truncated', path: '/check-suites/' });
    const { body } = await double.get('/api/reviews');
    expect(body).toMatchObject({
      source: 'github',
      complete: false,
      items: [{ run_id: 302 }, { run_id: 301 }, { run_id: 401 }, { run_id: 201 }],
      latest: [],
      unmeasured: [expect.stringMatching(/^Findings of 2 reviews were not all read: /)],
    });
    double.sandbox.clearFaults();
    expect((await double.get('/api/reviews')).body).toMatchObject({ complete: true, unmeasured: [] });
  });
});

describe('one review', () => {
  it('has its findings, the worst first, each with the address of its line at the reviewed commit (CON-102)', async () => {
    const { get } = await attached(estate());
    const { status, body } = await get('/api/reviews/security/301');
    expect([status, body]).toMatchObject([
      200,
      {
        review: { run_id: 301, state: 'failure', findings_count: 3 },
        source: 'github',
        complete: true,
        unmeasured: [],
      },
    ]);
    const page = String((body.review as { url: string }).url).replace(/\/actions\/.*/, '');
    expect(body.findings).toEqual([
      {
        path: 'src/a b.ts',
        line: 3,
        end_line: 5,
        severity: 'error',
        title: 'Key in the code',
        body: 'Move it out.',
        url: `${page}/blob/${sha}/src/a%20b.ts#L3`,
      },
      {
        path: 'src/#1/100%.ts',
        line: 2,
        severity: 'warning',
        title: 'Unchecked input',
        body: 'Look at this.',
        url: `${page}/blob/${sha}/src/%231/100%25.ts#L2`,
      },
      {
        path: 'src/z.ts',
        line: 9,
        severity: 'note',
        title: 'Name it.',
        body: 'Name it.\nPlease.',
        url: `${page}/blob/${sha}/src/z.ts#L9`,
      },
    ]);
  });

  it('is found in the repository that is named, also when it is older than the runs that are listed', async () => {
    const double = await attached(estate());
    const { body } = await double.get('/api/reviews/quality/401?repo=campaign');
    expect(body).toMatchObject({
      review: { run_id: 401, repo: 'campaign', findings_count: 0 },
      complete: true,
    });
    expect(countAsked(double, /\/actions\/runs\?/)).toBe(0);
  });

  it('that runs has no findings yet, and says why', async () => {
    const { get } = await attached(estate());
    const { body } = await get('/api/reviews/design/302');
    expect(body).toMatchObject({
      review: { state: 'running' },
      findings: [],
      complete: false,
      unmeasured: [expect.stringContaining('has not ended')],
    });
    expect(body.review).not.toHaveProperty('findings_count');
  });

  it('of more findings than the code host gives at once says how many there are', async () => {
    const many = Array.from({ length: 130 }, (_, i) => annotation({ path: 'a.ts', line: i + 1 }));
    const { get } = await attached(
      world([
        repository({
          name: 'harbour',
          runs: [
            reviewRun({
              type: 'quality',
              id: 5,
              sha,
              jobs: [job({ id: 6, name: 'style', annotations: many })],
            }),
          ],
        }),
      ]),
    );
    const { body } = await get('/api/reviews/quality/5');
    expect(body).toMatchObject({
      review: { findings_count: 130 },
      complete: false,
      unmeasured: [expect.stringContaining('style found 130, of which the code host gives the first 100')],
    });
    expect(body.findings).toHaveLength(100);
  });

  it('shows what some checks found when others were not read', async () => {
    const { get, sandbox } = await attached(estate());
    sandbox.fault({ kind: 'truncated', path: '/check-runs/41/annotations' });
    const { body } = await get('/api/reviews/security/301');
    expect(body).toMatchObject({
      findings: [{ title: 'Unchecked input' }],
      complete: false,
      unmeasured: [expect.stringMatching(/^Findings were not all read: /)],
    });
    expect(body.review).not.toHaveProperty('findings_count');
  });

  it('says when its findings are an older answer, and reads them again', async () => {
    let ahead = 0;
    const { get, sandbox, codeHost } = await attached(estate(), { now: () => Date.now() + ahead });
    // Read before it ended, as another page may have done.
    const [harbour] = sandbox.world.organisations[0]?.repositories ?? [];
    const checkSuite = harbour?.runs[0]?.checkSuite ?? 0;
    await codeHost.checkRuns('harbour', checkSuite);
    ahead = 60_000;
    sandbox.fault({ kind: 'error', status: 502, path: '/check-suites/' });
    expect((await get('/api/reviews/security/301')).body).toMatchObject({
      findings: [{}, {}, {}],
      complete: false,
      unmeasured: [expect.stringMatching(/an older answer had to serve, as /)],
    });
    sandbox.clearFaults();
    ahead = 120_000;
    expect((await get('/api/reviews/security/301')).body).toMatchObject({ complete: true });
  });

  it('is 404 when there is none such, of that type, or in that repository', async () => {
    const { get } = await attached(estate());
    for (const path of [
      '/api/reviews/security/999',
      '/api/reviews/quality/301',
      '/api/reviews/security/303',
      '/api/reviews/security/301?repo=campaign',
      '/api/reviews/security/999/detail?repo=harbour',
      '/api/reviews/security/301?repo=nowhere',
    ]) {
      const { status, body } = await get(path);
      expect([path, status, Object.keys(body)]).toEqual([path, 404, ['error', 'request_id']]);
    }
    expect((await get('/api/reviews/Security/301')).status).toBe(400);
    expect((await get('/api/reviews/security/x')).status).toBe(400);
  });
});

describe('the detail of a review', () => {
  it('adds what was posted about the change, oldest first, by agents and people (CON-102)', async () => {
    const { get } = await attached(estate());
    const { body } = await get('/api/reviews/security/301/detail');
    expect(body).toMatchObject({ complete: true, review: { pull_request: 7, findings_count: 3 } });
    expect(body.comments).toMatchObject([
      {
        kind: 'comment',
        author: 'sentry-agent[bot]',
        agent: true,
        path: 'src/a b.ts',
        line: 3,
        body: 'This key is read twice.',
        at: new Date(minutesAgo(20)).toISOString(),
      },
      { kind: 'verdict', verdict: 'changes_requested', agent: true, body: 'Two things to fix.' },
      { kind: 'verdict', verdict: 'approved', author: 'mira', agent: false, body: '' },
    ]);
    expect((body.comments as object[])[0]).not.toHaveProperty('verdict');
  });

  it('finds the pull request of a change that was merged since', async () => {
    const { get } = await attached(estate());
    expect((await get('/api/reviews/quality/401/detail')).body).toMatchObject({
      review: { pull_request: 4 },
      comments: [{ verdict: 'approved', body: 'Good.' }],
      complete: true,
    });
  });

  it('shows the findings when what was posted is not read, and says so', async () => {
    const { get, sandbox } = await attached(estate());
    sandbox.fault({ kind: 'truncated', path: '/pulls/7/' });
    expect((await get('/api/reviews/security/301/detail')).body).toMatchObject({
      findings: [{ path: 'src/a b.ts' }, {}, {}],
      comments: [],
      complete: false,
      unmeasured: [expect.stringMatching(/^What was posted on pull request 7 was not read: /)],
    });
    sandbox.fault({ kind: 'truncated', path: '/commits/[0-9a-f]+/pulls' });
    expect((await get('/api/reviews/quality/401/detail')).body).toMatchObject({
      review: { findings_count: 0 },
      comments: [],
      unmeasured: [expect.stringMatching(/^The pull request of [0-9a-f]{7} was not read: /)],
    });
  });
});

describe('when the code host is not read', () => {
  const reasons: readonly NotRead[] = [
    { ok: false, kind: 'unset', reason: 'this console is attached to no code host' },
    { ok: false, kind: 'unavailable', reason: 'the code host answered 502' },
    { ok: false, kind: 'refused', reason: 'the App may not read them' },
    { ok: false, kind: 'quota', reason: 'the rest of the quota is for the agent fleet' },
  ];
  for (const notRead of reasons) {
    it(`a review says so, for the reason "${notRead.kind}"`, async () => {
      const read = async (): Promise<NotRead> => notRead;
      const get = await opened({ ...noCodeHost, repositories: read, workflowRun: read });
      for (const path of ['/api/reviews/security/1', '/api/reviews/security/1?repo=harbour']) {
        for (const [address, more] of [
          [path, {}],
          [path.replace('/1', '/1/detail'), { comments: [] }],
        ] as const) {
          const { status, body } = await get(address);
          expect([address, status, body]).toEqual([
            address,
            200,
            {
              findings: [],
              ...more,
              source: 'unavailable',
              complete: false,
              read_at: expect.any(String),
              unmeasured: [expect.stringContaining(notRead.reason)],
            },
          ]);
        }
      }
    });
  }
});
