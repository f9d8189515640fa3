import { describe, expect, it } from 'vitest';
import { recordOutcomes } from '../../../../src-main/features/delivery/record-outcomes.ts';
import { noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { commit, commitId, repository, run, world } from '../../../support/code-host.ts';
import { dialects } from '../../../support/databases.ts';
import { iso, minutesAgo, type Reader, reading, readingWorld, whenOver } from './delivery-harness.ts';

const sha = (name: string): string => commitId('devex', name);
const dayMinutes = 24 * 60;

/** A delivery that was committed ten minutes before it ended, so many days ago. */
const delivery = (id: number, daysAgo: number, more: Partial<Parameters<typeof run>[0]> = {}) => {
  const ended = daysAgo * dayMinutes + 1;
  return run({
    id,
    sha: sha(String(id)),
    createdAt: minutesAgo(ended + 6),
    startedAt: minutesAgo(ended + 5),
    updatedAt: minutesAgo(ended),
    ...more,
  });
};

/** The repository with these runs, each on a commit of its own made ten minutes before its end. */
const harbour = (runs: ReturnType<typeof run>[], name = 'harbour') =>
  repository({
    name,
    runs,
    commits: [...new Map(runs.map((one) => [one.sha, one.updatedAt - 600_000]))].map(([id, at]) =>
      commit({ sha: id, at }),
    ),
  });

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  const newPlace = async () => {
    const { place, remove } = await dialect.place();
    whenOver(remove);
    return place;
  };
  const rowsOf = ({ console_ }: Reader) =>
    console_.store.db
      .selectFrom('run_outcomes')
      .selectAll()
      .orderBy('repo')
      .orderBy('run_id')
      .orderBy('attempt')
      .execute();

  describe.skipIf(dialect.missing !== undefined)(`the run-outcome series on ${dialect.name}${why}`, () => {
    it('holds every run that ended, with what the indicators need, and none that runs', async () => {
      const reader = await readingWorld(
        world([
          harbour([
            delivery(1, 1),
            delivery(2, 2, { conclusion: 'timed_out', path: '.github/workflows/deploy.yml' }),
            delivery(3, 0, { status: 'in_progress', conclusion: null }),
            delivery(4, 3, { event: 'pull_request', branch: 'topic', conclusion: 'cancelled' }),
          ]),
        ]),
        { place: await newPlace() },
      );
      await reader.read('delivery.devex');
      expect(await rowsOf(reader)).toEqual([
        {
          org: 'northgate',
          repo: 'harbour',
          run_id: 1,
          attempt: 1,
          workflow: '.github/workflows/build.yml',
          event: 'push',
          branch: 'main',
          on_default: 1,
          sha: sha('1'),
          state: 'success',
          started_at: minutesAgo(dayMinutes + 6),
          ended_at: minutesAgo(dayMinutes + 1),
          committed_at: minutesAgo(dayMinutes + 11),
        },
        expect.objectContaining({ run_id: 2, state: 'failure', workflow: '.github/workflows/deploy.yml' }),
        expect.objectContaining({ run_id: 4, state: 'cancelled', branch: 'topic', on_default: 0 }),
      ]);
    });

    it('is the same however often it is read, and keeps attempt 1 beside attempt 2', async () => {
      const given = world([harbour([delivery(1, 0, { conclusion: 'failure' })])]);
      const reader = await readingWorld(given, { place: await newPlace() });
      await reader.read('delivery.devex');
      await reader.read('delivery.devex');
      const [first] = await rowsOf(reader);
      given.organisations[0]?.repositories[0]?.runs.splice(0, 1, delivery(1, 0, { attempt: 2 }));
      // What was read a moment ago is not read again.
      reader.advance(60_000);
      await reader.read('delivery.devex');
      expect((await rowsOf(reader)).map(({ attempt, state }) => [attempt, state])).toEqual([
        [1, 'failure'],
        [2, 'success'],
      ]);
      expect((await rowsOf(reader))[0]).toEqual(first);
    });

    it('is written by several consoles at once without doubles or deadlock', async () => {
      const place = await newPlace();
      const runs = Array.from({ length: 90 }, (_, index) => delivery(1 + index, index / 10));
      const given = world(['harbour', 'quay', 'berth'].map((name) => harbour(runs, name)));
      const first = await readingWorld(given, { place });
      const others = [await reading(first.codeHost, { place }), await reading(first.codeHost, { place })];
      const readers = [first, ...others];
      const answers = await Promise.all(
        [1, 2, 3].flatMap(() => readers.map(({ read }) => read('delivery.devex'))),
      );
      expect(await rowsOf(first)).toHaveLength(270);
      for (const { unmeasured, samples } of answers) {
        expect(unmeasured).not.toContainEqual(expect.stringContaining('could not be added'));
        expect(samples.lead_time).toBe(270);
      }
    });

    it('gives the indicators of a window and repository, and the days they come from (CON-094)', async () => {
      const runs = [
        ...Array.from({ length: 8 }, (_, index) => delivery(10 + index, index)),
        delivery(30, 3, { conclusion: 'failure' }),
        delivery(31, 2, { path: '.github/workflows/review-security.yml', conclusion: 'failure' }),
        delivery(32, 20),
      ];
      const { read } = await readingWorld(world([harbour(runs), harbour([delivery(50, 1)], 'quay')]), {
        place: await newPlace(),
      });
      const answer = await read('delivery.devex', '?days=7&repo=harbour');
      expect(answer).toMatchObject({
        window_days: 7,
        source: 'store',
        complete: true,
        smallest_sample: 5,
        repos: ['harbour'],
        series_since: iso(minutesAgo(20 * dayMinutes + 6)),
        samples: { time_to_restore: 1 },
      });
      expect(answer.days).toHaveLength(7);
      // A review is a run of its day, and no delivery.
      const sum = (field: 'deploys' | 'failed_deploys' | 'runs' | 'failed_runs'): number =>
        answer.days.reduce((total, one) => total + one[field], 0);
      expect(sum('deploys')).toBe(answer.samples.deploy_frequency);
      expect(sum('failed_deploys')).toBe(1);
      expect(sum('failed_runs')).toBe(2);
      expect(sum('runs')).toBe(sum('deploys') + 2);
      expect(answer.indicators.lead_time).toEqual({
        median_seconds: 600,
        p90_seconds: 600,
        sample: answer.samples.lead_time,
      });
      expect(answer.indicators).not.toHaveProperty('time_to_restore');
      expect((await read('delivery.devex', '?days=28')).repos).toEqual(['harbour', 'quay']);
    });

    it('is of one organisation: what the console read of another before is not counted', async () => {
      const reader = await readingWorld(world([harbour([delivery(1, 1)])]), { place: await newPlace() });
      const elsewhere = { repository: repositoryOf('theirs'), hasOlder: false, stale: undefined };
      const runs = [workflowRun(7, minutesAgo(dayMinutes))];
      await recordOutcomes(
        reader.console_.store.db,
        { org: 'elsewhere', repos: [{ ...elsewhere, runs }], readAt: minutesAgo(60) },
        minutesAgo(0),
      );
      const answer = await reader.read('delivery.devex');
      expect([answer.repos, answer.samples.deploy_frequency]).toEqual([['harbour'], 1]);
      // While the code host does not answer, the series it was read from last is still shown.
      reader.sandbox.fault({ kind: 'error', status: 502 });
      reader.advance(10 * 60_000);
      expect((await reader.read('delivery.devex')).repos).toEqual(['harbour']);
    });

    it('begins where a reading was cut short, and again after a gap in which runs were lost', async () => {
      const reader = await reading(noCodeHost, { place: await newPlace() });
      const { db } = reader.console_.store;
      const hour = 3_600_000;
      const now = minutesAgo(0);
      const org = 'northgate';
      /** A hundred runs, the oldest begun at `from`: there may be older ones. */
      const full = (from: number, firstId: number) => ({
        repository: repositoryOf('harbour'),
        hasOlder: true,
        stale: undefined,
        runs: Array.from({ length: 100 }, (_, index) => workflowRun(firstId + index, from + index * 1000)),
      });
      const since = async (): Promise<string | undefined> =>
        (await reader.read('delivery.devex', '?repo=harbour')).series_since;
      await recordOutcomes(db, { org, repos: [full(now - 50 * hour, 1)], readAt: now - 49 * hour }, now);
      expect(await since()).toBe(iso(now - 50 * hour));
      // This one reaches back to the last reading: nothing was lost.
      await recordOutcomes(db, { org, repos: [full(now - 49.5 * hour, 50)], readAt: now - 40 * hour }, now);
      expect(await since()).toBe(iso(now - 50 * hour));
      await recordOutcomes(db, { org, repos: [full(now - 10 * hour, 300)], readAt: now - 9 * hour }, now);
      expect(await since()).toBe(iso(now - 10 * hour));
      // Another console's reading from before the gap that comes in late does not close it.
      await recordOutcomes(db, { org, repos: [full(now - 49.5 * hour, 50)], readAt: now - 40 * hour }, now);
      expect(await since()).toBe(iso(now - 10 * hour));
    });
  });
}

