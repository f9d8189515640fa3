import { describe, expect, it } from 'vitest';
import { noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import {
  deployment,
  minutesAgo,
  namespace,
  object,
  pod,
  readingCluster,
  service,
  waiting,
} from './harness.ts';

const place = { namespace: 'tenant-willow' } as const;
const noSecret = waiting('CreateContainerConfigError', 'secret "cockpit-db" not found');

async function onlyRow(
  objects: Parameters<typeof objectCluster>[0],
  options: Parameters<typeof objectCluster>[1] = {},
) {
  const { read } = await readingCluster(objectCluster(objects, options));
  const { items, ...answer } = await read('cluster.namespaces');
  expect(items).toHaveLength(1);
  const [row] = items;
  if (row === undefined) throw new Error('no namespace');
  return { row, answer };
}

describe('namespaces', () => {
  it('are healthy when everything in them is, with what is in them counted (CON-086, RTE-002)', async () => {
    const { row, answer } = await onlyRow([
      namespace('tenant-willow', { 'platform.dev/tenant': 'willow' }),
      deployment({ name: 'api', ...place, replicas: 2 }),
      pod({ name: 'api-7f-a', of: 'api', ...place }),
      pod({ name: 'api-7f-b', of: 'api', ...place }),
      service({ name: 'api', ...place }),
    ]);
    expect(row).toMatchObject({
      name: 'tenant-willow',
      phase: 'Active',
      tenant: 'willow',
      counts: { pods: 2, deployments: 1, statefulsets: 0, daemonsets: 0, jobs: 0, cronjobs: 0, services: 1 },
      pods_ready: 2,
      restarts: 0,
      failing_pods: [],
      warning_events: 0,
      quotas: [],
      verdict: { state: 'healthy', reasons: [] },
    });
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true, unmeasured: [] });
  });

  it('say which workload is short, of which pod, and what that pod lacks (BCK-061)', async () => {
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      deployment({ name: 'cockpit-api', ...place, replicas: 3, ready: 2 }),
      pod({ name: 'cockpit-api-7f-a', of: 'cockpit-api', ...place }),
      pod({ name: 'cockpit-api-7f-b', of: 'cockpit-api', ...place }),
      pod({ name: 'cockpit-api-7f-c', of: 'cockpit-api', ...place, status: noSecret }),
    ]);
    expect(row.verdict).toEqual({
      state: 'degraded',
      reasons: [
        'Deployment cockpit-api: 2 of 3 replicas ready; cockpit-api-7f-c cannot start: Secret cockpit-db does not exist',
      ],
    });
    expect(row.failing_pods).toEqual([
      {
        name: 'cockpit-api-7f-c',
        status: 'CreateContainerConfigError',
        reason: 'cannot start: Secret cockpit-db does not exist',
      },
    ]);
    expect(row.pods_ready).toBe(2);
  });

  it('fail when a workload has no ready replica or a pod of nobody fails', async () => {
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      deployment({ name: 'api', ...place, ready: 0 }),
      pod({ name: 'api-7f-a', of: 'api', ...place, status: noSecret }),
      pod({ name: 'debug', ...place, status: noSecret }),
    ]);
    expect(row.verdict.state).toBe('failing');
    expect(row.verdict.reasons).toEqual([
      'Deployment api: 0 of 1 replicas ready; api-7f-a cannot start: Secret cockpit-db does not exist',
      'Pod debug: cannot start: Secret cockpit-db does not exist',
    ]);
  });

  it('do not fail for what is left of a pod that was evicted and replaced', async () => {
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      deployment({ name: 'api', ...place }),
      pod({ name: 'api-7f-a', of: 'api', ...place }),
      pod({
        name: 'api-7f-old',
        of: 'api',
        ...place,
        status: {
          phase: 'Failed',
          reason: 'Evicted',
          message: 'The node was low on memory.',
          containerStatuses: [],
        },
      }),
    ]);
    expect(row.verdict).toEqual({ state: 'healthy', reasons: [] });
    expect(row.failing_pods).toEqual([]);
  });

  it('name a Deployment whose pods cannot even be made', async () => {
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      deployment({
        name: 'api',
        ...place,
        ready: 0,
        conditions: [
          {
            type: 'ReplicaFailure',
            status: 'True',
            reason: 'FailedCreate',
            message: 'exceeded quota: compute',
          },
        ],
      }),
    ]);
    expect(row.verdict).toEqual({
      state: 'failing',
      reasons: ['Deployment api: 0 of 1 replicas ready; its pods cannot be made: exceeded quota: compute'],
    });
  });

  it('are degraded by a quota that is used up, and say its share', async () => {
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      pod({ name: 'one', ...place }),
      object(
        'v1',
        'ResourceQuota',
        { name: 'compute', ...place },
        {
          status: {
            hard: { 'requests.cpu': '8', pods: '10', services: '0' },
            used: { 'requests.cpu': '8000m', pods: '1' },
          },
        },
      ),
    ]);
    expect(row.quotas[0]?.items).toEqual([
      { resource: 'requests.cpu', used: '8000m', hard: '8', share: 1 },
      { resource: 'pods', used: '1', hard: '10', share: 0.1 },
      { resource: 'services', used: '0', hard: '0' },
    ]);
    expect(row.verdict).toEqual({
      state: 'degraded',
      reasons: ['quota compute: requests.cpu 8000m of 8 used'],
    });
  });

  it('count the warnings of the last hour, by either event API', async () => {
    const event = (name: string, fields: Record<string, unknown>) =>
      object(
        'v1',
        'Event',
        { name, ...place },
        {
          involvedObject: { kind: 'Pod', name: 'api', ...place },
          reason: 'BackOff',
          message: 'Back-off restarting failed container',
          ...fields,
        },
      );
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      event('a', { type: 'Warning', lastTimestamp: minutesAgo(10) }),
      event('b', {
        type: 'Warning',
        eventTime: minutesAgo(200),
        series: { count: 4, lastObservedTime: minutesAgo(20) },
      }),
      event('c', { type: 'Warning', lastTimestamp: minutesAgo(70) }),
      event('d', { type: 'Normal', lastTimestamp: minutesAgo(5) }),
    ]);
    expect(row.warning_events).toBe(2);
    expect(row.verdict.state).toBe('empty');
  });

  it('quote the event that names why a pod does not start', async () => {
    const event = (name: string, seen: number, message: string, reason = 'FailedMount') =>
      object(
        'v1',
        'Event',
        { name, ...place },
        {
          involvedObject: { kind: 'Pod', name: 'api-7f-a', ...place },
          type: 'Warning',
          reason,
          message,
          lastTimestamp: minutesAgo(seen),
        },
      );
    const { row } = await onlyRow([
      namespace('tenant-willow'),
      deployment({ name: 'api', ...place, ready: 0 }),
      pod({
        name: 'api-7f-a',
        of: 'api',
        ...place,
        status: { ...waiting('ContainerCreating', ''), phase: 'Pending', startTime: minutesAgo(20) },
      }),
      event('older', 12, 'MountVolume.SetUp failed for volume "tls" : secret "old-tls" not found'),
      event('cause', 3, 'MountVolume.SetUp failed for volume "tls" : secret "api-tls" not found'),
      event('waited', 2, 'Unable to attach or mount volumes: unmounted volumes=[tls]: timed out'),
      event('other', 1, 'Back-off restarting failed container', 'BackOff'),
    ]);
    const why =
      'has been starting for 20 min: ContainerCreating, MountVolume.SetUp failed for volume "tls" : secret "api-tls" not found';
    expect(row.failing_pods).toEqual([{ name: 'api-7f-a', status: 'ContainerCreating', reason: why }]);
    expect(row.verdict.reasons).toEqual([`Deployment api: 0 of 1 replicas ready; api-7f-a ${why}`]);
  });

  it('of a bundle are judged at the time it was taken (RTE-009)', async () => {
    const taken = Date.parse(minutesAgo(60 * 24 * 30));
    const recently = new Date(taken - 60_000).toISOString();
    const starting = waiting('ContainerCreating', '', {});
    const { row, answer } = await onlyRow(
      [
        namespace('tenant-willow'),
        pod({ name: 'new', ...place, status: { ...starting, phase: 'Pending', startTime: recently } }),
        object(
          'v1',
          'Event',
          { name: 'e', ...place },
          {
            type: 'Warning',
            lastTimestamp: recently,
            involvedObject: { kind: 'Pod', name: 'new', ...place },
          },
        ),
      ],
      { source: 'bundle', takenAt: taken },
    );
    expect(row.failing_pods).toEqual([]);
    expect(row.warning_events).toBe(1);
    expect(answer).toMatchObject({ source: 'bundle', read_at: new Date(taken).toISOString() });
  });

  it('leave out the counts of kinds that were not read, and give no verdict without pods (RTE-003)', async () => {
    const { row, answer } = await onlyRow([namespace('tenant-willow'), service({ name: 'api', ...place })], {
      states: {
        pods: { state: 'forbidden', gaps: ['Forbidden: list pods.'] },
        events: { state: 'forbidden', gaps: ['Forbidden: list events.'] },
      },
    });
    expect(row.counts).not.toHaveProperty('pods');
    expect(row).not.toHaveProperty('pods_ready');
    expect(row).not.toHaveProperty('restarts');
    expect(row).not.toHaveProperty('warning_events');
    expect(row.counts.services).toBe(1);
    expect(row.verdict).toEqual({ state: 'not_read', reasons: ['its pods were not read'] });
    expect(answer).toMatchObject({
      complete: false,
      unmeasured: ['Forbidden: list pods.', 'Forbidden: list events.'],
    });
  });

  it('that were refused are not taken for empty ones', async () => {
    const { read } = await readingCluster(
      objectCluster([namespace('open'), namespace('refused'), pod({ name: 'one', namespace: 'open' })], {
        states: { pods: { state: 'partly', gaps: ['Forbidden: list pods in refused.'] } },
      }),
    );
    const { items } = await read('cluster.namespaces');
    expect(items.map(({ name, verdict }) => [name, verdict.state])).toEqual([
      ['open', 'healthy'],
      ['refused', 'not_read'],
    ]);
    expect(items[1]?.counts).not.toHaveProperty('pods');
  });

  it('are found by what is in them where they may not be listed', async () => {
    const { row, answer } = await onlyRow([pod({ name: 'one', ...place })], {
      states: { namespaces: { state: 'forbidden', gaps: ['Forbidden: list namespaces.'] } },
    });
    expect(row.name).toBe('tenant-willow');
    expect(row).not.toHaveProperty('phase');
    expect(answer.complete).toBe(false);
  });

  it('are none, with the reason, while no cluster is attached (CON-009, CON-187, RTE-002, RTE-003)', async () => {
    const { read } = await readingCluster(noCluster(Date.now));
    expect(await read('cluster.namespaces')).toMatchObject({
      items: [],
      source: 'unavailable',
      complete: false,
      unmeasured: ['No cluster is attached: connect one from a kubeconfig, or open a bundle.'],
    });
  });

  it('show a change at once, although answers are kept', async () => {
    const cluster = objectCluster([namespace('tenant-willow'), pod({ name: 'one', ...place })]);
    const { read } = await readingCluster(cluster);
    const states = async () => (await read('cluster.namespaces')).items.map(({ verdict }) => verdict.state);
    expect(await states()).toEqual(['healthy']);
    cluster.objects.push(pod({ name: 'two', ...place, status: noSecret }));
    expect(await states()).toEqual(['failing']);
  });
});

