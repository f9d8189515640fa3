import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { object, readingCluster } from '../cluster/harness.ts';

const crashing = (name: string) =>
  object(
    'v1',
    'Pod',
    { name, namespace: 'shop' },
    {
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:00:00Z' } },
          },
        ],
      },
    },
  );

describe('a diagnosis in the background', () => {
  it('reads only the logs of containers that have changed; one that somebody asks for reads all', async () => {
    const plain = objectCluster([crashing('one'), crashing('two')]);
    const asked: string[] = [];
    const cluster: Cluster = {
      ...plain,
      async logs({ pod, previous }) {
        asked.push(`${pod}${previous === true ? ' previous' : ''}`);
        return { state: 'read', bytes: (async function* () {})() };
      },
    };
    const { console_, get } = await readingCluster(cluster);
    const diagnosedAt = async (): Promise<string | undefined> =>
      JSON.parse((await get('/api/dashboard')).text).diagnosis?.at;
    const diagnosed = async (before: string | undefined): Promise<string | undefined> => {
      await expect.poll(diagnosedAt, { timeout: 15_000, interval: 200 }).not.toBe(before);
      return diagnosedAt();
    };

    const first = await diagnosed(undefined);
    expect(asked.toSorted()).toEqual(['one', 'one previous', 'two', 'two previous']);

    asked.length = 0;
    plain.objects.push(crashing('three'));
    console_.advance(31_000);
    await diagnosed(first);
    expect(asked.toSorted()).toEqual(['three', 'three previous']);

    asked.length = 0;
    expect((await get('/api/troubleshoot')).status).toBe(200);
    expect(asked).toHaveLength(6);
  }, 40_000);
});
