import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import type { KubeObject } from '../../../../src-main/kube-api/index.ts';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import type { AuditItem } from '../../../../src-shared/api/audit.ts';
import { startTestCluster } from '../../../support/kube-api.ts';
import { liveCluster } from '../../../support/live-cluster.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { cronJob, fleetConsole } from './harness.ts';

const revised = (object: RawObject, resourceVersion: string): RawObject => ({
  ...object,
  metadata: { ...(object.metadata as object), resourceVersion },
});

async function setting(cluster: Cluster, env = {}) {
  const { console_, read } = await fleetConsole({ cluster }, env);
  const cookie = await console_.cookie();
  return {
    console_,
    read,
    async set(name: string, body: object, query = '', as = cookie) {
      const answer = await request(`${console_.url}/api/agent-schedules/${name}${query}`, {
        method: 'PUT',
        headers: { cookie: as, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.statusCode, body: (await answer.body.json()) as { error?: string } };
    },
  };
}

describe('the schedules', () => {
  it('are those of agents, with cadence, enablement and the next run (CON-103)', async () => {
    const { read } = await fleetConsole({
      cluster: objectCluster([
        cronJob('nightly', { suspend: true }),
        cronJob('review', { timeZone: 'Etc/UTC' }),
        cronJob('backup', { agent: '' }),
      ]),
    });
    const { items } = await read('fleet.schedules');
    expect(items).toMatchObject([
      { name: 'nightly', namespace: 'agents', agent: 'nightly', schedule: '0 3 * * *', enabled: false },
      { name: 'review', time_zone: 'Etc/UTC', enabled: true, next_run: expect.stringMatching(/T03:00:00/) },
    ]);
    expect(items[0]).not.toHaveProperty('next_run');
  });

  it('cannot be changed by who is not on the list, nor in a bundle, and say why', async () => {
    const off = await fleetConsole(
      { cluster: objectCluster([cronJob('nightly')], { writable: true }) },
      { CONSOLE_AGENT_ADMINS: 'ada@northgate.example' },
    );
    expect((await off.read('fleet.schedules')).items).toMatchObject([
      { editable: false, not_editable_because: expect.stringContaining('CONSOLE_AGENT_ADMINS') },
    ]);
    const bundle = await fleetConsole({
      cluster: objectCluster([cronJob('nightly')], { source: 'bundle', takenAt: Date.now() }),
    });
    expect((await bundle.read('fleet.schedules')).items).toMatchObject([
      { editable: false, not_editable_because: expect.stringContaining('bundle') },
    ]);
  });
});

describe('the right to change a schedule', () => {
  const begun: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of begun.splice(0).reverse()) await one.close();
  });

  it('is asked of the cluster: who may not patch a CronJob there is offered nothing, and told what is missing', async () => {
    const objects = [
      cronJob('nightly', { namespace: 'open' }),
      cronJob('hourly', { namespace: 'open' }),
      cronJob('review', { namespace: 'closed' }),
      cronJob('named', { namespace: 'closed' }),
    ];
    const api = await startTestCluster(objects as KubeObject[], {
      users: [
        {
          name: 'reader',
          token: 't',
          allow: ({ verb, namespace, name }) =>
            verb !== 'patch' || namespace === 'open' || (namespace === 'closed' && name === 'named'),
        },
      ],
    });
    const cluster = await liveCluster(api.kubeconfig, { writable: () => true });
    begun.push(api, cluster);
    const { read } = await fleetConsole({ cluster: { ...cluster, writable: true } as Cluster });
    const seen = async () =>
      (await read('fleet.schedules')).items.map(({ name, editable, not_editable_because }) => [
        name,
        not_editable_because ?? editable,
      ]);
    await expect.poll(seen, { timeout: 10_000 }).toEqual([
      ['hourly', true],
      ['named', true],
      ['nightly', true],
      [
        'review',
        'The cluster does not let the console change it: grant its identity there "patch" on cronjobs.batch in closed.',
      ],
    ]);
    await seen();
    const reviews = api.requests.filter(({ path }) => path.includes('selfsubjectaccessreviews'));
    // Once a namespace, and once for each that this refused.
    expect(reviews).toHaveLength(4);
  });

  it('is not doubted because the cluster does not say', async () => {
    const cluster = objectCluster([cronJob('nightly')], { writable: true });
    const { read } = await fleetConsole({ cluster: { ...cluster, may: async () => undefined } });
    expect((await read('fleet.schedules')).items).toMatchObject([{ editable: true }]);
  });
});

