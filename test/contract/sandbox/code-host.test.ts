import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { startSandboxCodeHost } from '../../../src-main/sandbox/code-host/index.ts';
import {
  annotation,
  commit,
  commitId,
  type Fault,
  issue,
  job,
  organisation,
  pull,
  repository,
  run,
  type SandboxCodeHost,
  seededWorld,
  startCodeHost,
  status,
  world,
} from '../../support/code-host.ts';
import { readGitHubDescription } from './github-description.ts';

const main = commitId('harbour', 'main');
const first = commitId('harbour', 'first');
const head = commitId('harbour', 'head');
const suite = 3_000_000_001;
const repo = '/repos/northgate/harbour';

function harbour() {
  return repository({
    name: 'harbour',
    description: 'Where vessels lie.',
    topics: ['studio-app'],
    commits: [
      commit({ sha: first }),
      commit({ sha: head, parents: [first], at: Date.UTC(2026, 10, 2, 10) }),
      commit({ sha: main, parents: [first], at: Date.UTC(2026, 10, 2, 11) }),
    ],
    issues: [
      issue({ number: 1, type: 'Brief', createdAt: Date.UTC(2026, 10, 2) }),
      issue({ number: 2, labels: ['studio', 'brief'], createdAt: Date.UTC(2026, 10, 3) }),
      issue({ number: 3, labels: [], createdAt: Date.UTC(2026, 10, 4) }),
      issue({ number: 4, state: 'closed' }),
    ],
    pulls: [
      pull({
        number: 5,
        headSha: head,
        branch: 'deeper',
        comments: [{ author: 'security-review[bot]', body: 'Look.', path: 'src/a.ts', line: 3, at: 1e12 }],
        reviews: [{ author: 'mira', state: 'APPROVED', body: '', at: 1e12 }],
      }),
      pull({ number: 6, state: 'closed', mergedAt: 1e12, mergeSha: main, headSha: commitId('gone') }),
    ],
    statuses: [
      status({ sha: main, state: 'pending', at: 1 }),
      status({ sha: main, state: 'success', description: 'All well', url: '/actions/runs/11', at: 2 }),
      status({ sha: main, context: 'other', state: 'success' }),
    ],
    runs: [
      run({ id: 11, sha: main, createdAt: Date.UTC(2026, 10, 2, 12) }),
      run({
        id: 12,
        sha: head,
        branch: 'deeper',
        event: 'pull_request',
        path: '.github/workflows/review-security.yml',
        name: 'Security review',
        conclusion: 'failure',
        attempt: 2,
        checkSuite: suite,
        createdAt: Date.UTC(2026, 10, 2, 13),
        jobs: [
          job({
            id: 120,
            name: 'review',
            conclusion: 'failure',
            summary: '1 error.',
            annotations: [annotation({ path: 'src/a.ts', line: 3, level: 'failure' })],
            log: { lines: 2500, failure: ['##[error]src/a.ts:3 It leaks.'] },
          }),
        ],
      }),
      run({ id: 13, sha: main, conclusion: null, createdAt: Date.UTC(2026, 10, 2, 14) }),
      run({ id: 14, sha: main, logs: 'expired' }),
    ],
    files: { '.platform/agents.yaml': 'agents: []\n', 'big.txt': 'x'.repeat(1_100_000) },
  });
}

type Answer = { status: number; headers: Headers; body: unknown; raw: string };
type Ask = { token?: string; headers?: Record<string, string>; method?: string; body?: string };

let sandbox: SandboxCodeHost;
let token: string;
let clock = Date.now();

async function ask(path: string, options: Ask = {}): Promise<Answer> {
  const { method = 'GET', body, headers = {} } = options;
  const response = await fetch(path.startsWith('http') ? path : `${sandbox.url}${path}`, {
    method,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    headers: { authorization: `Bearer ${options.token ?? token}`, ...headers },
  });
  const raw = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(raw), raw };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

type Claims = { iss?: string; iat?: number; exp?: number };