describe('one namespace', () => {
  it('shows its workloads, its failing pods first, and its warnings newest first', async () => {
    const { read } = await readingCluster(
      objectCluster([
        namespace('tenant-willow'),
        namespace('other'),
        pod({ name: 'elsewhere', namespace: 'other' }),
        deployment({ name: 'api', ...place, replicas: 2, ready: 1 }),
        pod({ name: 'api-7f-a', of: 'api', ...place }),
        pod({
          name: 'api-7f-b',
          of: 'api',
          ...place,
          status: waiting('CrashLoopBackOff', 'back-off 5m0s restarting failed container', {
            restartCount: 12,
            lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: minutesAgo(3) } },
          }),
        }),
        ...['old', 'new'].map((name, index) =>
          object(
            'v1',
            'Event',
            { name, ...place },
            {
              type: 'Warning',
              reason: 'BackOff',
              message: `Back-off ${name}`,
              count: 7,
              firstTimestamp: minutesAgo(50),
              lastTimestamp: minutesAgo(40 - 20 * index),
              involvedObject: { kind: 'Pod', name: 'api-7f-b', ...place },
            },
          ),
        ),
      ]),
    );
    const answer = await read('cluster.namespace', '/api/namespaces/tenant-willow');
    expect(answer.namespace?.name).toBe('tenant-willow');
    expect(answer.workloads).toMatchObject([
      {
        kind: 'Deployment',
        name: 'api',
        ready: 1,
        desired: 2,
        restarts: 12,
        state: 'degraded',
        reason:
          '1 of 2 replicas ready; api-7f-b container main keeps crashing: OOMKilled, exit code 137, 12 restarts',
      },
    ]);
    expect(answer.pods.map(({ name }) => name)).toEqual(['api-7f-b', 'api-7f-a']);
    expect(answer.pods[0]).toMatchObject({
      status: 'CrashLoopBackOff',
      state: 'failing',
      ready: 0,
      restarts: 12,
      owner: { kind: 'Deployment', name: 'api', namespace: 'tenant-willow' },
      requests: { cpu_cores: 0.1, memory_bytes: 64 * 2 ** 20 },
      containers: [
        {
          name: 'main',
          kind: 'container',
          ready: false,
          status: 'CrashLoopBackOff',
          last_ended: 'OOMKilled, exit code 137',
          last_ended_at: minutesAgo(3),
        },
      ],
    });
    expect(answer.events.map(({ message, count }) => [message, count])).toEqual([
      ['Back-off new', 7],
      ['Back-off old', 7],
    ]);
  });

  it('is 404 when there is none of that name', async () => {
    const { get } = await readingCluster(objectCluster([namespace('other')]));
    const { status, text } = await get('/api/namespaces/tenant-willow');
    expect(status).toBe(404);
    expect(text).toContain('There is no namespace tenant-willow in this cluster.');
  });

  it('is absent, and not missing, while the cluster does not answer', async () => {
    const { read } = await readingCluster(noCluster(Date.now));
    const answer = await read('cluster.namespace', '/api/namespaces/tenant-willow');
    expect(answer).not.toHaveProperty('namespace');
    expect(answer).toMatchObject({ pods: [], source: 'unavailable' });
  });
});
