import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { labels } from '../../../../src-shared/platform/labels.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { completed, cronJob, failed, fleetConsole, job, minutesAgo, pod, workload } from './harness.ts';

const roster = async (...objects: Parameters<typeof objectCluster>[0]) => {
  const { read, console_ } = await fleetConsole({ cluster: objectCluster(objects) });
  const answer = await read('fleet.agents');
  return { answer, read, console_, agent: Object.fromEntries(answer.items.map((item) => [item.name, item])) };
};

describe('the roster', () => {
  it('has what is labelled as an agent, with its schedule and its last and next run (CON-096)', async () => {
    const { answer, agent } = await roster(
      cronJob('nightly-review', { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' }),
      job('nightly-review-1', 'nightly-review', failed(1500, 1490)),
      job('nightly-review-2', 'nightly-review', completed(60, 55)),
      cronJob('backup', { agent: '' }),
      workload('Deployment', 'listener', 'agents', { labels: { [labels.agent]: 'listener' }, replicas: 2 }),
      workload('Deployment', 'web', 'shop', {}),
    );
    expect(answer.items.map(({ name }) => name)).toEqual(['listener', 'nightly-review']);
    expect(agent['nightly-review']).toMatchObject({
      agent_kind: 'reviewer',
      workload: { kind: 'CronJob', name: 'nightly-review', namespace: 'agents' },
      schedule: '30 2 * * *',
      time_zone: 'Europe/Berlin',
      enabled: true,
      last_run: { state: 'success', started: minutesAgo(60), took_seconds: 300 },
      state: 'healthy',
    });
    const next = new Date(agent['nightly-review']?.next_run ?? '');
    expect(next.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('02:30:00');
    expect(agent.listener).toMatchObject({
      workload: { kind: 'Deployment' },
      enabled: true,
      state: 'healthy',
    });
    expect(agent.listener).not.toHaveProperty('schedule');
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true, unmeasured: [], target: 'test' });
  });

  it('says why the last run failed, as its pod tells it', async () => {
    const { agent } = await roster(
      cronJob('audit'),
      job('audit-1', 'audit', failed(20, 10)),
      pod('audit-1-x', 'agents', {
        owner: ['Job', 'audit-1'],
        status: {
          phase: 'Failed',
          containerStatuses: [
            { name: 'agent', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
          ],
        },
      }),
      cronJob('slow'),
      job('slow-1', 'slow', failed(20, 10, 'DeadlineExceeded')),
      cronJob('gone'),
      job('gone-1', 'gone', failed(20, 10)),
    );
    expect(agent.audit).toMatchObject({
      state: 'failing',
      last_run: { state: 'failure', took_seconds: 600 },
    });
    expect(agent.audit?.reason).toMatch(/^its last run failed: container agent ended: OOMKilled/);
    expect(agent.slow?.last_run?.detail).toBe('ran out of time');
    expect(agent.gone?.last_run?.detail).toBe('Job has reached the specified backoff limit');
  });

  it('tells runs under way, disarmed agents, and agents that never ran apart', async () => {
    const { agent } = await roster(
      cronJob('running'),
      job('running-1', 'running', { startTime: minutesAgo(2), active: 1 }),
      cronJob('stuck'),
      job('stuck-1', 'stuck', { startTime: minutesAgo(2), active: 1 }),
      pod('stuck-1-x', 'agents', {
        owner: ['Job', 'stuck-1'],
        status: {
          phase: 'Pending',
          containerStatuses: [{ name: 'agent', state: { waiting: { reason: 'ImagePullBackOff' } } }],
        },
      }),
      cronJob('disarmed', { suspend: true }),
      cronJob('new'),
      {
        ...cronJob('cleaned-up'),
        status: { lastScheduleTime: minutesAgo(30), lastSuccessfulTime: minutesAgo(29) },
      },
      { ...cronJob('unknown'), status: { lastScheduleTime: minutesAgo(30) } },
    );
    expect(agent.running).toMatchObject({ state: 'working', last_run: { state: 'running' } });
    expect(agent.stuck).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('cannot be pulled'),
    });
    expect(agent.disarmed).toMatchObject({ enabled: false, state: 'idle', reason: 'disarmed' });
    expect(agent.disarmed).not.toHaveProperty('next_run');
    expect(agent.new).toMatchObject({ state: 'idle', reason: 'it has not run yet' });
    expect(agent.new).not.toHaveProperty('last_run');
    expect(agent['cleaned-up']).toMatchObject({
      state: 'healthy',
      last_run: { state: 'success', took_seconds: 60 },
    });
    expect(agent.unknown).toMatchObject({ state: 'not_read' });
    expect(agent.unknown).not.toHaveProperty('last_run');
  });

  it('is joined with what apps reported, until a later run says otherwise', async () => {
    const { read, console_ } = await fleetConsole({
      cluster: objectCluster([
        cronJob('importer'),
        job('importer-1', 'importer', completed(60, 55)),
        cronJob('tidier', { suspend: true }),
      ]),
    });
    const answer = await request(`${console_.url}/api/agent-health`, {
      method: 'POST',
      headers: { authorization: 'Bearer ingest', 'content-type': 'application/json' },
      body: JSON.stringify({
        app: 'tide-tables',
        agents: [
          { agent: 'importer', state: 'degraded', detail: 'Half of the feeds are empty.' },
          { agent: 'tidier', state: 'failing' },
        ],
      }),
    });
    await answer.body.dump();
    const { items } = await read('fleet.agents');
    expect(items[0]).toMatchObject({
      state: 'degraded',
      reason: 'tide-tables reports it as degraded: Half of the feeds are empty.',
      reported: { app: 'tide-tables', state: 'degraded' },
    });
    expect(items[1]).toMatchObject({ state: 'idle', reported: { state: 'failing' } });
  });

  it('names the inference tiers with what they serve (CON-096)', async () => {
    const { answer } = await roster(
      workload('StatefulSet', 'qwen', 'models', {
        labels: { [labels.tier]: 'large' },
        replicas: 2,
        ready: 1,
        container: { image: 'vllm/vllm-openai:v0.9.0', args: ['--model', 'Qwen/Qwen3-32B'] },
      }),
    );
    expect(answer.tiers).toMatchObject([
      {
        name: 'large',
        models: ['Qwen/Qwen3-32B'],
        replicas_ready: 1,
        replicas_desired: 2,
        state: 'degraded',
      },
    ]);
  });
});

