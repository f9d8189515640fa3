import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { namespace, node, object, pod, readingCluster } from './harness.ts';

const forWillow = {
  spec: { taints: [{ key: 'platform.dev/dedicated', value: 'willow', effect: 'NoSchedule' }] },
};
const willow = namespace('tenant-willow', { 'platform.dev/tenant': 'willow' });
const birch = namespace('tenant-birch', { 'platform.dev/tenant': 'birch' });
const forbidden = (what: string) => ({ state: 'forbidden', gaps: [`Forbidden: list ${what}.`] }) as const;

async function onlyNode(objects: RawObject[], options: Parameters<typeof objectCluster>[1] = {}) {
  const { read } = await readingCluster(objectCluster(objects, options));
  const { items } = await read('cluster.nodes');
  expect(items).toHaveLength(1);
  const [row] = items;
  if (row === undefined) throw new Error('no node');
  return row;
}

describe('nodes', () => {
  it('say what they have, and what pods that still run on them request (CON-085)', async () => {
    const row = await onlyNode([
      node('node-a', { labels: { 'node-role.kubernetes.io/worker': '' } }),
      pod({ name: 'one', namespace: 'x', requests: { cpu: '250m', memory: '1Gi', 'nvidia.com/gpu': '1' } }),
      pod({ name: 'two', namespace: 'x', requests: { cpu: '0.1', memory: '500M' } }),
      pod({ name: 'done', namespace: 'x', requests: { cpu: '2' }, status: { phase: 'Succeeded' } }),
      pod({ name: 'elsewhere', namespace: 'x', node: 'node-b', requests: { cpu: '2' } }),
    ]);
    expect(row).toMatchObject({
      name: 'node-a',
      ready: true,
      state: 'healthy',
      roles: ['worker'],
      version: 'v1.36.0',
      capacity: { cpu_cores: 4, memory_bytes: 16 * 2 ** 30, pods: 110, gpus: 2 },
      allocatable: { cpu_cores: 3.8 },
      requested: { cpu_cores: 0.35, memory_bytes: 2 ** 30 + 500_000_000, pods: 2, gpus: 1 },
      pods: 2,
      unschedulable: false,
    });
    expect(row).not.toHaveProperty('isolation');
    expect(row).not.toHaveProperty('reason');
  });

  it('count the largest step of a start when it is more than what runs after it, sidecars included', async () => {
    const init = (cpu: string, more = {}) => ({
      name: cpu,
      image: 'i',
      resources: { requests: { cpu } },
      ...more,
    });
    const row = await onlyNode([
      node('node-a'),
      pod({
        name: 'one',
        namespace: 'x',
        requests: { cpu: '100m' },
        // The sidecar runs beside the second step: 200m + 500m is more than 200m + 100m.
        spec: { initContainers: [init('300m'), init('200m', { restartPolicy: 'Always' }), init('500m')] },
      }),
    ]);
    expect(row.requested?.cpu_cores).toBe(0.7);
  });

  it('that are not ready fail with the words of their kubelet', async () => {
    const row = await onlyNode([
      node('node-a', {
        conditions: [{ type: 'Ready', status: 'False', message: 'container runtime network not ready' }],
      }),
    ]);
    expect(row).toMatchObject({
      ready: false,
      state: 'failing',
      reason: 'not ready: container runtime network not ready',
    });
  });

  it('name their pressures, and that they are cordoned', async () => {
    const row = await onlyNode([
      node('node-a', {
        spec: { unschedulable: true },
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'MemoryPressure', status: 'True' },
          { type: 'DiskPressure', status: 'False' },
        ],
      }),
    ]);
    expect(row).toMatchObject({
      state: 'degraded',
      pressures: ['memory'],
      unschedulable: true,
      reason: 'under memory pressure; cordoned: it takes no new pods',
    });
  });

  it('that are dedicated name the pods of others, and leave out what runs on every node (CON-085)', async () => {
    const row = await onlyNode([
      node('node-a', forWillow),
      willow,
      birch,
      pod({ name: 'own', namespace: 'tenant-willow' }),
      pod({ name: 'lent', namespace: 'tenant-birch', labels: { 'platform.dev/tenant': 'willow' } }),
      pod({ name: 'intruder', namespace: 'tenant-birch' }),
      pod({ name: 'agent', namespace: 'tenant-birch', owner: { kind: 'DaemonSet', name: 'agent' } }),
      pod({ name: 'done', namespace: 'tenant-birch', status: { phase: 'Failed' } }),
    ]);
    expect(row).toMatchObject({
      dedicated_to: 'willow',
      isolation: {
        holds: false,
        intruders: [{ kind: 'Pod', name: 'intruder', namespace: 'tenant-birch' }],
      },
      state: 'degraded',
      reason: 'dedicated to willow, but 1 pod of others on it',
    });
  });

  it('that are dedicated by their label, and kept to it, hold', async () => {
    const row = await onlyNode([
      node('node-a', { labels: { 'platform.dev/dedicated': 'willow' } }),
      willow,
      pod({ name: 'own', namespace: 'tenant-willow' }),
    ]);
    expect(row).toMatchObject({ isolation: { holds: true, intruders: [] }, state: 'healthy' });
  });

  it('hold a pod against nobody while namespaces, which may say whose it is, were not read', async () => {
    const objects = [node('node-a', forWillow), pod({ name: 'whose', namespace: 'tenant-willow' })];
    const states = { namespaces: forbidden('namespaces') };
    expect(await onlyNode(objects, { states })).not.toHaveProperty('isolation');
    const intruder = pod({ name: 'birch', namespace: 'y', labels: { 'platform.dev/tenant': 'birch' } });
    expect((await onlyNode([...objects, intruder], { states })).isolation).toEqual({
      holds: false,
      intruders: [{ kind: 'Pod', name: 'birch', namespace: 'y' }],
    });
  });

  it('have lower bounds of pods and requests when pods were read in part only, and nothing when none were', async () => {
    const objects = [
      node('node-a'),
      pod({ name: 'one', namespace: 'x', requests: { cpu: '500m', memory: '1Gi' } }),
    ];
    const row = await onlyNode(objects, {
      states: { pods: { state: 'partly', gaps: ['Forbidden: list pods in y.'] } },
    });
    expect(row).toMatchObject({ pods: 1, at_least: true, requested: { cpu_cores: 0.5, pods: 1 } });
    const unread = await onlyNode(objects, { states: { pods: forbidden('pods') } });
    expect(unread).not.toHaveProperty('requested');
    expect(unread).not.toHaveProperty('pods');
    expect(unread).not.toHaveProperty('at_least');
    expect(await onlyNode(objects)).not.toHaveProperty('at_least');
  });
});

