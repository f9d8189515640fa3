import { Code } from '@connectrpc/connect';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EstateService } from '../../src-shared/gen/cockpit/v1/estate_pb.js';
import { Outcome, ScheduleService } from '../../src-shared/gen/cockpit/v1/schedules_pb.js';
import {
  adminToken,
  cockpitClient,
  cockpitEnv,
  type Env,
  failureOf,
  jsonServer,
  meshFolder,
  newFolder,
  testCockpit,
} from '../support/cockpit.ts';

// spec/backends.md, "Events" and "Empty panels" 4.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A control plane with its runner, and the source `map`. */
const platform = async (env: Env = {}) => {
  const shared = { APPFS_ROOT: newFolder(), MESH_DIR: meshFolder() };
  const source = await jsonServer(() => ({ domains: [{ name: 'billing', owner: 'team money' }] }));
  const runner = await testCockpit(cockpitEnv(shared), { role: 'runner' });
  const plane = await testCockpit(cockpitEnv({ ...shared, MANAGED_RUNNER_ENDPOINT: runner.url, ...env }));
  open.push(source, runner, plane);
  const token = await adminToken(plane);
  const estate = cockpitClient(EstateService, plane.url, token);
  await estate.connectSource({ name: 'map', url: source.url });
  return { plane, source, estate, schedules: cockpitClient(ScheduleService, plane.url, token) };
};
const dryRun = /^schedule dry-run: map would be fetched now; set SCHEDULE_EXECUTE_FETCH=true/;

describe('a trigger (Events)', () => {
  it.each([undefined, '', 'false', '1', 'TRUE'])(
    'logs a dry-run line and fetches nothing while SCHEDULE_EXECUTE_FETCH is %o',
    async (SCHEDULE_EXECUTE_FETCH) => {
      const { schedules, plane, source, estate } = await platform({ SCHEDULE_EXECUTE_FETCH });
      await schedules.setSchedule({ source: 'map', cron: '0 6 * * 1-5' });
      expect((await schedules.trigger({ source: 'map' })).schedule).toMatchObject({
        outcome: Outcome.DRY_RUN,
      });
      expect(plane.messages().filter((line) => dryRun.test(line))).toHaveLength(1);
      expect(source.requests).toEqual([]);
      expect((await estate.getDomainMap({})).domains).toEqual([]);
    },
  );

  it('runs the real fetch with SCHEDULE_EXECUTE_FETCH=true', async () => {
    const { schedules, plane, source, estate } = await platform({ SCHEDULE_EXECUTE_FETCH: 'true' });
    await schedules.setSchedule({ source: 'map', cron: '0 6 * * 1-5' });
    const { schedule } = await schedules.trigger({ source: 'map' });
    expect(schedule).toMatchObject({ outcome: Outcome.FETCHED, detail: '' });
    expect(schedule?.triggeredAt).toBeDefined();
    expect(source.requests).toHaveLength(1);
    expect((await estate.getDomainMap({})).domains).toHaveLength(1);
    expect(plane.messages().some((line) => dryRun.test(line))).toBe(false);
  });

  it('says why a fetch failed, and the list keeps it', async () => {
    const { schedules } = await platform({
      SCHEDULE_EXECUTE_FETCH: 'true',
      MANAGED_RUNNER_ENDPOINT: 'http://127.0.0.1:9',
    });
    await schedules.setSchedule({ source: 'map', cron: '0 6 * * *' });
    await schedules.trigger({ source: 'map' });
    expect((await schedules.listSchedules({})).schedules).toMatchObject([
      {
        source: 'map',
        outcome: Outcome.FAILED,
        detail: expect.stringContaining('dedicated runner is unreachable'),
      },
    ]);
  });
});

it.each([
  ['dry runs', {}, Outcome.DRY_RUN, 0],
  ['fetches with a session of its own', { SCHEDULE_EXECUTE_FETCH: 'true' }, Outcome.FETCHED, 1],
] as const)(
  'a schedule %s when its time comes, without anybody calling (Events)',
  async (_, env, outcome, fetches) => {
    const { schedules, source } = await platform(env);
    // Only the clock of timers is moved: the network goes on as it is.
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      now: Date.UTC(2027, 0, 4, 5, 59, 50),
    });
    await schedules.setSchedule({ source: 'map', cron: '0 6 * * 1-5' });
    await vi.advanceTimersByTimeAsync(20_000);
    vi.useRealTimers();
    await vi.waitFor(
      async () =>
        expect((await schedules.listSchedules({})).schedules).toMatchObject([{ source: 'map', outcome }]),
      { timeout: 10_000 },
    );
    expect(source.requests).toHaveLength(fetches);
  },
);

describe('schedules', () => {
  it.each([
    'every day',
    '',
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    '0 0 30 2 *',
    '@daily',
    `${'0,'.repeat(60)}0 * * * *`,
  ])('refuse the expression "%s"', async (cron) => {
    const { schedules } = await platform();
    expect((await failureOf(schedules.setSchedule({ source: 'map', cron }))).code).toBe(Code.InvalidArgument);
  });

  it('need a source that is connected, and to be set before they are triggered', async () => {
    const { schedules } = await platform();
    expect((await failureOf(schedules.setSchedule({ source: 'other', cron: '* * * * *' }))).code).toBe(
      Code.NotFound,
    );
    expect((await failureOf(schedules.trigger({ source: 'map' }))).code).toBe(Code.NotFound);
  });

  it('are changed in place', async () => {
    const { schedules } = await platform();
    await schedules.setSchedule({ source: 'map', cron: '0 6 * * *' });
    await schedules.setSchedule({ source: 'map', cron: '30 7 * * *' });
    expect((await schedules.listSchedules({})).schedules).toMatchObject([
      { source: 'map', cron: '30 7 * * *', outcome: Outcome.UNSPECIFIED },
    ]);
  });
});
