import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { deployment, object, pod, readingCluster, service, slice, waiting } from './harness.ts';

const place = { namespace: 'shop' } as const;
const probed = { readinessProbe: { httpGet: { path: '/readyz', port: 7100 } } };

async function onlyService(objects: RawObject[], options: Parameters<typeof objectCluster>[1] = {}) {
  const { read } = await readingCluster(objectCluster(objects, options));
  const { items, ...answer } = await read('cluster.services');
  expect(items).toHaveLength(1);
  const [row] = items;
  if (row === undefined) throw new Error('no service');
  return { row, answer };
}

describe('services', () => {
  it('say what serves them and whether a readiness probe backs it (CON-088)', async () => {
    const { row } = await onlyService([
      service({ name: 'api', ...place, port: 80, target: 'http' }),
      slice('api', 'shop', { 'api-7f-a': true, 'api-7f-b': true }),
      deployment({ name: 'api', ...place, replicas: 2 }),
      pod({ name: 'api-7f-a', of: 'api', ...place, container: probed }),
      pod({ name: 'api-7f-b', of: 'api', ...place, container: probed }),
    ]);
    expect(row).toEqual({
      name: 'api',
      namespace: 'shop',
      type: 'ClusterIP',
      ports: [{ name: 'http', port: 80, target: 'http', protocol: 'TCP' }],
      workload: { kind: 'Deployment', name: 'api', namespace: 'shop' },
      ready: 2,
      desired: 2,
      readiness_probe: true,
      endpoints: { ready: 2, total: 2 },
      state: 'healthy',
    });
  });

  it('say that no probe backs what they call ready', async () => {
    const { row } = await onlyService([
      service({ name: 'api', ...place }),
      slice('api', 'shop', { 'api-7f-a': true }),
      pod({ name: 'api-7f-a', of: 'api', ...place }),
    ]);
    expect(row.readiness_probe).toBe(false);
  });

  it('fail when no pod has their labels', async () => {
    const { row } = await onlyService([
      service({ name: 'api', ...place, selector: { app: 'apj', tier: 'web' } }),
      pod({ name: 'api-7f-a', of: 'api', ...place }),
    ]);
    expect(row).toMatchObject({
      endpoints: { ready: 0, total: 0 },
      state: 'failing',
      reason: 'no endpoints: no pod has the labels app=apj, tier=web',
    });
    expect(row).not.toHaveProperty('readiness_probe');
  });

  it('fail when their port is named and no container has it', async () => {
    const { row } = await onlyService([
      service({ name: 'api', ...place, target: 'web' }),
      pod({
        name: 'api-7f-a',
        of: 'api',
        ...place,
        container: { ports: [{ name: 'http', containerPort: 80 }] },
      }),
    ]);
    expect(row.reason).toBe('no endpoints: no container of its pods has a port named web');
  });

  it('fail, and name the pod, when none of their pods is ready', async () => {
    const { row } = await onlyService([
      service({ name: 'api', ...place }),
      slice('api', 'shop', { 'api-7f-a': false }),
      pod({
        name: 'api-7f-a',
        of: 'api',
        ...place,
        status: waiting('ErrImagePull', 'failed to resolve reference "registry.example/main:1": not found'),
      }),
    ]);
    expect(row).toMatchObject({
      state: 'failing',
      reason:
        'none of 1 endpoint ready; api-7f-a image registry.example/main:1 cannot be pulled: the registry does not have it',
    });
  });

  it('are idle when their workload is scaled to 0, and when they lead elsewhere', async () => {
    const scaled = await onlyService([
      service({ name: 'api', ...place }),
      deployment({ name: 'api', ...place, replicas: 0 }),
    ]);
    expect(scaled.row).toMatchObject({
      workload: { kind: 'Deployment', name: 'api' },
      desired: 0,
      state: 'idle',
      reason: 'Deployment api is scaled to 0',
    });
    const elsewhere = await onlyService([
      service({
        name: 'db',
        ...place,
        selector: {},
        spec: { type: 'ExternalName', externalName: 'db.example.com' },
      }),
    ]);
    expect(elsewhere.row).toMatchObject({
      state: 'idle',
      reason: 'points outside the cluster, to db.example.com',
    });
    expect(elsewhere.row).not.toHaveProperty('endpoints');
  });

  it('count what has two address families once, and what is being removed not at all', async () => {
    const six = object(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      { name: 'api-v6', ...place, labels: { 'kubernetes.io/service-name': 'api' } },
      {
        endpoints: [
          { addresses: ['fd00::1'], conditions: {}, targetRef: { kind: 'Pod', name: 'api-7f-a' } },
          { addresses: ['fd00::2'], conditions: { ready: false, terminating: true } },
        ],
      },
    );
    const { row } = await onlyService([
      service({ name: 'api', ...place }),
      slice('api', 'shop', { 'api-7f-a': true }),
      six,
    ]);
    expect(row.endpoints).toEqual({ ready: 1, total: 1 });
  });

  it('are read from Endpoints where a bundle holds no slices', async () => {
    const { row, answer } = await onlyService(
      [
        service({ name: 'api', ...place }),
        object(
          'v1',
          'Endpoints',
          { name: 'api', ...place },
          {
            subsets: [
              { addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [] },
            ],
          },
        ),
      ],
      {
        source: 'bundle',
        takenAt: Date.parse('2026-11-01T00:00:00Z'),
        states: {
          'endpointslices.discovery.k8s.io': {
            state: 'not_collected',
            gaps: ['No endpointslices in the bundle.'],
          },
        },
      },
    );
    expect(row).toMatchObject({ endpoints: { ready: 1, total: 2 }, state: 'working' });
    expect(answer).toMatchObject({ complete: true, unmeasured: [] });
  });

  it('are not judged when neither slices nor Endpoints were read', async () => {
    const none = { state: 'not_collected', gaps: ['Not in the bundle.'] } as const;
    const { row, answer } = await onlyService([service({ name: 'api', ...place })], {
      states: { 'endpointslices.discovery.k8s.io': none, endpoints: none },
    });
    expect(row).toMatchObject({ state: 'not_read', reason: 'its endpoints were not read' });
    expect(row).not.toHaveProperty('endpoints');
    expect(answer.complete).toBe(false);
  });

  it('are those of one namespace when it is named', async () => {
    const { read } = await readingCluster(
      objectCluster([service({ name: 'api', ...place }), service({ name: 'api', namespace: 'other' })]),
    );
    const { items } = await read('cluster.services', '/api/services?namespace=other');
    expect(items.map(({ namespace }) => namespace)).toEqual(['other']);
    expect((await read('cluster.services')).items).toHaveLength(2);
  });
});
