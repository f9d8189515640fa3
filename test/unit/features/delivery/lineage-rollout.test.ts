import { describe, expect, it } from 'vitest';
import type { LineageStep } from '#shared/api/delivery.ts';
import { lineage, lineageOfCommit } from '../../../../src-main/features/delivery/lineage.ts';
import type { ImageAsked, ReadRollout } from '../../../../src-main/features/delivery/rollout.ts';
import { type CodeHost, noCodeHost, type WorkflowRun } from '../../../../src-main/sources/code-host/index.ts';

const now = Date.UTC(2026, 10, 21, 12);
const at = new Date(now - 3_600_000).toISOString();
const sha = 'a1b2c3d'.padEnd(40, '0');
const digest = `sha256:${'9'.repeat(64)}`;
const page = 'https://code.example/northgate/harbour';

const build: WorkflowRun = {
  id: 1,
  repo: 'harbour',
  name: 'Build',
  title: 'Change',
  path: '.github/workflows/build.yml',
  family: 'other',
  reviewType: undefined,
  event: 'push',
  branch: 'main',
  sha,
  state: 'success',
  detail: undefined,
  attempt: 1,
  createdAt: at,
  startedAt: at,
  updatedAt: at,
  htmlUrl: `${page}/actions/runs/1`,
  actor: 'mira',
  pullRequests: [],
  checkSuite: undefined,
  committedAt: at,
};

const got = <T>(value: T) => ({ ok: true as const, value, readAt: now, cached: false });

const codeHost: CodeHost = {
  ...noCodeHost,
  installation: async () =>
    got({
      id: 1,
      org: 'Northgate',
      app: { id: 1, slug: 'console' },
      repositories: 'all' as const,
      permissions: {},
    }),
  repositories: async () =>
    got({
      truncated: false,
      total: 1,
      items: [
        {
          name: 'harbour',
          description: '',
          htmlUrl: page,
          updatedAt: at,
          pushedAt: at,
          defaultBranch: 'main',
          topics: [],
          archived: false,
          empty: false,
        },
      ],
    }),
  workflowRuns: async () => got({ items: [build], more: false }),
  pullsOf: async () => got([]),
  commit: async () => got({ sha, message: 'Change', author: 'mira', at, htmlUrl: `${page}/commit/${sha}` }),
};

/** Lineage with a cluster that answers so. */
function partsWith(rollout: ReadRollout, inRegistry = true) {
  return {
    codeHost,
    registryHost: 'registry.example',
    rollout,
    now: () => now,
    registry: {
      manifest: async () =>
        ({ ok: true, value: inRegistry ? { tag: sha, digest } : undefined, readAt: now }) as const,
      close: () => undefined,
    },
  };
}

const step = (name: 'rolled' | 'running', state: LineageStep['state'], detail: string): LineageStep => ({
  step: name,
  state,
  detail,
  ...(state === 'not_read' ? {} : { done: state === 'done' }),
});

describe('the cluster in the lineage', () => {
  it('is asked for the image, and a commit that runs has shipped', async () => {
    const asked: ImageAsked[] = [];
    const parts = partsWith(async (image) => {
      asked.push(image);
      return { rolled: step('rolled', 'done', 'rolled out'), running: step('running', 'done', '2 pods') };
    });
    expect(await lineageOfCommit(parts, sha, undefined)).toMatchObject({
      shipped: 'yes',
      answer: 'a1b2c3d of harbour shipped: it runs.',
      images: [{ where: 'Running' }],
      complete: true,
      unmeasured: [],
    });
    expect(asked).toEqual([
      { image: 'registry.example/northgate/harbour', repo: 'harbour', sha, tag: sha, digest },
    ]);
    expect(await lineageOfCommit(parts, sha, undefined)).not.toHaveProperty('stopped_at');
  });

  it('says where it stopped when it is rolled out and does not run', async () => {
    const parts = partsWith(async () => ({
      rolled: step('rolled', 'done', 'rolled out'),
      running: step('running', 'failed', 'its pods do not start'),
    }));
    expect(await lineageOfCommit(parts, sha, undefined)).toMatchObject({
      shipped: 'unknown',
      stopped_at: 'running',
      answer: 'It was rolled out; its pods do not start.',
    });
  });

  it('is not asked about what never came to the registry', async () => {
    const parts = partsWith(() => Promise.reject(new Error('asked')), false);
    const { images } = await lineage(parts, undefined);
    expect(images[0]?.steps.slice(3).map(({ state }) => state)).toEqual([
      'failed',
      'not_reached',
      'not_reached',
    ]);
  });
});