const repositoryOf = (name: string) => ({
  name,
  description: '',
  htmlUrl: `https://code.example/northgate/${name}`,
  updatedAt: iso(minutesAgo(0)),
  pushedAt: iso(minutesAgo(0)),
  defaultBranch: 'main',
  topics: [],
  archived: false,
  empty: false,
});

const workflowRun = (id: number, at: number) => ({
  id,
  repo: 'harbour',
  name: 'Build',
  title: 'Build',
  path: '.github/workflows/build.yml',
  family: 'other' as const,
  reviewType: undefined,
  event: 'push',
  branch: 'main',
  sha: sha(String(id)),
  state: 'success' as const,
  detail: undefined,
  attempt: 1,
  createdAt: iso(at),
  startedAt: iso(at),
  updatedAt: iso(at + 500),
  htmlUrl: `https://code.example/northgate/harbour/actions/runs/${id}`,
  actor: 'mira',
  pullRequests: [],
  checkSuite: undefined,
  committedAt: undefined,
});

describe('the indicators of delivery', () => {
  it('are of what is kept while the code host is away, and say so', async () => {
    const runs = Array.from({ length: 6 }, (_, index) => delivery(1 + index, index));
    const { read, sandbox, advance } = await readingWorld(world([harbour(runs)]));
    const before = await read('delivery.devex', '?days=7');
    sandbox.fault({ kind: 'error', status: 503 });
    advance(10 * 60_000);
    const { indicators, source, complete, unmeasured } = await read('delivery.devex', '?days=7');
    expect(before.indicators.lead_time?.sample).toBe(6);
    expect(indicators.lead_time).toEqual(before.indicators.lead_time);
    expect({ source, complete }).toEqual({ source: 'store', complete: false });
    expect(unmeasured).toContainEqual(expect.stringContaining('503'));
  });

  it('are none on a console that never had a code host, and say why', async () => {
    const { read } = await reading(noCodeHost);
    const empty = await read('delivery.devex');
    expect(empty).toMatchObject({ source: 'store', complete: false, indicators: {}, days: [], repos: [] });
    expect(empty.unmeasured[0]).toContain('CONSOLE_GITHUB_APP_ID');
    expect(empty.unmeasured[1]).toBe('The series is empty: no run that has ended was read yet.');
  });

  it('are told although the newest runs could not be added, with that said', async () => {
    const { read, console_ } = await readingWorld(world([harbour([delivery(1, 1)])]));
    await read('delivery.devex');
    await console_.store.db.schema.alterTable('run_series').renameColumn('read_until', 'renamed').execute();
    const answer = await read('delivery.devex');
    expect(answer).toMatchObject({ source: 'store', complete: false, samples: { lead_time: 1 } });
    expect(answer.unmeasured).toContain(
      'The newest runs could not be added to the series: the store did not take them.',
    );
  });

  it('refuse a window that is not offered', async () => {
    const { read } = await reading(noCodeHost);
    await expect(read('delivery.devex', '?days=5')).rejects.toThrow(/400/);
  });
});