describe('arming and disarming an agent', () => {
  it('suspends its CronJob as it was read, and records who did it and where (CON-104, RTE-023)', async () => {
    const cluster = objectCluster([revised(cronJob('nightly'), '41')], { writable: true });
    const sent: unknown[] = [];
    const watched: Cluster = {
      ...cluster,
      patch: (resource, ask) => {
        sent.push(ask);
        return cluster.patch(resource, ask);
      },
    };
    const admin = 'ada@northgate.example';
    const { set, read, console_ } = await setting(watched, { CONSOLE_SESSION_ADMINS: admin });
    const cookie = await console_.cookieOf(admin);
    const disarmed = await set('nightly', { enabled: false, was_enabled: true }, '', cookie);
    expect(disarmed).toMatchObject({
      status: 200,
      body: { name: 'nightly', enabled: false, editable: true },
    });
    expect(sent).toEqual([
      { name: 'nightly', namespace: 'agents', patch: { spec: { suspend: true } }, resourceVersion: '41' },
    ]);
    expect((await read('fleet.schedules')).items[0]).toMatchObject({ enabled: false });
    const audit = await request(`${console_.url}/api/audit?action=agents.schedule`, { headers: { cookie } });
    const { items } = (await audit.body.json()) as { items: AuditItem[] };
    expect(items).toMatchObject([
      {
        actor: admin,
        target: 'nightly',
        outcome: 'success',
        summary: 'Disarm CronJob agents/nightly in test.',
      },
    ]);
  });

  it('sends nothing when it is so already', async () => {
    const cluster = objectCluster([cronJob('nightly')], { writable: true });
    const { set } = await setting(cluster);
    expect(await set('nightly', { enabled: true })).toMatchObject({ status: 200, body: { enabled: true } });
    expect(cluster.patches).toEqual([]);
  });

  it('is a conflict when somebody changed it since the caller looked', async () => {
    const cluster = objectCluster([cronJob('nightly', { suspend: true })], { writable: true });
    const { set } = await setting(cluster);
    expect(await set('nightly', { enabled: false, was_enabled: true })).toMatchObject({
      status: 409,
      body: {
        error: expect.stringContaining('was disarmed by somebody else meanwhile'),
        request_id: expect.any(String),
      },
    });
    expect(cluster.patches).toEqual([]);
  });

  it('is a conflict when the object changes between the read and the write (RTE-023)', async () => {
    const cluster = objectCluster([cronJob('nightly')], { writable: true });
    const { set } = await setting({
      ...cluster,
      patch: async () => ({ state: 'conflict', reason: 'the object has been modified' }),
    });
    expect(await set('nightly', { enabled: false })).toMatchObject({
      status: 409,
      body: {
        error: expect.stringContaining('nightly changed while this was done'),
        request_id: expect.any(String),
      },
    });
  });

  it('is refused in a target that is read only and in a bundle, naming what would allow it', async () => {
    const readOnly = await setting(objectCluster([cronJob('nightly')]));
    expect(await readOnly.set('nightly', { enabled: false })).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('CONSOLE_WRITABLE_TARGETS'), request_id: expect.any(String) },
    });
    const bundle = await setting(
      objectCluster([cronJob('nightly')], { source: 'bundle', takenAt: Date.now() }),
    );
    expect(await bundle.set('nightly', { enabled: false })).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('bundle'), request_id: expect.any(String) },
    });
  });

  it('is not found for what is no agent, and not allowed for who is not on the list (CON-168)', async () => {
    const { set } = await setting(objectCluster([cronJob('backup', { agent: '' })], { writable: true }));
    expect((await set('backup', { enabled: false })).status).toBe(404);
    expect((await set('nowhere', { enabled: false })).status).toBe(404);
    const listed = await setting(objectCluster([cronJob('nightly')], { writable: true }), {
      CONSOLE_AGENT_ADMINS: 'ada@northgate.example',
    });
    expect((await listed.set('nightly', { enabled: false })).status).toBe(403);
  });

  it('asks for the namespace when two have an agent of that name', async () => {
    const cluster = objectCluster(
      [cronJob('nightly', { namespace: 'a' }), cronJob('nightly', { namespace: 'b' })],
      { writable: true },
    );
    const { set, read } = await setting(cluster);
    expect(await set('nightly', { enabled: false })).toMatchObject({
      status: 409,
      body: {
        error: 'Agents named nightly are in a and b: choose one by its namespace.',
        request_id: expect.any(String),
      },
    });
    expect((await set('nightly', { enabled: false }, '?namespace=b')).status).toBe(200);
    const { items } = await read('fleet.schedules');
    expect(items.map(({ namespace, enabled }) => [namespace, enabled])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('says that the cluster did not answer when it did not', async () => {
    const { set } = await setting(
      objectCluster([], {
        states: { 'cronjobs.batch': { state: 'unavailable', gaps: ['test.invalid does not answer.'] } },
      }),
    );
    expect(await set('nightly', { enabled: false })).toMatchObject({
      status: 503,
      body: { error: 'test.invalid does not answer.', request_id: expect.any(String) },
    });
  });
});
