import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { diagnose, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { minutesAgo, object, pod } from '../cluster/harness.ts';

// What an object went through counts, not the moment in which it was read.

const catalogue = readCatalogue();

async function symptomsOf(
  ...objects: RawObject[]
): Promise<(readonly [symptom: string, severity: string])[]> {
  const { findings } = await diagnose(
    { id: 'a', cluster: objectCluster(objects) },
    { catalogue, now: Date.now, signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
  );
  return findings.map(({ symptom, severity }) => [symptom, severity]);
}

type History = {
  readonly restarts: number;
  readonly ready: boolean;
  /** Minutes for which it runs; undefined while it does not. */
  readonly runs?: number;
  readonly waits?: string;
  readonly exit?: number;
  readonly reason?: string;
  readonly endedAgo?: number;
  /** Minutes since the pod was made. */
  readonly age?: number;
};

function withHistory(it: History): RawObject {
  const { restarts, ready, runs, waits, exit = 1, reason = 'Error', endedAgo = 1, age = 60 } = it;
  const end = {
    exitCode: exit,
    reason,
    finishedAt: minutesAgo(endedAgo),
    startedAt: minutesAgo(endedAgo + 1),
  };
  const isOver = runs === undefined && waits === undefined;
  return pod({
    name: 'web-1',
    namespace: 'shop',
    status: {
      phase: 'Running',
      startTime: minutesAgo(age),
      conditions: [
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status: ready ? 'True' : 'False' },
      ],
      containerStatuses: [
        {
          name: 'main',
          ready,
          started: ready,
          restartCount: restarts,
          image: 'registry.example/main:1',
          state: isOver
            ? { terminated: end }
            : waits === undefined
              ? { running: { startedAt: minutesAgo(runs ?? 0) } }
              : { waiting: { reason: waits } },
          ...(isOver ? {} : { lastState: { terminated: end } }),
        },
      ],
    },
  });
}

describe('a container that keeps crashing', () => {
  it.each<readonly [when: string, symptom: string, history: History]>([
    ['waits for its next run', 'crash-exit-1', { restarts: 12, ready: false, waits: 'CrashLoopBackOff' }],
    ['has just ended', 'crash-exit-1', { restarts: 12, ready: false }],
    ['runs for a moment', 'crash-exit-1', { restarts: 12, ready: false, runs: 0.2, endedAgo: 0.5 }],
    ['runs for a moment and is ready', 'crash-exit-1', { restarts: 12, ready: true, runs: 1, endedAgo: 3 }],
    [
      'ran out of memory, and is ready',
      'out-of-memory',
      { restarts: 9, ready: true, runs: 1, endedAgo: 3, exit: 137, reason: 'OOMKilled' },
    ],
  ])('is one while it %s', async (_, symptom, history) => {
    expect((await symptomsOf(withHistory(history))).map(([id]) => id)).toContain(symptom);
  });

  it.each<readonly [when: string, history: History]>([
    ['it restarted once', { restarts: 1, ready: true, runs: 1, endedAgo: 3 }],
    ['its run has lasted', { restarts: 12, ready: true, runs: 45, endedAgo: 50, age: 90 }],
    ['it restarts once in days', { restarts: 7, ready: true, runs: 1, endedAgo: 3, age: 30 * 1440 }],
    [
      'it ends by itself and is ready between',
      { restarts: 12, ready: true, runs: 1, endedAgo: 3, exit: 0, reason: 'Completed' },
    ],
  ])('is none when %s: what healed is told as past', async (_, history) => {
    const found = await symptomsOf(withHistory(history));
    expect(found.filter(([id, severity]) => /^(?:crash|out-of)/.test(id) || severity !== 'info')).toEqual([]);
  });
});

describe('a condition', () => {
  const gateway = (generation: number, condition: object) =>
    object(
      'gateway.networking.k8s.io/v1',
      'Gateway',
      { name: 'public', namespace: 'edge', generation },
      { spec: { gatewayClassName: 'public', listeners: [] }, status: { conditions: [condition] } },
    );
  const refused = { type: 'Accepted', status: 'False', reason: 'Invalid', message: 'no such class' };

  it('counts for the generation it was said of', async () => {
    const now = { ...refused, observedGeneration: 2, lastTransitionTime: minutesAgo(30) };
    expect(await symptomsOf(gateway(2, now))).not.toEqual([]);
    expect(await symptomsOf(gateway(3, now))).toEqual([]);
  });

  it('of a controller at work is no failure within its grace', async () => {
    const pending = (minutes: number) => ({
      ...refused,
      reason: 'Pending',
      observedGeneration: 2,
      lastTransitionTime: minutesAgo(minutes),
    });
    expect(await symptomsOf(gateway(2, pending(1)))).toEqual([]);
    expect(await symptomsOf(gateway(2, pending(30)))).not.toEqual([]);
  });

  it('of a node that joins is no failure', async () => {
    const node = (minutes: number) =>
      object(
        'v1',
        'Node',
        { name: 'node-a', creationTimestamp: minutesAgo(minutes) },
        {
          spec: {},
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'KubeletNotReady',
                lastTransitionTime: minutesAgo(minutes),
              },
            ],
          },
        },
      );
    expect(await symptomsOf(node(1))).toEqual([]);
    expect((await symptomsOf(node(30))).map(([id]) => id)).toEqual(['node-not-ready']);
  });
});
