import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import type { AgentTables } from '../../../../src-main/features/agents/index.ts';
import { recentRuns } from '../../../../src-main/features/runs/index.ts';
import { jobRuns } from '../../../../src-main/features/runs/job-runs.ts';
import { runList } from '../../../../src-main/features/runs/run-list.ts';
import { noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { type CodeHost, noCodeHost, type WorkflowRun } from '../../../../src-main/sources/code-host/index.ts';
import { StoreError } from '../../../../src-main/store/index.ts';

const now = (): number => Date.UTC(2026, 10, 21, 12);

const run: WorkflowRun = {
  id: 1,
  repo: 'harbour',
  name: 'Build',
  title: 'Add a berth',
  path: '.github/workflows/build.yml',
  family: 'other',
  reviewType: undefined,
  event: 'push',
  branch: 'main',
  sha: 'a'.repeat(40),
  state: 'success',
  detail: undefined,
  attempt: 1,
  createdAt: '2026-11-21T11:00:00Z',
  startedAt: '2026-11-21T11:00:00Z',
  updatedAt: '2026-11-21T11:04:00Z',
  htmlUrl: 'https://code.example/northgate/harbour/actions/runs/1',
  actor: 'mira',
  pullRequests: [],
  checkSuite: 1,
  committedAt: undefined,
};

const repositoryNamed = (name: string) => ({
  name,
  description: '',
  htmlUrl: `https://code.example/northgate/${name}`,
  updatedAt: '2026-11-21T11:00:00Z',
  pushedAt: '2026-11-21T11:00:00Z',
  defaultBranch: 'main',
  topics: [],
  archived: false,
  empty: false,
});

/** A code host with these repositories; each answers its runs as given. */
function codeHostOf(names: readonly string[], workflowRuns: CodeHost['workflowRuns']): CodeHost {
  return {
    ...noCodeHost,
    repositories: async () => ({
      ok: true,
      value: { items: names.map(repositoryNamed), truncated: false, total: names.length },
      readAt: now(),
      cached: false,
    }),
    workflowRuns,
  };
}

/** A store whose every query meets this. */
function brokenStore(error: Error): Kysely<AgentTables> {
  class Broken extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      const fail = (): never => {
        throw error;
      };
      return { executeQuery: async () => fail(), streamQuery: fail };
    }
  }
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new Broken(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

describe('the list of runs while the store is in trouble', () => {
  const codeHost = codeHostOf(['harbour'], async () => ({
    ok: true,
    value: { items: [run], more: false },
    readAt: now(),
    cached: false,
  }));
  const query = { kind: undefined, workflows: 'all' } as const;
  const noJobs = () => jobRuns({ id: undefined, cluster: noCluster(now) }, now);

  it('shows the runs of the code host, and the words of the trouble', async () => {
    const broken = brokenStore(
      new StoreError('The database x is away.', { publicMessage: 'The database does not answer.' }),
    );
    const db = () => broken;
    expect(await runList({ codeHost, db, now }, query, noJobs)).toMatchObject({
      items: [{ id: 'workflow:harbour:1', started: '2026-11-21T11:00:00.000Z', took_seconds: 240 }],
      source: 'github',
      complete: false,
      unmeasured: [
        'Reported runs were not read. The database does not answer.',
        expect.stringContaining('CronJobs'),
      ],
    });
    expect(await runList({ codeHost: noCodeHost, db, now }, query, noJobs)).toMatchObject({
      items: [],
      source: 'unavailable',
    });
  });

  it('does not take a mistake of ours for trouble of the store', async () => {
    const broken = brokenStore(new TypeError('no such column'));
    const db = () => broken;
    await expect(runList({ codeHost, db, now }, query, noJobs)).rejects.toThrow('no such column');
  });
});

describe('the newest runs of the repositories', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('are told in one order of sentences, whichever answer comes first', async () => {
    const told = async (last: string): Promise<readonly string[]> => {
      const waiting: (() => void)[] = [];
      const codeHost = codeHostOf(names, async (repo) => {
        if (repo === last) {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        } else if (repo === 'f') for (const go of waiting) go();
        return { ok: false, kind: 'unavailable', reason: repo < 'd' ? 'it answered 502' : 'it answered 503' };
      });
      return (await recentRuns(codeHost, now)).unmeasured;
    };
    const expected = [
      'Runs of a, b and c were not read: it answered 502.',
      'Runs of d, e and f were not read: it answered 503.',
    ];
    expect(await told('a')).toEqual(expected);
    expect(await told('c')).toEqual(expected);
  });

  it('are as old as the oldest of their reads, and say when an older answer had to serve', async () => {
    const codeHost = codeHostOf(['a', 'b'], async (repo) => ({
      ok: true,
      value: { items: [], more: false },
      readAt: repo === 'a' ? now() - 60_000 : now(),
      cached: true,
      ...(repo === 'a' ? { stale: 'the code host answered 502' } : {}),
    }));
    expect(await recentRuns(codeHost, now)).toMatchObject({
      source: 'github',
      complete: false,
      readAt: now() - 60_000,
      unmeasured: ['Runs of a are older ones: the code host answered 502.'],
    });
  });

  it('of an installation without repositories are none, and that is all of them', async () => {
    const codeHost = codeHostOf([], async () => ({ ok: false, kind: 'unavailable', reason: 'not asked' }));
    expect(await recentRuns(codeHost, now)).toMatchObject({ source: 'github', complete: true, repos: [] });
  });
});
