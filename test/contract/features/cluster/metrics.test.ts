import { describe, expect, it } from 'vitest';
import { noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { object, pod, readingCluster } from './harness.ts';

const place = { namespace: 'shop' } as const;
const used = (name: string, cpu: string, memory: string) =>
  object(
    'metrics.k8s.io/v1beta1',
    'PodMetrics',
    { name, ...place },
    {
      timestamp: '2026-11-21T12:00:00Z',
      containers: [{ name: 'main', usage: { cpu, memory } }],
    },
  );
const limited = (name: string) =>
  pod({
    name,
    of: 'api',
    ...place,
    container: { resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { memory: '128Mi' } } },
  });
const measured = [
  limited('api-7f-a'),
  limited('api-7f-b'),
  used('api-7f-a', '125000000n', '32Mi'),
  used('api-7f-b', '50m', '33554432'),
  used('gone', '1', '1Gi'),
];

describe('metrics', () => {
  it('sum what the pods of a workload use, against what the same pods request and may use (CON-093)', async () => {
    const { read } = await readingCluster(objectCluster(measured));
    const { workloads, process: own, ...answer } = await read('cluster.metrics');
    expect(workloads).toEqual([
      {
        kind: 'Deployment',
        name: 'api',
        namespace: 'shop',
        cpu_cores: 0.175,
        memory_bytes: 64 * 2 ** 20,
        requests: { cpu_cores: 0.5, memory_bytes: 128 * 2 ** 20 },
        limits: { memory_bytes: 256 * 2 ** 20 },
      },
    ]);
    expect(own.rss_bytes).toBeGreaterThan(own.heap_used_bytes / 10);
    expect(own.heap_total_bytes).toBeGreaterThanOrEqual(own.heap_used_bytes);
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true });
  });

  it('say that the cluster measures nothing, rather than that nothing is used', async () => {
    const { read } = await readingCluster(
      objectCluster([limited('api-7f-a')], {
        states: { 'pods.metrics.k8s.io': { state: 'not_served', gaps: [] } },
      }),
    );
    expect(await read('cluster.metrics')).toMatchObject({
      workloads: [],
      complete: false,
      unmeasured: [
        'The cluster does not serve metrics.k8s.io: no metrics-server, so what workloads use is not known.',
      ],
    });
  });

  it('of this process are there without any cluster (CON-093)', async () => {
    const { read } = await readingCluster(noCluster(Date.now));
    const answer = await read('cluster.metrics');
    expect(answer.source).toBe('unavailable');
    expect(answer.process.uptime_seconds).toBeGreaterThanOrEqual(0);
  });

  it('are Prometheus text for a scraper, and JSON for everybody else (RTE-021)', async () => {
    const { get } = await readingCluster(objectCluster(measured));
    const scraper =
      'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    for (const accept of ['text/plain; version=0.0.4', scraper]) {
      const { text, headers } = await get('/api/metrics', { accept });
      expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      const lines = text.split('\n');
      expect(lines).toContain('# TYPE console_workload_cpu_cores gauge');
      expect(lines).toContain(
        'console_workload_memory_bytes{namespace="shop",kind="Deployment",name="api"} 67108864',
      );
      expect(lines.filter((line) => line.startsWith('process_resident_memory_bytes '))).toHaveLength(1);
      // What no pod limits has no sample.
      expect(text).not.toContain('console_workload_cpu_limits_cores');
      // Each line is a comment or a sample, and the last one ends.
      for (const line of lines.slice(0, -1))
        expect(line).toMatch(/^# (HELP|TYPE) \w+ .+$|^\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+$/);
      expect(lines.at(-1)).toBe('');
    }
    for (const accept of ['*/*', 'text/html', 'text/plain;q=0']) {
      const { headers } = await get('/api/metrics', { accept });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers.vary).toBe('cookie, accept');
    }
  });
});
