import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '#shared/api/cluster-routes.ts';

export type ProcessFacts = Metrics['process'];

/** Sampling interval of the event loop, in ms: long enough that an idle console stays idle. */
const resolution = 100;

/** Measures this process from now on. */
export function measureProcess(counts: {
  readonly openStreams: () => number;
  readonly requests: () => number;
}): () => ProcessFacts {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return () => {
    const memory = process.memoryUsage();
    return {
      rss_bytes: memory.rss,
      heap_used_bytes: memory.heapUsed,
      heap_total_bytes: memory.heapTotal,
      // What is measured is the time between two looks, in ns, of which the interval itself is no delay.
      event_loop_p99_ms: Math.max(0, Math.round(delay.percentile(99) / 1e4 - resolution * 100) / 100),
      open_streams: counts.openStreams(),
      requests: counts.requests(),
      uptime_seconds: Math.round(process.uptime()),
    };
  };
}
