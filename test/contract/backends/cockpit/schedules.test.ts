import { Code } from '@connectrpc/connect';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EstateService } from '../../../../src-shared/gen/cockpit/v1/estate_pb.js';
import { Outcome, ScheduleService } from '../../../../src-shared/gen/cockpit/v1/schedules_pb.js';
import {
  cockpitClient,
  cockpitEnv,
  type Env,
  failureOf,
  jsonServer,
  signedInOnce,
  testCockpit,
} from '../../../support/cockpit.ts';
import { etcdMissing, peersText, threePeers } from '../../../support/raft-members.ts';

// BCK-050 and BCK-077: schedules.

let session: Awaited<ReturnType<typeof signedInOnce>>;
beforeAll(async () => {
  session = await signedInOnce();
});
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A control plane with its runner, and the source `map`. */
const platform = async (env: Env = {}) => {
  const { env: shared, token } = session;
  const source = await jsonServer(() => ({ domains: [{ name: 'billing', owner: 'team money' }] }));
  const runner = await testCockpit(cockpitEnv(shared), { role: 'runner' });
  const plane = await testCockpit(cockpitEnv({ ...shared, MANAGED_RUNNER_ENDPOINT: runner.url, ...env }));
  open.push(source, runner, plane);
  const estate = cockpitClient(EstateService, plane.url, token);
  await estate.connectSource({ name: 'map', url: source.url });
  return { plane, source, estate, schedules: cockpitClient(ScheduleService, plane.url, token) };
};
const dryRun = /^schedule dry-run: map would be fetched now; set SCHEDULE_EXECUTE_FETCH=true/;

describe('a trigger (BCK-050, BCK-077)', () => {
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
  'a schedule %s when its time comes, without anybody calling (BCK-050)',
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

// Not the one that vitest may move.
const { setTimeout: realTimeout } = globalThis;
type Plane = Awaited<ReturnType<typeof testCockpit>>;
/** Whether a member leads, follows, or knows no leader. */
async function roleOf({ url }: Plane): Promise<'leads' | 'follows' | undefined> {
  const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: { detail: string }[] };
  const [, member, leader] = /^Member (\w+) follows the leader (\w+)\.$/.exec(checks[1]?.detail ?? '') ?? [];
  if (member === undefined) return undefined;
  return member === leader ? 'leads' : 'follows';
}
async function leaderOf(planes: readonly Plane[]): Promise<Plane> {
  for (let tries = 0; tries < 200; tries += 1) {
    const roles = await Promise.all(planes.map(roleOf));
    const leader = planes[roles.indexOf('leads')];
    if (leader !== undefined && !roles.includes(undefined)) return leader;
    await new Promise((resolve) => realTimeout(resolve, 100));
  }
  throw new Error('the members did not agree on a leader within 20 s');
}

it.skipIf(etcdMissing !== '')(
  'two schedules that three members have run once each, on the leader, and on the next one when it is gone (BCK-050)',
  async () => {
    const { env, token } = session;
    const source = await jsonServer(() => ({ domains: [{ name: 'billing', owner: 'team money' }] }));
    const runner = await testCockpit(cockpitEnv(env), { role: 'runner' });
    open.push(source, runner);
    const peers = await threePeers();
    const planes = await Promise.all(
      [...peers.keys()].map((RAFT_NODE_ID) =>
        testCockpit(
          cockpitEnv({
            ...env,
            RAFT_NODE_ID,
            RAFT_PEERS: peersText(peers),
            MANAGED_RUNNER_ENDPOINT: runner.url,
            SCHEDULE_EXECUTE_FETCH: 'true',
          }),
        ),
      ),
    );
    open.push(...planes);
    const leader = await leaderOf(planes);
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      now: Date.UTC(2027, 0, 4, 5, 59, 50),
    });
    const names = ['ledger', 'map'];
    for (const { url } of planes)
      for (const name of names) {
        const at = `${source.url}/${name}`;
        await cockpitClient(EstateService, url, token).connectSource({ name, url: at });
        await cockpitClient(ScheduleService, url, token).setSchedule({ source: name, cron: '* * * * *' });
      }
    const outcomes = async (plane: Plane) =>
      (await cockpitClient(ScheduleService, plane.url, token).listSchedules({})).schedules.map(
        ({ outcome }) => outcome,
      );
    /** Lets a minute come, and answers what was fetched when `plane` has said so. */
    const fetchedBy = async (plane: Plane) => {
      const before = source.requests.length;
      await vi.advanceTimersByTimeAsync(before === 0 ? 20_000 : 60_000);
      for (let tries = 0; (await outcomes(plane)).includes(Outcome.UNSPECIFIED) && tries < 200; tries += 1)
        await new Promise((resolve) => realTimeout(resolve, 50));
      expect(await outcomes(plane)).toEqual([Outcome.FETCHED, Outcome.FETCHED]);
      return source.requests
        .slice(before)
        .map(({ path }) => path)
        .sort();
    };
    expect(await fetchedBy(leader)).toEqual(['/ledger', '/map']);
    const others = planes.filter((plane) => plane !== leader);
    for (const other of others)
      expect(await outcomes(other)).toEqual([Outcome.UNSPECIFIED, Outcome.UNSPECIFIED]);

    await leader.close();
    expect(await fetchedBy(await leaderOf(others))).toEqual(['/ledger', '/map']);
    // Nothing of what was under way is left when they have closed.
    await Promise.all(others.map((other) => other.close()));
    expect(source.requests).toHaveLength(4);
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
