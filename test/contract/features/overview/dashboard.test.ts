import { X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type Cluster, noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { report } from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { willowCa } from '../cluster/certificates.ts';
import {
  type ClusterReader,
  deployment,
  namespace,
  node,
  object,
  pod,
  readingCluster,
  service,
  waiting,
} from '../cluster/harness.ts';

const place = { namespace: 'shop' } as const;
const crashing = waiting('CrashLoopBackOff', 'back-off', {
  restartCount: 4,
  lastState: { terminated: { exitCode: 1, reason: 'Error' } },
});
const tracked = { 'platform.dev/tracked': 'true' };

/** A control plane with the Deployment it was made, of which nothing is ready. */
const downCockpit = [
  object('platform.dev/v1alpha1', 'CockpitControlPlane', { name: 'cockpit', ...place }, { spec: {} }),
  deployment({
    name: 'cockpit-app',
    ...place,
    ready: 0,
    owner: { kind: 'CockpitControlPlane', name: 'cockpit' },
  }),
];

describe('the dashboard', () => {
  it('shows tracked workloads and client instances, and nothing that needs a person when all is well (CON-083)', async () => {
    const { read } = await readingCluster(
      objectCluster([
        namespace('shop'),
        node('node-a'),
        deployment({ name: 'api', ...place, labels: tracked }),
        pod({ name: 'api-7f-a', of: 'api', ...place }),
        deployment({ name: 'other', ...place }),
        object(
          'platform.dev/v1alpha1',
          'ClientInstance',
          { name: 'willow', ...place },
          {
            spec: { tenant: 'willow', controlPlaneRef: { name: 'cockpit' } },
            status: {
              phase: 'Running',
              endpoint: 'https://willow.example.com',
              conditions: [{ type: 'Ready', status: 'True' }],
            },
          },
        ),
      ]),
    );
    const answer = await read('cluster.dashboard');
    expect(answer.workloads.map(({ kind, name, state }) => [kind, name, state])).toEqual([
      ['Deployment', 'api', 'healthy'],
    ]);
    // All are counted, tracked or not.
    expect(answer.workload_counts).toEqual({ healthy: 2 });
    expect(answer.instances).toEqual([
      {
        name: 'willow',
        namespace: 'shop',
        tenant: 'willow',
        phase: 'Running',
        endpoint: 'https://willow.example.com',
        ready: true,
        state: 'healthy',
      },
    ]);
    expect(answer.attention).toEqual([]);
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true });
  });

  it('names a crash-looping Deployment once: not again for its pods and its service', async () => {
    const { read } = await readingCluster(
      objectCluster([
        deployment({ name: 'api', ...place, replicas: 2, ready: 0 }),
        pod({ name: 'api-7f-a', of: 'api', ...place, status: crashing }),
        pod({ name: 'api-7f-b', of: 'api', ...place, status: crashing }),
        service({ name: 'api', ...place }),
      ]),
    );
    expect((await read('cluster.dashboard')).attention).toEqual([
      {
        id: 'Deployment/shop/api',
        state: 'failing',
        title: 'Deployment api is failing',
        cause:
          '0 of 2 replicas ready; api-7f-a container main keeps crashing: Error, exit code 1, 4 restarts',
        object: { kind: 'Deployment', name: 'api', namespace: 'shop' },
        place: { tab: 'namespaces', record: 'shop' },
        since: expect.any(String),
      },
    ]);
  });

  it('names a control plane instead of its Deployment', async () => {
    const { read } = await readingCluster(objectCluster([...downCockpit]));
    expect((await read('cluster.dashboard')).attention).toMatchObject([
      {
        id: 'CockpitControlPlane/shop/cockpit',
        state: 'failing',
        place: { tab: 'controlPlanes', record: 'CockpitControlPlane/shop/cockpit' },
      },
    ]);
  });

  it('tells what fails before what is only degraded, and of every kind where to look', async () => {
    const days = (count: number): number =>
      new X509Certificate(willowCa).validToDate.getTime() - count * 86_400_000;
    const { read } = await readingCluster(
      objectCluster(
        [
          object(
            'v1',
            'ResourceQuota',
            { name: 'compute', ...place },
            {
              status: { hard: { pods: '4' }, used: { pods: '4' } },
            },
          ),
          object(
            'v1',
            'Secret',
            { name: 'mesh-ca', ...place },
            {
              data: { 'tls.crt': Buffer.from(willowCa).toString('base64') },
            },
          ),
          node('node-a', { conditions: [{ type: 'Ready', status: 'Unknown' }] }),
          service({ name: 'lost', ...place }),
          pod({ name: 'alone', ...place, status: crashing }),
        ],
        { takenAt: days(9) },
      ),
    );
    const { attention } = await read('cluster.dashboard');
    expect(attention.map(({ id, state, place }) => [id, state, place.tab])).toEqual([
      ['Pod/shop/alone', 'failing', 'namespaces'],
      ['Node//node-a', 'failing', 'nodes'],
      ['Service/shop/lost', 'failing', 'services'],
      // Its issuer is not beside it.
      ['Secret/shop/mesh-ca', 'failing', 'security'],
      ['ResourceQuota/shop/compute', 'degraded', 'namespaces'],
    ]);
  });

  it('does not count a pod of nobody that ended in an error among what fails now', async () => {
    const failed = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' };
    const { read } = await readingCluster(
      objectCluster([
        pod({ name: 'a-debug', ...place, status: { ...failed, containerStatuses: [] } }),
        pod({ name: 'crashing', ...place, status: crashing }),
      ]),
    );
    const { attention } = await read('cluster.dashboard');
    expect(attention.map(({ title, state }) => [title, state])).toEqual([
      ['Pod crashing is failing', 'failing'],
      ['Pod a-debug has failed', 'degraded'],
    ]);
    expect(attention[1]?.cause).toBe('Evicted: The node was low on memory');
  });

  it('names at most 20 matters', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      pod({ name: `p${index}`, ...place, status: crashing }),
    );
    const { read } = await readingCluster(objectCluster(many));
    expect((await read('cluster.dashboard')).attention).toHaveLength(20);
  });

  it('has nothing, and says why, while no cluster is attached', async () => {
    const { read } = await readingCluster(noCluster(Date.now));
    expect(await read('cluster.dashboard')).toMatchObject({
      workloads: [],
      instances: [],
      attention: [],
      source: 'unavailable',
      complete: false,
      unmeasured: ['No cluster is attached: connect one from a kubeconfig, or open a bundle.'],
    });
  });
});