describe('one node', () => {
  it('shows its conditions, labels, events, and its pods by namespace (CON-087)', async () => {
    const { read } = await readingCluster(
      objectCluster([
        node('node-a', { labels: { zone: 'b' } }),
        pod({ name: 'one', namespace: 'b' }),
        pod({ name: 'two', namespace: 'a' }),
        pod({ name: 'elsewhere', namespace: 'a', node: 'node-b' }),
        object(
          'v1',
          'Event',
          { name: 'e', namespace: 'default' },
          {
            type: 'Warning',
            reason: 'Rebooted',
            message: 'Node node-a has been rebooted',
            lastTimestamp: new Date().toISOString(),
            involvedObject: { kind: 'Node', name: 'node-a' },
          },
        ),
      ]),
    );
    const answer = await read('cluster.node', '/api/nodes/node-a');
    expect(answer.node?.name).toBe('node-a');
    expect(answer.conditions).toEqual([{ type: 'Ready', status: 'True', reason: 'KubeletReady' }]);
    expect(answer.labels).toEqual({ zone: 'b' });
    expect(answer.namespaces.map(({ namespace, pods }) => [namespace, pods.map(({ name }) => name)])).toEqual(
      [
        ['a', ['two']],
        ['b', ['one']],
      ],
    );
    expect(answer.events.map(({ reason }) => reason)).toEqual(['Rebooted']);
  });

  it('is 404 when there is none, and absent when nodes may not be listed', async () => {
    const none = await readingCluster(objectCluster([]));
    expect((await none.get('/api/nodes/node-a')).status).toBe(404);
    const refused = await readingCluster(
      objectCluster([pod({ name: 'one', namespace: 'b' })], { states: { nodes: forbidden('nodes') } }),
    );
    const answer = await refused.read('cluster.node', '/api/nodes/node-a');
    expect(answer).not.toHaveProperty('node');
    expect(answer.namespaces).toHaveLength(1);
    expect(answer.unmeasured).toEqual(['Forbidden: list nodes.']);
  });
});
