import { describe, expect, it } from 'vitest';
import { type CodeHost, noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import type { Registry } from '../../../../src-main/sources/registry/index.ts';
import { commit, commitId, pull, repository, run, world } from '../../../support/code-host.ts';
import { iso, minutesAgo, reading, readingWorld } from './delivery-harness.ts';

const sha = (name: string): string => commitId('lineage', name);
const short = (name: string): string => sha(name).slice(0, 7);
const digest = `sha256:${'9b0e'.repeat(16)}`;
const image = 'registry.example/northgate/harbour';

/** A registry that has these tags, and remembers what it was asked. */
function registryOf(tags: readonly string[]): Registry & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async manifest(name, wanted) {
      asked.push(`${name} ${wanted.join(' ')}`);
      const tag = wanted.find((one) => tags.includes(one));
      return { ok: true, value: tag === undefined ? undefined : { tag, digest }, readAt: Date.now() };
    },
    close: () => undefined,
  };
}

type Given = Partial<Parameters<typeof run>[0]>;

/** A run of a review on the head of pull request 12. */
const review = (id: number, type: string, more: Given = {}) =>
  run({
    id,
    sha: sha('reviewed'),
    name: `${type[0]?.toUpperCase()}${type.slice(1)} review`,
    path: `.github/workflows/review-${type}.yml`,
    event: 'pull_request',
    branch: 'change-12',
    createdAt: minutesAgo(90),
    updatedAt: minutesAgo(80),
    ...more,
  });

const build = (id: number, name: string, more: Given = {}) =>
  run({ id, sha: sha(name), createdAt: minutesAgo(58), updatedAt: minutesAgo(50), ...more });

/** `first` was pushed; `merged` is the merge of pull request 12, whose head is `reviewed`; `open` waits in 13. */
function harbour(runs: ReturnType<typeof run>[], more: Partial<Parameters<typeof repository>[0]> = {}) {
  return repository({
    name: 'Harbour',
    commits: [
      commit({ sha: sha('first'), message: 'Start', at: minutesAgo(600) }),
      commit({ sha: sha('open'), parents: [sha('first')], message: 'Not yet', at: minutesAgo(110) }),
      commit({ sha: sha('reviewed'), parents: [sha('first')], message: 'Read tides', at: minutesAgo(100) }),
      commit({
        sha: sha('merged'),
        parents: [sha('first'), sha('reviewed')],
        message: 'Read tides by the hour (#12)\n\nBy the gauge.',
        author: 'lena',
        at: minutesAgo(60),
      }),
    ],
    pulls: [
      pull({
        number: 12,
        headSha: sha('reviewed'),
        state: 'closed',
        mergedAt: minutesAgo(60),
        mergeSha: sha('merged'),
      }),
      pull({ number: 13, headSha: sha('open') }),
    ],
    runs,
    branches: { main: sha('merged') },
    ...more,
  });
}

const wayOf = async (
  runs: ReturnType<typeof run>[],
  registry: Registry,
  more: Partial<Parameters<typeof repository>[0]> = {},
) => {
  const { read, sandbox } = await readingWorld(world([harbour(runs, more)]), { registry });
  const answer = await read('delivery.lineage');
  const [only] = answer.images;
  if (only === undefined || answer.images.length > 1)
    throw new Error(`${answer.images.length} images: ${JSON.stringify(answer)}`);
  return { ...only, answer, sandbox, step: Object.fromEntries(only.steps.map((one) => [one.step, one])) };
};

const states = ({ steps }: { steps: readonly { step: string; state: string }[] }): string =>
  steps.map(({ state }) => state).join(' ');