/** What the App signs to be itself; good for nine minutes unless told otherwise. */
function assertion(claims: Claims = {}, key = sandbox.privateKey): string {
  const now = Math.floor(clock / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: sandbox.appId, iat: now - 30, exp: now + 540, ...claims })}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(key)).toString('base64url')}`;
}

beforeAll(async () => {
  const here = world([
    harbour(),
    repository({ name: 'hidden', installed: false }),
    repository({ name: 'new', commits: [] }),
  ]);
  here.organisations.push(organisation({ login: 'westmole', repositories: [repository({ name: 'locks' })] }));
  sandbox = await startSandboxCodeHost({ world: here, now: () => clock });
  token = sandbox.tokenOf(sandbox.installationId);
});
afterAll(() => sandbox.close());
afterEach(() => {
  sandbox.clearFaults();
  sandbox.setQuota(5000);
});

describe("answers, held against GitHub's own description", () => {
  const github = readGitHubDescription();
  const appPaths = [
    '/app',
    '/app/installations?per_page=100',
    '/orgs/northgate/installation',
    `${repo}/installation`,
  ];
  const paths = [
    '/installation/repositories?per_page=1&page=2',
    repo,
    '/repos/northgate/new',
    `${repo}/issues?state=all&per_page=2&page=1&sort=created&direction=asc`,
    `${repo}/issues?state=open&labels=studio`,
    `${repo}/commits/main/status?per_page=1&page=2`,
    `${repo}/commits/${main}`,
    `${repo}/commits/${main.slice(0, 8)}`,
    `${repo}/commits/${main}/pulls`,
    `${repo}/commits/${head}/pulls`,
    `${repo}/compare/${first}...main`,
    `${repo}/contents/.platform%2Fagents.yaml?ref=${main}`,
    `${repo}/contents/big.txt`,
    `${repo}/actions/runs?per_page=2&page=1&event=push&branch=main&head_sha=${main}`,
    `${repo}/actions/runs`,
    `${repo}/actions/runs/12`,
    `${repo}/check-suites/${suite}/check-runs`,
    `${repo}/check-runs/120/annotations`,
    `${repo}/pulls/5`,
    `${repo}/pulls/6`,
    `${repo}/pulls/5/comments`,
    `${repo}/pulls/5/reviews`,
    '/rate_limit',
  ];

  const check = (method: string, path: string, { status: code, body }: Answer): void => {
    expect(github.faultsOf({ method, path, status: code, body })).toEqual([]);
    const known = github.operationOf(method, path)?.query ?? [];
    expect(known).toEqual(expect.arrayContaining([...new URLSearchParams(path.split('?')[1] ?? '').keys()]));
  };

  it.each(appPaths)('GET %s, as the App', async (path) => {
    const answer = await ask(path, { token: assertion() });
    expect(answer.status).toBe(200);
    check('GET', path, answer);
  });

  it.each(paths)('GET %s, as its installation', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    check('GET', path, answer);
  });

  it('an installation, and the token it is given', async () => {
    const path = `/app/installations/${sandbox.installationId}`;
    check('GET', path, await ask(path, { token: assertion() }));
    const given = await ask(`${path}/access_tokens`, { token: assertion(), method: 'POST' });
    expect(given.status).toBe(201);
    check('POST', `${path}/access_tokens`, given);
  });

  it.each([
    [404, '/repos/northgate/nothing'],
    [404, '/repos/northgate/hidden'],
    [404, '/repos/westmole/locks'],
    [409, '/repos/northgate/new/commits/main'],
    [404, '/repos/northgate/new/commits/main/status'],
    [422, `${repo}/commits/${'0'.repeat(40)}`],
    [404, `${repo}/compare/${'0'.repeat(40)}...main`],
    [404, `${repo}/contents/none.txt`],
    [404, `${repo}/pulls/99`],
    [410, `${repo}/actions/runs/14/logs`],
    [404, `${repo}/actions/runs/13/logs`],
    [404, '/nothing/of/the/kind'],
  ])('the error %i of GET %s', async (code, path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(code);
    expect(answer.body).toMatchObject({
      message: expect.stringMatching(/\S/),
      documentation_url: expect.stringMatching(/^https:\/\/docs\.github\.com\//),
    });
    if (path.startsWith('/repos/')) check('GET', path, answer);
  });

  it('every answer of the seeded estate, read as the console reads it', async () => {
    const t = await startCodeHost({ world: seededWorld(Date.now()) });
    try {
      const own = t.sandbox.tokenOf(t.sandbox.installationId);
      for (const { name, runs, pulls } of t.sandbox.world.organisations[0]?.repositories ?? []) {
        await t.codeHost.issues(name, { state: 'open', label: 'studio', page: 1 });
        await t.codeHost.commitStatuses(name, 'main', 1);
        await t.codeHost.workflowRuns(name);
        const [newest] = runs;
        if (newest !== undefined) {
          await t.codeHost.checkRuns(name, newest.checkSuite);
          await t.codeHost.pullsOf(name, newest.sha);
        }
        if (pulls[0] !== undefined) await t.codeHost.pullComments(name, pulls[0].number);
      }
      const paths = new Set(
        t.sandbox.requests.filter(({ method }) => method === 'GET').map(({ path }) => path),
      );
      for (const path of paths) {
        if (path.startsWith('/app')) continue;
        const answer = await ask(`${t.sandbox.url}${path}`, { token: own });
        check('GET', path, answer);
      }
      expect(paths.size).toBeGreaterThan(60);
    } finally {
      await t.close();
    }
  });

  it('a near miss is not let through', async () => {
    const path = `${repo}/actions/runs/12`;
    const { body } = await ask(path);
    const near = (change: (run: Record<string, unknown>) => void): string[] => {
      const copy = structuredClone(body) as Record<string, unknown>;
      change(copy);
      return github.faultsOf({ method: 'GET', path, status: 200, body: copy });
    };
    expect(near(() => undefined)).toEqual([]);
    expect(near((copy) => delete copy.head_sha)).not.toEqual([]);
    expect(near((copy) => Object.assign(copy, { id: '12' }))).not.toEqual([]);
    expect(near((copy) => Object.assign(copy, { created_at: 'yesterday' }))).not.toEqual([]);
    expect(near((copy) => Object.assign(copy, { runAttempt: 2 }))).toEqual(['/runAttempt is not described']);
    expect(near((copy) => Object.assign(copy.repository as object, { html_url: null }))).not.toEqual([]);
    expect(github.operationOf('GET', `${repo}/actions/runs?pages=2`)?.query).not.toContain('pages');
    expect(github.faultsOf({ method: 'GET', path: '/repos/a/b/jobs', status: 200, body: {} })).not.toEqual(
      [],
    );
  });
});

describe('the App and its tokens', () => {
  const refused = async (claims: Claims, key?: string): Promise<string> => {
    const answer = await ask('/app', { token: assertion(claims, key) });
    expect(answer.status).toBe(401);
    return JSON.stringify(answer.body);
  };

  it('refuses an assertion that has expired, lives too long, is from the future or signed with another key', async () => {
    const now = Math.floor(clock / 1000);
    expect(await refused({ exp: now - 1 })).toContain('numeric value representing the future time');
    expect(await refused({ exp: now + 700 })).toContain('too far in the future');
    expect(await refused({ iat: now + 300 })).toContain('Issued at');
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    expect(await refused({}, privateKey)).toContain('could not be decoded');
    const other = await ask('/app', { token: assertion({ iss: '4711' }) });
    expect([other.status, other.body]).toEqual([
      404,
      expect.objectContaining({ message: 'Integration not found' }),
    ]);
    expect((await ask('/app', { token })).status).toBe(401);
  });

  it('gives tokens that end after an hour, by revocation and with the installation', async () => {
    const read = async (with_: string): Promise<number> =>
      (await ask('/rate_limit', { token: with_ })).status;
    const own = sandbox.tokenOf(sandbox.installationId);
    expect(await read(own)).toBe(200);
    clock += 3_599_000;
    expect(await read(own)).toBe(200);
    clock += 2000;
    expect(await read(own)).toBe(401);
    token = sandbox.tokenOf(sandbox.installationId);
    const gone = sandbox.tokenOf(sandbox.installationId);
    sandbox.revoke(gone);
    expect(await read(gone)).toBe(401);
    expect(await read('ghs_madeup')).toBe(401);
  });

  it('shows an installation its own repositories only', async () => {
    const other = sandbox.world.organisations[1];
    const theirs = sandbox.tokenOf(other?.installation.id ?? 0);
    expect(await ask('/installation/repositories', { token: theirs })).toMatchObject({
      status: 200,
      body: { total_count: 1, repositories: [{ full_name: 'westmole/locks' }] },
    });
    expect((await ask(repo, { token: theirs })).status).toBe(404);
    expect((await ask('/repos/westmole/locks', { token: theirs })).status).toBe(200);
  });

  it('refuses what the installation has no permission for, and says which', async () => {
    const installation = sandbox.world.organisations[0]?.installation;
    const { actions, ...rest } = installation?.permissions ?? {};
    Object.assign(installation ?? {}, { permissions: rest });
    const answer = await ask(`${repo}/actions/runs`);
    Object.assign(installation ?? {}, { permissions: { ...rest, actions } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-accepted-github-permissions')).toBe('actions=read');
  });
});

describe('conditional reads and the quota', () => {
  it('answers 304 for nothing while nothing changed, and anew once something did', async () => {
    const path = `${repo}/issues`;
    const before = await ask(path);
    const etag = before.headers.get('etag') ?? '';
    const again = await ask(path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.raw]).toEqual([304, '']);
    expect(again.headers.get('x-ratelimit-remaining')).toBe(before.headers.get('x-ratelimit-remaining'));
    expect(sandbox.requests.slice(-2).map(({ status: code, cost }) => [code, cost])).toEqual([
      [200, 1],
      [304, 0],
    ]);
    sandbox.world.organisations[0]?.repositories[0]?.issues.push(issue({ number: 40 }));
    const changed = await ask(path, { headers: { 'if-none-match': etag } });
    sandbox.world.organisations[0]?.repositories[0]?.issues.pop();
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('gives another token another ETag, as the code host does', async () => {
    const etag = (await ask(repo)).headers.get('etag') ?? '';
    const other = sandbox.tokenOf(sandbox.installationId);
    expect((await ask(repo, { token: other, headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('counts each read, gives the rate limit away, and refuses at zero until the hour is over', async () => {
    sandbox.setQuota(2);
    const left = async (path: string): Promise<string | null> =>
      (await ask(path)).headers.get('x-ratelimit-remaining');
    expect([await left(repo), await left('/rate_limit'), await left(repo)]).toEqual(['1', '1', '0']);
    const refused = await ask(repo);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ message: expect.stringMatching(/^API rate limit exceeded for/) });
    const reset = Number(refused.headers.get('x-ratelimit-reset')) * 1000;
    expect(reset).toBeGreaterThan(clock);
    clock = reset + 1000;
    token = sandbox.tokenOf(sandbox.installationId);
    expect(await left(repo)).toBe('4999');
  });
});

describe('lists', () => {
  it('links to the next and the last page, by the number of the repository', async () => {
    const page = await ask(`${repo}/issues?state=all&per_page=2`);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toMatch(/\/repositories\/\d+\/issues\?state=all&per_page=2&page=2$/);
    expect(page.headers.get('link')).toMatch(/page=3>; rel="last"/);
    const numbers = async (address: string): Promise<number[]> =>
      ((await ask(address)).body as { number: number }[]).map(({ number }) => number);
    expect([...(await numbers(`${repo}/issues?state=all&per_page=2`)), ...(await numbers(next))]).toEqual([
      3, 2, 6, 5,
    ]);
    const last = await ask(`${repo}/issues?state=all&per_page=2&page=3`);
    expect(last.headers.get('link')).not.toContain('rel="next"');
  });

  it('has pull requests among the issues, and only the labelled ones when asked for a label', async () => {
    const all = (await ask(`${repo}/issues?state=all`)).body as { number: number; pull_request?: object }[];
    expect(all.filter(({ pull_request }) => pull_request).map(({ number }) => number)).toEqual([6, 5]);
    const labelled = (await ask(`${repo}/issues?labels=studio,brief`)).body as { number: number }[];
    expect(labelled.map(({ number }) => number)).toEqual([2]);
  });

  it('finds the pull request of a merge and of a branch, and tells how two commits stand to each other', async () => {
    const pulls = async (sha: string): Promise<number[]> =>
      ((await ask(`${repo}/commits/${sha}/pulls`)).body as { number: number }[]).map(({ number }) => number);
    expect([await pulls(main), await pulls(head)]).toEqual([[6], [5]]);
    const stand = async (basehead: string) => (await ask(`${repo}/compare/${basehead}`)).body;
    expect(await stand(`${first}...main`)).toMatchObject({ status: 'ahead', ahead_by: 1, behind_by: 0 });
    expect(await stand(`main...${first}`)).toMatchObject({ status: 'behind', ahead_by: 0, behind_by: 1 });
    expect(await stand('main...main')).toMatchObject({ status: 'identical', ahead_by: 0 });
    expect(await stand(`${head}...main`)).toMatchObject({
      status: 'diverged',
      ahead_by: 1,
      behind_by: 1,
      merge_base_commit: { sha: first },
    });
  });
});

describe('log archives', () => {
  it('are zips behind a short-lived address that takes no token', async () => {
    const asked = await ask(`${repo}/actions/runs/12/logs`);
    expect(asked.status).toBe(302);
    const address = asked.headers.get('location') ?? '';
    expect(new URL(address).origin).not.toBe(sandbox.url);
    expect((await ask(address)).status).toBe(400);
    const archive = Buffer.from(await (await fetch(address)).arrayBuffer());
    const names: string[] = [];
    let log = '';
    const opened = await fromBufferPromise(archive);
    for await (const entry of opened.eachEntry()) {
      names.push(entry.fileName);
      if (entry.fileName === '0_review.txt') log = await text(await opened.openReadStreamPromise(entry));
    }
    expect(names).toEqual([
      '0_review.txt',
      'review/1_Set up job.txt',
      'review/2_Run actionscheckout@v5.txt',
      'review/3_Run the agent.txt',
      'review/4_Post Run actionscheckout@v5.txt',
      'review/5_Complete job.txt',
    ]);
    const lines = log.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(2500);
    expect(lines.every((line) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /.test(line))).toBe(true);
    expect(log).toContain('##[group]Run');
    expect(log).toContain('##[error]src/a.ts:3 It leaks.');
    expect(log).toContain('\u001b[36;1m');
    expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(archive)).toBe(true);
    clock += 61_000;
    expect((await fetch(address)).status).toBe(403);
  });
});

describe('faults on demand', () => {
  const counted = async (fault: Fault): Promise<Answer> => {
    sandbox.fault(fault);
    return ask(repo);
  };

  it.each([500, 502, 503] as const)(
    'an error %i, for the paths and the times that are wanted',
    async (code) => {
      sandbox.fault({ kind: 'error', status: code, path: '/issues', times: 1 });
      expect((await ask(repo)).status).toBe(200);
      expect((await ask(`${repo}/issues`)).status).toBe(code);
      expect((await ask(`${repo}/issues`)).status).toBe(200);
    },
  );

  it('a used-up quota', async () => {
    const answer = await counted({ kind: 'rate-limited' });
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('a secondary rate limit', async () => {
    const answer = await counted({ kind: 'secondary', retryAfter: 7 });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([403, '7']);
    expect(answer.body).toMatchObject({ message: expect.stringContaining('secondary rate limit') });
  });

  it('JSON that ends in its middle, with a length that fits', async () => {
    const answer = await counted({ kind: 'truncated' });
    expect(answer.status).toBe(200);
    expect(answer.raw.startsWith('{"id":')).toBe(true);
    expect(answer.body).toBeUndefined();
    expect(Number(answer.headers.get('content-length'))).toBe(answer.raw.length);
  });

  it('a body that is shorter than its length', async () => {
    await expect(counted({ kind: 'short-body' })).rejects.toThrow();
  });

  it('a request that is never answered', async () => {
    sandbox.fault({ kind: 'hang', times: 1 });
    const leaving = new AbortController();
    const asked = fetch(`${sandbox.url}${repo}`, { signal: leaving.signal });
    const before = sandbox.requests.length;
    await expect.poll(() => sandbox.requests.length).toBe(before + 1);
    expect(sandbox.requests.at(-1)).toMatchObject({ path: repo, status: 0, cost: 0 });
    leaving.abort();
    await expect(asked).rejects.toThrow();
  });

  it('an answer that comes late', async () => {
    sandbox.fault({ kind: 'slow', ms: 40, times: 1 });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
    }, 20);
    expect((await ask(repo)).status).toBe(200);
    clearTimeout(timer);
    expect(late).toBe(true);
  });

  it('an installation that was removed', async () => {
    const path = `/app/installations/${sandbox.installationId}`;
    sandbox.fault({ kind: 'revoked' });
    expect((await ask(repo)).status).toBe(401);
    expect((await ask(path, { token: assertion() })).status).toBe(404);
    expect((await ask(`${path}/access_tokens`, { token: assertion(), method: 'POST' })).status).toBe(404);
    expect((await ask('/app/installations', { token: assertion() })).body).toHaveLength(1);
  });

  it('an installation that is suspended', async () => {
    const path = `/app/installations/${sandbox.installationId}`;
    sandbox.fault({ kind: 'suspended' });
    const refused = await ask(repo);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ message: 'This installation has been suspended' }),
    ]);
    expect((await ask(path, { token: assertion() })).body).toMatchObject({
      suspended_at: expect.any(String),
    });
    expect((await ask(`${path}/access_tokens`, { token: assertion(), method: 'POST' })).status).toBe(403);
  });

  it('are set by whoever is at a terminal, and by no web page', async () => {
    const put = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
      ask('/_sandbox/faults', { method: 'PUT', body, headers });
    expect((await put('[{"kind": "error", "status": 502}]')).body).toEqual([{ kind: 'error', status: 502 }]);
    expect((await ask(repo)).status).toBe(502);
    expect((await put('[{"kind": "flood"}]')).status).toBe(422);
    expect((await put('[{"kind": "hang", "path": "("}]')).raw).toContain('must be a regular expression');
    expect((await put('[]', { origin: 'https://example.com' })).status).toBe(403);
    expect((await ask(repo)).status).toBe(502);
    expect((await put('[]')).body).toEqual([]);
    expect((await ask(repo)).status).toBe(200);
    const quota = await ask('/_sandbox/quota', { method: 'PUT', body: '{"remaining": 3}' });
    expect(quota.body).toMatchObject({ remaining: 3 });
  });
});