describe('what needs a person, once it was diagnosed', () => {
  const key = 'refusing to serve: no session signing key. Set AUTH_JWT_SECRET.';
  const refusing = () => [
    ...downCockpit,
    pod({ name: 'cockpit-app-7f-a', of: 'cockpit-app', ...place, status: crashing }),
    service({ name: 'lost', ...place }),
  ];
  const logs = { 'shop/cockpit-app-7f-a/main': `{"level":50,"msg":"${key}"}\n` };
  const found = async ({ read }: Pick<ClusterReader, 'read'>) => {
    await vi.waitFor(
      async () => expect((await read('cluster.dashboard')).diagnosis?.at).toBeDefined(),
      10_000,
    );
    return read('cluster.dashboard');
  };

  const diagnosisOf = async ({ get }: Pick<ClusterReader, 'get'>) =>
    report.parse(JSON.parse((await get('/api/troubleshoot')).text));

  it('says at first that nothing was diagnosed yet, and then why and where the fix stands', async () => {
    const { read, get } = await readingCluster(objectCluster(refusing(), { logs }));
    const before = await read('cluster.dashboard');
    expect(before.diagnosis).toEqual({ running: false });
    expect(before.attention[0]).toMatchObject({
      title: 'CockpitControlPlane cockpit is failing',
      place: { tab: 'controlPlanes' },
    });
    const { attention, diagnosis } = await found({ read });
    expect(diagnosis).toEqual({ running: false, at: expect.any(String) });
    expect(attention[0]).toMatchObject({
      id: 'CockpitControlPlane/shop/cockpit',
      state: 'failing',
      title: 'The cockpit cockpit-app has no session signing key',
      cause: expect.stringMatching(/^CockpitControlPlane cockpit is failing: its Deployment has 0 of 1/),
      place: { tab: 'troubleshoot', record: 'no-session-signing-key:Deployment/shop/cockpit-app' },
    });
    // Each thing once, and its finding is one that the troubleshooter has.
    expect(new Set(attention.map(({ id }) => id)).size).toBe(attention.length);
    expect(attention.map(({ state }) => state)).toEqual(
      attention
        .map(({ state }) => state)
        .toSorted()
        .reverse(),
    );
    const ids = (await diagnosisOf({ get })).findings.map(({ id }) => id);
    for (const { place: to } of attention) if (to.tab === 'troubleshoot') expect(ids).toContain(to.record);
  });

  it('answers while a diagnosis does not come to its end, and ends that with the console', async () => {
    const ended = Promise.withResolvers<void>();
    const cluster: Cluster = {
      ...objectCluster(refusing(), { logs }),
      logs: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            ended.resolve();
            resolve({ state: 'unread', reason: 'It was ended.' });
          });
        }),
    };
    const { read, console_ } = await readingCluster(cluster);
    await vi.waitFor(
      async () => expect((await read('cluster.dashboard')).diagnosis).toEqual({ running: true }),
      10_000,
    );
    expect((await read('cluster.dashboard')).attention[0]?.title).toBe(
      'CockpitControlPlane cockpit is failing',
    );
    await console_.close();
    await ended.promise;
  });

  it('takes over what a person had diagnosed, and tells nothing any more of what was put right', async () => {
    const cluster = objectCluster(refusing(), { logs });
    const { read, get } = await readingCluster(cluster);
    await diagnosisOf({ get });
    const titles = async () => (await read('cluster.dashboard')).attention.map(({ title }) => title);
    expect(await titles()).toContain('The cockpit cockpit-app has no session signing key');
    cluster.objects.splice(1, 2, deployment({ name: 'cockpit-app', ...place, ready: 1 }));
    const after = await titles();
    expect(after.filter((title) => /signing key|is failing/.test(title))).toEqual([]);
    // What is wrong with something else is still told.
    expect(after).toContain('There is no mesh CA in shop for cockpit-app');
  });

  it('is diagnosed anew when it is old, sooner when other things need a person, and a bundle never', async () => {
    const cluster = objectCluster(refusing(), { logs });
    const { read, console_ } = await readingCluster(cluster);
    const { diagnosis: first } = await found({ read });
    console_.advance(40_000);
    expect((await read('cluster.dashboard')).diagnosis?.at).toBe(first?.at);
    cluster.objects.push(pod({ name: 'alone', ...place, status: crashing }));
    await vi.waitFor(
      async () => expect((await read('cluster.dashboard')).diagnosis?.at).not.toBe(first?.at),
      10_000,
    );
    const { diagnosis: second } = await read('cluster.dashboard');
    console_.advance(6 * 60_000);
    await vi.waitFor(
      async () => expect((await read('cluster.dashboard')).diagnosis?.at).not.toBe(second?.at),
      10_000,
    );

    const bundle = await readingCluster(
      objectCluster(refusing(), { logs, source: 'bundle', takenAt: Date.now() }),
    );
    const { diagnosis: once } = await found(bundle);
    bundle.console_.advance(90 * 60_000);
    await bundle.read('cluster.dashboard');
    await pause(1500);
    expect((await bundle.read('cluster.dashboard')).diagnosis).toEqual({ running: false, at: once?.at });
  });
});