describe('the way of an image', () => {
  it('is told from merge to registry, with what stands for each step (CON-091)', async () => {
    const registry = registryOf([sha('merged')]);
    const way = await wayOf([review(1, 'security'), review(2, 'quality'), build(3, 'merged')], registry);
    expect(way).toMatchObject({
      image,
      repo: 'Harbour',
      tag: sha('merged'),
      digest,
      sha: sha('merged'),
      title: 'Read tides by the hour (#12)',
      author: 'lena',
      where: 'In the registry; rollout not read',
    });
    expect(states(way)).toBe('done done done done not_read not_read');
    expect(way.step.merged).toMatchObject({ done: true, ref: '#12', at: iso(minutesAgo(60)) });
    expect(way.step.agents?.parts?.map(({ name, state, ref }) => [name, state, ref])).toEqual([
      ['Quality review', 'done', '2'],
      ['Security review', 'done', '1'],
    ]);
    expect(way.step.built).toMatchObject({ done: true, ref: '3', at: iso(minutesAgo(50)) });
    expect(way.step.registry).toMatchObject({ done: true, ref: digest });
    for (const name of ['rolled', 'running']) {
      expect(way.step[name]).not.toHaveProperty('done');
      expect(way.step[name]?.detail).toBe('no cluster is attached');
    }
    expect(registry.asked).toEqual([`${image} ${sha('merged')} sha-${short('merged')}`]);
    expect(way.answer).toMatchObject({
      source: 'github',
      complete: false,
      unmeasured: ['Rollout and running pods were not read: no cluster is attached.'],
    });
  });

  it('costs two reads of the code host for an image beside the runs', async () => {
    const { sandbox } = await wayOf(
      [review(1, 'security'), build(3, 'merged')],
      registryOf([`sha-${short('merged')}`]),
    );
    const asked = sandbox.requests
      .map(({ path }) => path.split('?', 1)[0])
      .filter((path) => path?.includes('/repos/'));
    expect(asked).toEqual([
      '/repos/northgate/Harbour/actions/runs',
      '/repos/northgate/Harbour/commits/main',
      `/repos/northgate/Harbour/commits/${sha('merged')}/pulls`,
    ]);
  });

  it('asks for the runs on a commit that the newest runs do not reach back to', async () => {
    const later = Array.from({ length: 100 }, (_, index) =>
      build(1000 + index, 'first', {
        event: 'workflow_dispatch',
        createdAt: minutesAgo(20),
        name: 'Nightly',
      }),
    );
    const { step } = await wayOf(
      [...later, build(3, 'merged', { createdAt: minutesAgo(59) }), review(1, 'security')],
      registryOf([]),
    );
    expect(step.built).toMatchObject({ state: 'done', ref: '3' });
    expect(step.agents).toMatchObject({ state: 'done', ref: '1' });
  });

  it('stops at the review that failed', async () => {
    const way = await wayOf(
      [review(1, 'security', { conclusion: 'failure' }), review(2, 'quality'), build(9, 'first')],
      registryOf([]),
    );
    expect(states(way)).toBe('done failed not_reached not_reached not_reached not_reached');
    expect(way.where).toBe('Stopped at security review');
    expect(way.step.agents).toMatchObject({ done: false, detail: 'Security review failed', ref: '1' });
  });

  it('takes the last of several runs of one review', async () => {
    const way = await wayOf(
      [
        review(1, 'security', { conclusion: 'failure', createdAt: minutesAgo(95) }),
        review(2, 'security', { createdAt: minutesAgo(85) }),
        build(3, 'merged'),
      ],
      registryOf([]),
    );
    expect(way.step.agents).toMatchObject({ state: 'done', parts: [{ ref: '2', state: 'done' }] });
  });

  it('says that no agent saw what was pushed without a pull request', async () => {
    const way = await wayOf([build(3, 'merged')], registryOf([sha('merged')]), { pulls: [] });
    expect(way.step.merged).toMatchObject({ state: 'done', ref: short('merged') });
    expect(way.step.agents).toMatchObject({
      state: 'not_reached',
      done: false,
      detail: 'it has no pull request: no agent saw it',
    });
    // It went on all the same, and that is where it is.
    expect(way.where).toBe('In the registry; rollout not read');
  });

  it('moves while agents or the build run', async () => {
    const moving = { status: 'in_progress', conclusion: null } as const;
    const reviewed = await wayOf([review(1, 'security', moving), build(9, 'first')], registryOf([]));
    expect(states(reviewed)).toBe('done moving not_reached not_reached not_reached not_reached');
    expect(reviewed.where).toBe('Merged, agents are looking at it');
    const built = await wayOf([review(1, 'security'), build(3, 'merged', moving)], registryOf([]));
    expect(states(built)).toBe('done done moving not_reached not_reached not_reached');
    expect(built.where).toBe('Merged, being built');
    expect(built.step.registry?.detail).toBe('it is being built');
  });

  it('stops at a build that failed, unless the registry has its image all the same', async () => {
    const failed = [build(3, 'merged', { conclusion: 'failure' })];
    const way = await wayOf(failed, registryOf([]));
    expect(states(way)).toBe('done not_reached failed not_reached not_reached not_reached');
    expect(way.where).toBe('Stopped at the build');
    const pushed = await wayOf(failed, registryOf([sha('merged')]));
    expect(states(pushed)).toBe('done not_reached failed done not_read not_read');
  });

  it('of several workflows the one that failed decides, and each is a part', async () => {
    const way = await wayOf(
      [
        build(3, 'merged'),
        build(4, 'merged', { name: 'Sign', path: '.github/workflows/sign.yml', conclusion: 'cancelled' }),
      ],
      registryOf([]),
    );
    expect(way.step.built).toMatchObject({ state: 'failed', ref: '4', detail: 'Sign was cancelled' });
    expect(way.step.built?.parts?.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
      'Build done',
      'Sign failed',
    ]);
  });

  it('is missing in the registry long after the build, and on its way shortly after', async () => {
    const missing = await wayOf([build(3, 'merged')], registryOf([]));
    expect(missing.step.registry).toMatchObject({
      state: 'failed',
      done: false,
      detail: `the registry has no image with the tag ${sha('merged')} or sha-${short('merged')}, although the build passed`,
    });
    expect(states(missing)).toBe('done not_reached done failed not_reached not_reached');
    expect(missing.where).toBe('Built, not in the registry');
    const soon = await wayOf([build(3, 'merged', { updatedAt: minutesAgo(1) })], registryOf([]));
    expect(soon.step.registry?.state).toBe('moving');
    expect(soon.where).toBe('Built, on its way to the registry');
  });

  it('was not read in a registry that does not answer, and says why', async () => {
    const registry: Registry = {
      manifest: async () => ({ ok: false, reason: 'the registry answered 503' }),
      close: () => undefined,
    };
    const way = await wayOf([build(3, 'merged')], registry);
    expect(way.step.registry).not.toHaveProperty('done');
    expect(way.where).toBe('Built; registry not read');
    expect(way.answer.unmeasured).toContain(
      'The registry was not read for Harbour: the registry answered 503.',
    );
  });

  it('leaves agents unread when the pull requests were not read', async () => {
    const { read, sandbox } = await readingWorld(world([harbour([build(3, 'merged')])]), {
      registry: registryOf([]),
    });
    sandbox.fault({ kind: 'error', status: 500, path: '/pulls' });
    const { images, unmeasured } = await read('delivery.lineage');
    const agents = images[0]?.steps.find(({ step }) => step === 'agents');
    expect(agents).toMatchObject({ state: 'not_read' });
    expect(agents).not.toHaveProperty('done');
    expect(unmeasured).toContainEqual(
      expect.stringMatching(/^Pull requests were not read for Harbour: .*500/),
    );
  });

  it('is of repositories that deliver only, and of the one that is named', async () => {
    const quay = repository({ name: 'quay', runs: [run({ id: 70, sha: commitId('quay') })] });
    const docs = repository({ name: 'docs' });
    const { read } = await readingWorld(world([harbour([build(3, 'merged')]), quay, docs]), {
      registry: registryOf([]),
    });
    const all = await read('delivery.lineage');
    expect(all.images.map(({ repo }) => repo).sort()).toEqual(['Harbour', 'quay']);
    const one = await read('delivery.lineage', '?repo=quay');
    expect(one.images.map(({ repo }) => repo)).toEqual(['quay']);
    expect((await read('delivery.lineage', '?repo=nowhere')).unmeasured).toContainEqual(
      expect.stringContaining('nowhere was not read'),
    );
  });

  it('is unavailable, with the reason, on a console without a code host', async () => {
    const { read } = await reading(noCodeHost);
    for (const query of ['', `?sha=${sha('merged')}`]) {
      const answer = await read('delivery.lineage', query);
      expect(answer).toMatchObject({ images: [], source: 'unavailable', complete: false });
      expect(answer.unmeasured).toEqual([expect.stringContaining('CONSOLE_GITHUB_APP_ID')]);
    }
  });
});

