import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { consoleMigrations } from '../../../../src-main/console/tables.ts';
import { startRecorder } from '../../../../src-main/features/delivery/recorder.ts';
import type { DeliveryTables } from '../../../../src-main/features/delivery/store.ts';
import { type CodeHost, noCodeHost, type WorkflowRun } from '../../../../src-main/sources/code-host/index.ts';
import { openStore, type Store } from '../../../../src-main/store/index.ts';

const now = Date.UTC(2026, 10, 21, 12);
const iso = (ms: number): string => new Date(ms).toISOString();
const day = 86_400_000;

const workflowRun = (id: number, endedAt: number): WorkflowRun => ({
  id,
  repo: 'harbour',
  name: 'Build',
  title: 'Build',
  path: '.github/workflows/build.yml',
  family: 'other',
  reviewType: undefined,
  event: 'push',
  branch: 'main',
  sha: 'a'.repeat(40),
  state: 'success',
  detail: undefined,
  attempt: 1,
  createdAt: iso(endedAt - 60_000),
  startedAt: iso(endedAt - 60_000),
  updatedAt: iso(endedAt),
  htmlUrl: 'https://code.example/northgate/harbour/actions/runs/1',
  actor: 'mira',
  pullRequests: [],
  checkSuite: undefined,
  committedAt: undefined,
});

/** A code host with one repository, whose runs are what the test says at each read. */
function hostOf(runs: () => readonly WorkflowRun[] | Promise<readonly WorkflowRun[]>): CodeHost {
  const repository = {
    name: 'harbour',
    description: '',
    htmlUrl: 'https://code.example/northgate/harbour',
    updatedAt: iso(now),
    pushedAt: iso(now),
    defaultBranch: 'main',
    topics: [],
    archived: false,
    empty: false,
  };
  return {
    ...noCodeHost,
    installation: async () => ({
      ok: true,
      cached: true,
      readAt: now,
      value: {
        id: 1,
        org: 'northgate',
        app: { id: 1, slug: 'console' },
        repositories: 'all',
        permissions: {},
      },
    }),
    repositories: async () => ({
      ok: true,
      cached: false,
      readAt: now,
      value: { items: [repository], truncated: false, total: 1 },
    }),
    workflowRuns: async () => ({
      ok: true,
      cached: false,
      readAt: now,
      value: { items: await runs(), more: false },
    }),
  };
}

let store: Store<DeliveryTables>;
beforeEach(async () => {
  store = await openStore<DeliveryTables>({
    location: { kind: 'sqlite', file: ':memory:', encryption: 'none' },
    migrations: consoleMigrations,
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

const recorded = async (): Promise<number[]> =>
  (await store.db.selectFrom('run_outcomes').select('run_id').orderBy('run_id').execute()).map(
    ({ run_id }) => run_id,
  );

describe('the recorder', () => {
  it('records half a minute after the start, and every ten minutes from then on', async () => {
    const runs: WorkflowRun[] = [workflowRun(1, now - 1000)];
    const recorder = startRecorder({
      codeHost: hostOf(() => runs),
      db: () => store.db,
      now: () => now,
      log: { debug: () => undefined },
    });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(await recorded()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(async () => expect(await recorded()).toEqual([1]));
    runs.push(workflowRun(2, now - 500));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await vi.waitFor(async () => expect(await recorded()).toEqual([1, 2]));
    await recorder.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes away what ended more than 400 days ago, and does not bring it back', async () => {
    const times = [now - 401 * day, now - 399 * day];
    let clock = now - 30 * day;
    const recorder = startRecorder({
      codeHost: hostOf(() => times.map((at, index) => workflowRun(index + 1, at))),
      db: () => store.db,
      now: () => clock,
      log: { debug: () => undefined },
    });
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(async () => expect(await recorded()).toEqual([1, 2]));
    clock = now;
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await vi.waitFor(async () => expect(await recorded()).toEqual([2]));
    await recorder.close();
  });

  it('says in the log that it could not write, and goes on', async () => {
    const told: string[] = [];
    const recorder = startRecorder({
      codeHost: hostOf(() => [workflowRun(1, now - 1000)]),
      db: () => store.db,
      now: () => now,
      log: { debug: (_fields, message) => told.push(message) },
    });
    await store.db.schema.dropTable('run_series').execute();
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(() => expect(told).toEqual(['the outcomes of workflow runs were not recorded']));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await recorder.close();
  });

  it('writes nothing that is read only after it was closed', async () => {
    const answered = Promise.withResolvers<readonly WorkflowRun[]>();
    const asked = Promise.withResolvers<void>();
    const recorder = startRecorder({
      codeHost: hostOf(() => {
        asked.resolve();
        return answered.promise;
      }),
      db: () => store.db,
      now: () => now,
      log: { debug: () => undefined },
    });
    await vi.advanceTimersByTimeAsync(30_000);
    await asked.promise;
    await recorder.close();
    answered.resolve([workflowRun(1, now - 1000)]);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(await recorded()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
