import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { deployment, minutesAgo, namespace, object, pod, waiting } from '../cluster/harness.ts';
import { diagnosed } from './harness.ts';

// Faults of the diagnosis that the sample bundles showed: what was told and is not so, and what is so and was not told.

type Fields = Record<string, unknown>;
const place = { namespace: 'shop' };

/** `symptom Kind/name` of every finding, on objects and with logs of pods. */
async function told(
  objects: readonly RawObject[],
  options?: Parameters<typeof diagnosed>[1],
): Promise<string[]> {
  const { report } = await diagnosed([namespace('shop'), ...objects], options);
  return report.findings.flatMap(({ symptom, objects: on }) =>
    on.map(({ kind, name }) => `${symptom} ${kind}/${name}`),
  );
}

describe('a Deployment as it was written, before it came to a cluster', () => {
  const { status, ...manifest } = deployment({ name: 'web', ...place, ready: 0 });

  it('is short of nothing: nobody has tried to run it', async () => {
    const metadata = { name: 'web', generation: 1 };
    expect(await told([manifest])).toEqual([]);
    expect(await told([{ ...manifest, metadata }], { source: 'bundle' })).toEqual([]);
  });

  it('is short of pods once its cluster has answered', async () => {
    expect(await told([{ ...manifest, status }])).toEqual(['workload-has-no-pods Deployment/web']);
  });
});

describe('a ReplicaSet whose Deployment was not collected', () => {
  const set = (ready: number, minutes: number, replicas = 2) =>
    object(
      'apps/v1',
      'ReplicaSet',
      {
        name: 'web-7f',
        ...place,
        creationTimestamp: minutesAgo(minutes),
        ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true, uid: 'u' }],
      },
      { spec: { replicas, template: {} }, status: { replicas, readyReplicas: ready } },
    );

  it('says what the Deployment lacks', async () => {
    expect(await told([set(0, 11)])).toEqual(['workload-short Deployment/web']);
  });

  it.each([
    ['it has its pods', [set(2, 11)]],
    ['it is asked for none', [set(0, 11, 0)]],
    ['it was made nine minutes ago', [set(0, 9)]],
    ['its Deployment is there, and well', [set(1, 11), deployment({ name: 'web', ...place, ready: 1 })]],
    [
      'one of its pods is being started',
      [
        set(1, 11),
        pod({
          name: 'web-7f-1',
          ...place,
          of: 'web',
          status: { ...waiting('ContainerCreating', ''), phase: 'Pending', startTime: minutesAgo(0) },
        }),
      ],
    ],
  ])('says nothing while %s', async (_when, objects) => {
    expect(await told(objects)).toEqual([]);
  });
});

describe('a container that its node has lost', () => {
  const lost = (more: Fields) =>
    pod({
      name: 'web-1',
      ...place,
      status: {
        phase: 'Failed',
        conditions: [{ type: 'Ready', status: 'False' }],
        containerStatuses: [
          {
            name: 'main',
            ready: false,
            restartCount: 0,
            state: { terminated: { reason: 'ContainerStatusUnknown', exitCode: 137 } },
          },
        ],
        ...more,
      },
    });

  it('follows from the eviction of its pod, where that is known', async () => {
    const message = 'The node was low on resource: ephemeral-storage.';
    expect(await told([lost({ reason: 'Evicted', message })])).toEqual(['pod-evicted Pod/web-1']);
  });

  it('is told where nothing is known of why', async () => {
    expect(await told([lost({})])).toContain('killed-without-reason Pod/web-1');
  });
});

describe('a pod that waits', () => {
  const killed = { lastState: { terminated: { reason: 'Error', exitCode: 137, finishedAt: minutesAgo(2) } } };

  it('for its postStart hook, which killed it, is told so, and not that something killed it', async () => {
    const hook = 'Exec lifecycle hook ([/bin/false]) failed - error: command exited with 1';
    const waits = pod({ name: 'web-1', ...place, status: waiting('PostStartHookError', hook, killed) });
    expect(await told([waits])).toEqual(['post-start-hook-failed Pod/web-1']);
  });

  it('in a crash loop of the same exit code is told as killed', async () => {
    const waits = pod({ name: 'web-1', ...place, status: waiting('CrashLoopBackOff', 'back-off', killed) });
    expect(await told([waits])).toEqual(['crash-exit-137 Pod/web-1']);
  });

  it('for a scheduling gate is told, although nothing of it has failed', async () => {
    const gate = (reason: string) =>
      pod({
        name: 'web-1',
        ...place,
        status: {
          phase: 'Pending',
          startTime: undefined,
          conditions: [{ type: 'PodScheduled', status: 'False', reason, message: 'Scheduling is blocked' }],
          containerStatuses: [],
        },
      });
    expect(await told([gate('SchedulingGated')])).toEqual(['scheduling-gated Pod/web-1']);
    expect(await told([gate('Unschedulable')])).toEqual(['unschedulable Pod/web-1']);
  });
});

describe('a controller that lost its lease', () => {
  const at = minutesAgo(10);
  const restarted = pod({
    name: 'operator-1',
    ...place,
    status: {
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          restartCount: 1,
          state: { running: { startedAt: at } },
          lastState: { terminated: { reason: 'Error', exitCode: 1, finishedAt: at } },
        },
      ],
    },
  });
  const away = `${at} failed to list pods: the server is currently unable to handle the request`;
  const timedOut = `${at} failed to release lock: dial tcp 10.0.0.2:6443: i/o timeout`;

  it('has one finding, which holds what it said of the API server', async () => {
    const logs = { 'shop/operator-1/main': `${away}\n${timedOut}\n${at} leader election lost\n` };
    expect(await told([restarted], { logs })).toEqual(['leader-lost Pod/operator-1']);
  });

  it('did not lose it when it only said that the API server was away', async () => {
    const logs = { 'shop/operator-1/main': `${away}\n` };
    expect(await told([restarted], { logs })).toEqual(
      expect.arrayContaining(['api-server-overloaded Pod/operator-1', 'restarts-recovered Pod/operator-1']),
    );
  });
});