describe('did this commit ship (CON-091)', () => {
  const shipped = async (
    query: string,
    runs: ReturnType<typeof run>[],
    tags: readonly string[],
    more: Partial<Parameters<typeof repository>[0]> = {},
  ) => {
    const registry = registryOf(tags);
    const { read } = await readingWorld(world([harbour(runs, more)]), { registry });
    return { ...(await read('delivery.lineage', `?sha=${query}`)), registry };
  };

  it('is unknown for one in the registry while no cluster is attached', async () => {
    const answer = await shipped(sha('merged'), [build(3, 'merged')], [sha('merged')]);
    expect(answer).toMatchObject({
      sha: sha('merged'),
      shipped: 'unknown',
      stopped_at: 'rolled',
      answer: 'It is in the registry as 9b0e9b0e9b0e; whether it runs was not read: no cluster is attached.',
    });
  });

  it('finds a commit by its first seven characters, in any case', async () => {
    const answer = await shipped(short('merged').toUpperCase(), [build(3, 'merged')], [sha('merged')]);
    expect(answer).toMatchObject({ sha: sha('merged'), stopped_at: 'rolled' });
  });

  it('follows an older commit in the image of a later one that has it', async () => {
    const answer = await shipped(sha('first'), [build(3, 'merged')], [sha('merged')]);
    expect(answer.images[0]).toMatchObject({ sha: sha('first'), tag: sha('merged') });
    expect(answer.images[0]?.steps.find(({ step }) => step === 'built')).toMatchObject({
      state: 'done',
      detail: `built as part of ${short('merged')}`,
    });
    expect(answer).toMatchObject({ shipped: 'unknown', stopped_at: 'rolled' });
    expect(answer.registry.asked).toEqual([`${image} ${sha('merged')} sha-${short('merged')}`]);
  });

  it('does not take the image of an earlier commit for it', async () => {
    const answer = await shipped(
      sha('merged'),
      [build(4, 'merged', { conclusion: 'failure' }), build(3, 'first', { createdAt: minutesAgo(500) })],
      [sha('first')],
    );
    expect(answer).toMatchObject({
      shipped: 'no',
      stopped_at: 'built',
      answer: `${short('merged')} of Harbour did not ship: Build failed, and the registry has no image of it.`,
    });
  });

  it('is no for one that the default branch does not have, and says where it waits', async () => {
    const answer = await shipped(sha('open'), [build(3, 'merged')], [sha('merged')]);
    expect(answer).toMatchObject({
      shipped: 'no',
      stopped_at: 'merged',
      answer: `${short('open')} of Harbour did not ship: pull request #13 is open.`,
    });
    expect(answer.images[0]).toMatchObject({ where: 'In review, not merged' });
  });

  it('follows one whose pull request was squashed or rebased to the commit it became', async () => {
    const commits = [
      commit({ sha: sha('first'), at: minutesAgo(600) }),
      commit({ sha: sha('reviewed'), parents: [sha('first')], at: minutesAgo(100) }),
      commit({ sha: sha('merged'), parents: [sha('first')], at: minutesAgo(60) }),
    ];
    const answer = await shipped(sha('reviewed'), [build(3, 'merged')], [sha('merged')], { commits });
    expect(answer).toMatchObject({
      sha: sha('reviewed'),
      shipped: 'unknown',
      stopped_at: 'rolled',
      images: [{ sha: sha('merged'), tag: sha('merged') }],
    });
    expect(answer.answer).toMatch(
      new RegExp(`^${short('reviewed')} was merged as ${short('merged')}\\. It is in the registry as `),
    );
  });

  it('is unknown for a commit that no repository has', async () => {
    const answer = await shipped('0123456789abcdef', [build(3, 'merged')], [sha('merged')]);
    expect(answer).toMatchObject({ shipped: 'unknown', images: [], complete: true });
    expect(answer.answer).toBe(
      'No repository that was read has a commit 0123456; 1 repository was asked for it.',
    );
  });

  it('is unknown when the build failed and the registry was not read', async () => {
    const { read } = await readingWorld(world([harbour([build(3, 'merged', { conclusion: 'failure' })])]));
    expect(await read('delivery.lineage', `?sha=${sha('merged')}`)).toMatchObject({
      shipped: 'unknown',
      stopped_at: 'built',
    });
  });

  it('is unknown when the default branch could not be compared', async () => {
    const { read, sandbox } = await readingWorld(world([harbour([build(3, 'merged')])]), {
      registry: registryOf([]),
    });
    sandbox.fault({ kind: 'error', status: 502, path: '/compare/' });
    const answer = await read('delivery.lineage', `?sha=${sha('open')}`);
    expect(answer).toMatchObject({ shipped: 'unknown', stopped_at: 'merged' });
    expect(answer.images[0]?.steps[0]).not.toHaveProperty('done');
  });

  /** Knows these commits in these repositories; asking others ends as it is told. */
  const knowing = (repos: Readonly<Record<string, string | undefined>>): CodeHost => ({
    ...noCodeHost,
    installation: async () => ({
      ok: true,
      cached: false,
      readAt: Date.now(),
      value: {
        id: 1,
        org: 'Northgate',
        app: { id: 1, slug: 'console' },
        repositories: 'all',
        permissions: {},
      },
    }),
    repositories: async () => ({
      ok: true,
      cached: false,
      readAt: Date.now(),
      value: {
        truncated: false,
        total: Object.keys(repos).length,
        items: Object.keys(repos).map((name, index) => ({
          name,
          description: '',
          htmlUrl: `https://code.example/northgate/${name}`,
          updatedAt: iso(minutesAgo(index)),
          pushedAt: iso(minutesAgo(index)),
          defaultBranch: 'main',
          topics: [],
          archived: false,
          empty: false,
        })),
      },
    }),
    workflowRuns: async () => ({
      ok: true,
      cached: false,
      readAt: Date.now(),
      value: { items: [], more: false },
    }),
    pullsOf: async () => ({ ok: true, cached: false, readAt: Date.now(), value: [] }),
    async commit(repo, ref) {
      const known = repos[repo];
      if (known === 'away') return { ok: false, kind: 'unavailable', reason: 'the code host answered 502' };
      if (known === undefined || !(known.startsWith(ref) || ref === 'main'))
        return { ok: false, kind: 'not-found', reason: 'the code host does not have it' };
      const url = `https://code.example/northgate/${repo}/commit/${known}`;
      const value = { sha: known, message: 'Change', author: 'mira', at: iso(minutesAgo(9)), htmlUrl: url };
      return { ok: true, cached: false, readAt: Date.now(), value };
    },
  });

  it('is unknown for a commit that nobody has, and complete when all were asked', async () => {
    const { read } = await reading(knowing({ harbour: sha('a'), quay: undefined }));
    expect(await read('delivery.lineage', `?sha=${sha('nobody')}`)).toMatchObject({
      sha: sha('nobody'),
      shipped: 'unknown',
      answer: `No repository that was read has a commit ${short('nobody')}; 2 repositories were asked for it.`,
      images: [],
      complete: true,
      unmeasured: [],
    });
  });

  it('is incomplete when one that may have it did not answer', async () => {
    const { read } = await reading(knowing({ harbour: 'away', quay: undefined }));
    const answer = await read('delivery.lineage', `?sha=${sha('nobody')}`);
    expect(answer).toMatchObject({ shipped: 'unknown', complete: false });
    expect(answer.answer).toContain('1 repository was asked for it');
    expect(answer.unmeasured).toContain(
      'The commit was not looked for in harbour: the code host answered 502.',
    );
  });

  it('asks twenty repositories, names how many it left out, and any other by name', async () => {
    const repos = Object.fromEntries(
      Array.from({ length: 23 }, (_, index) => [`repo-${index}`, index === 22 ? sha('last') : undefined]),
    );
    const { read } = await reading(knowing(repos));
    const answer = await read('delivery.lineage', `?sha=${sha('last')}`);
    expect(answer).toMatchObject({ shipped: 'unknown', complete: false, images: [] });
    expect(answer.unmeasured).toContainEqual(
      expect.stringMatching(/^The commit was not looked for in 3 repositories/),
    );
    const named = await read('delivery.lineage', `?sha=${sha('last')}&repo=repo-22`);
    expect(named.images.map(({ repo }) => repo)).toEqual(['repo-22']);
  });

  it('asks which is meant when several repositories have a commit of that name', async () => {
    const { read } = await reading(knowing({ harbour: sha('same'), fork: sha('same') }));
    const answer = await read('delivery.lineage', `?sha=${short('same')}`);
    expect(answer.images.map(({ repo }) => repo)).toEqual(['harbour', 'fork']);
    expect(answer.answer).toBe(
      `2 repositories have a commit ${short('same')} (harbour, fork): choose one by name.`,
    );
  });

  it('does not take a branch of that name for the commit', async () => {
    const host: CodeHost = {
      ...knowing({ harbour: sha('head') }),
      async commit(repo) {
        return knowing({ harbour: sha('head') }).commit(repo, 'main');
      },
    };
    const { read } = await reading(host);
    expect(await read('delivery.lineage', '?sha=deadbee')).toMatchObject({ shipped: 'unknown', images: [] });
  });

  it('refuses what is no commit id, naming it', async () => {
    const { read } = await reading(noCodeHost);
    await expect(read('delivery.lineage', '?sha=main')).rejects.toThrow(/400.*commit id/);
  });
});