describe('a roster that could not be read in full', () => {
  it('says what was not read, and does not judge by it', async () => {
    const { read } = await fleetConsole({
      cluster: objectCluster([cronJob('nightly'), job('nightly-1', 'nightly', completed(9, 8))], {
        states: { 'jobs.batch': { state: 'forbidden', gaps: ['Forbidden: list jobs.'] } },
      }),
    });
    const { items, ...answer } = await read('fleet.agents');
    expect(items).toMatchObject([{ name: 'nightly', state: 'not_read', reason: 'its Jobs were not read' }]);
    expect(items[0]).not.toHaveProperty('last_run');
    expect(answer).toMatchObject({ complete: false, unmeasured: ['Forbidden: list jobs.'] });
  });

  it('is empty and says so when no cluster is attached', async () => {
    const { read } = await fleetConsole();
    for (const id of ['fleet.agents', 'fleet.schedules', 'fleet.inference', 'fleet.models'] as const) {
      const answer = await read(id);
      expect([id, answer]).toMatchObject([id, { items: [], source: 'unavailable', complete: false }]);
      expect(answer.unmeasured).toEqual([expect.stringContaining('No cluster is attached')]);
    }
    expect(await read('fleet.doctor')).toMatchObject({
      state: 'not_read',
      last_runs: [],
      source: 'unavailable',
    });
    expect(await read('fleet.finops')).toMatchObject({
      by_tenant: [],
      by_initiative: [],
      source: 'unavailable',
    });
  });

  it('counts ages and next runs of a bundle from when it was taken', async () => {
    const takenAt = Date.UTC(2024, 4, 6, 12);
    const { read } = await fleetConsole({
      cluster: objectCluster([cronJob('nightly')], { source: 'bundle', takenAt }),
    });
    expect(await read('fleet.agents')).toMatchObject({
      source: 'bundle',
      read_at: '2024-05-06T12:00:00.000Z',
      items: [{ next_run: '2024-05-07T03:00:00.000Z' }],
    });
  });
});

describe('the ops doctor', () => {
  it('stands as its newest run does, with its last runs newest first (CON-092)', async () => {
    const { read } = await fleetConsole({
      cluster: objectCluster([
        cronJob('doctor', { agent: 'ops-doctor', schedule: '*/30 * * * *' }),
        job('doctor-1', 'doctor', completed(65, 64)),
        job('doctor-2', 'doctor', failed(35, 33)),
        job('other-1', 'other', failed(5, 3)),
      ]),
    });
    const doctor = await read('fleet.doctor');
    expect(doctor).toMatchObject({
      state: 'failing',
      reason: 'its last run failed: Job has reached the specified backoff limit',
      workload: { name: 'doctor', namespace: 'agents' },
      schedule: '*/30 * * * *',
      enabled: true,
      last_runs: [
        { name: 'doctor-2', state: 'failure', took_seconds: 120 },
        { name: 'doctor-1', state: 'success', took_seconds: 60 },
      ],
      unmeasured: [expect.stringContaining('tracking issue was not read')],
    });
    expect(doctor.next_run).toMatch(/:(00|30):00\.000Z$/);
  });

  it('is known by the name of its CronJob, and said to be missing where there is none', async () => {
    const named = await fleetConsole({ cluster: objectCluster([cronJob('ops-doctor', { agent: '' })]) });
    expect(await named.read('fleet.doctor')).toMatchObject({
      workload: { name: 'ops-doctor' },
      state: 'idle',
    });
    const none = await fleetConsole({ cluster: objectCluster([cronJob('nightly')]) });
    expect(await none.read('fleet.doctor')).toMatchObject({
      state: 'idle',
      reason: 'no CronJob is labelled platform.dev/agent: ops-doctor',
      complete: true,
    });
    const partly = { state: 'partly' as const, gaps: ['Forbidden: list cronjobs in ops.'] };
    const some = await fleetConsole({
      cluster: objectCluster([cronJob('nightly')], { states: { 'cronjobs.batch': partly } }),
    });
    expect(await some.read('fleet.doctor')).toMatchObject({ state: 'not_read', complete: false });
  });
});
