import type { Metrics } from '#shared/api/cluster-routes.ts';

type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number | undefined };

/** The answer of `GET /api/metrics` in the Prometheus text exposition format 0.0.4, in base units. */
export function formatPrometheus({ process, workloads, complete }: Metrics): string {
  const of = (value: (workload: Metrics['workloads'][number]) => number | undefined): Sample[] =>
    workloads.map((workload) => ({
      labels: { namespace: workload.namespace, kind: workload.kind, name: workload.name },
      value: value(workload),
    }));
  const lines = [
    ...family('process_resident_memory_bytes', 'gauge', 'Resident memory of the console.', [
      { value: process.rss_bytes },
    ]),
    ...family('console_heap_used_bytes', 'gauge', 'JavaScript heap in use.', [
      { value: process.heap_used_bytes },
    ]),
    ...family('console_heap_total_bytes', 'gauge', 'JavaScript heap reserved.', [
      { value: process.heap_total_bytes },
    ]),
    ...family(
      'console_event_loop_delay_p99_seconds',
      'gauge',
      'Delay of the event loop since the start, 99th percentile.',
      [{ value: process.event_loop_p99_ms / 1000 }],
    ),
    ...family('console_open_streams', 'gauge', 'Studio streams that are open.', [
      { value: process.open_streams },
    ]),
    ...family('console_requests_total', 'counter', 'Requests answered since the start.', [
      { value: process.requests },
    ]),
    ...family('console_uptime_seconds', 'gauge', 'Time since the start.', [
      { value: process.uptime_seconds },
    ]),
    ...family(
      'console_cluster_read_complete',
      'gauge',
      'Whether all of the cluster that was asked for was read.',
      [{ value: complete ? 1 : 0 }],
    ),
    ...family(
      'console_workload_cpu_cores',
      'gauge',
      'CPU that a workload uses.',
      of(({ cpu_cores }) => cpu_cores),
    ),
    ...family(
      'console_workload_memory_bytes',
      'gauge',
      'Memory that a workload uses.',
      of(({ memory_bytes }) => memory_bytes),
    ),
    ...family(
      'console_workload_cpu_requests_cores',
      'gauge',
      'CPU that a workload requests.',
      of(({ requests }) => requests.cpu_cores),
    ),
    ...family(
      'console_workload_memory_requests_bytes',
      'gauge',
      'Memory that a workload requests.',
      of(({ requests }) => requests.memory_bytes),
    ),
    ...family(
      'console_workload_cpu_limits_cores',
      'gauge',
      'CPU that a workload may use.',
      of(({ limits }) => limits.cpu_cores),
    ),
    ...family(
      'console_workload_memory_limits_bytes',
      'gauge',
      'Memory that a workload may use.',
      of(({ limits }) => limits.memory_bytes),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** A metric with its samples; nothing of one that has none. */
function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string[] {
  const lines = samples.flatMap(({ labels = {}, value }) => {
    if (value === undefined) return [];
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return [`${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`];
  });
  return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
