import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { noCluster } from '../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../support/object-cluster.ts';
import { willowCa } from './cluster-certificates.ts';
import {
  deployment,
  namespace,
  node,
  object,
  pod,
  readingCluster,
  service,
  waiting,
} from './cluster-harness.ts';

const place = { namespace: 'shop' } as const;
const crashing = waiting('CrashLoopBackOff', 'back-off', {
  restartCount: 4,
  lastState: { terminated: { exitCode: 1, reason: 'Error' } },
});
const tracked = { 'platform.dev/tracked': 'true' };

describe('the dashboard', () => {
  it('shows tracked workloads and client instances, and nothing that needs a person when all is well', async () => {
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
        cause: '0 of 2 replicas ready; api-7f-a container main keeps ending: Error, exit code 1, 4 restarts',
        object: { kind: 'Deployment', name: 'api', namespace: 'shop' },
        place: { tab: 'namespaces', namespace: 'shop', name: 'api' },
        since: expect.any(String),
      },
    ]);
  });

  it('names a control plane instead of its Deployment', async () => {
    const { read } = await readingCluster(
      objectCluster([
        object('platform.dev/v1alpha1', 'CockpitControlPlane', { name: 'cockpit', ...place }, { spec: {} }),
        deployment({
          name: 'cockpit-app',
          ...place,
          ready: 0,
          owner: { kind: 'CockpitControlPlane', name: 'cockpit' },
        }),
      ]),
    );
    expect((await read('cluster.dashboard')).attention).toMatchObject([
      { id: 'CockpitControlPlane/shop/cockpit', state: 'failing', place: { tab: 'controlPlanes' } },
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
