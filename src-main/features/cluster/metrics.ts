import { type Metrics, prometheusText } from '#shared/api/cluster-routes.ts';
import type { Handlers } from '#shared/api/handler.ts';
import {
  type Listing,
  type ObjectOf,
  ownersBy,
  type PodObject,
  resources,
  usageByWorkload,
} from '../../cluster-model/index.ts';
import { clusterReading, keepAnswers, keptOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { measureProcess } from './process-facts.ts';
import { formatPrometheus } from './prometheus-text.ts';

type UsageListings = {
  readonly metrics: Listing<ObjectOf<typeof resources.podMetrics>>;
  readonly pods: Listing<PodObject>;
  readonly replicaSets: Listing<ObjectOf<typeof resources.replicaSets>>;
  readonly jobs: Listing<ObjectOf<typeof resources.jobs>>;
};

/** `GET /api/metrics`, also as Prometheus text. */
export function metricsHandlers(
  targetOf: OpenTargetOf,
  counts: { readonly openStreams: () => number; readonly requests: () => number },
): Pick<Handlers, 'cluster.metrics'> {
  const factsOf = measureProcess(counts);
  const usageOf = keepAnswers<UsageListings, Metrics['workloads']>(
    Object.values,
    (cluster, { metrics, pods, ...owners }) =>
      usageByWorkload(metrics.items, pods.items, ownersBy(owners, keptOf(cluster))),
  );
  return {
    'cluster.metrics': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const [metrics, pods, replicaSets, jobs] = await Promise.all([
        cluster.list(resources.podMetrics),
        cluster.list(resources.pods),
        cluster.list(resources.replicaSets),
        cluster.list(resources.jobs),
      ]);
      const unserved =
        metrics.state === 'not_served'
          ? [
              'The cluster does not serve metrics.k8s.io: no metrics-server, so what workloads use is not known.',
            ]
          : [];
      const answer = {
        process: factsOf(),
        workloads: await usageOf(cluster, { metrics, pods, replicaSets, jobs }, 0),
        ...clusterReading(target, [metrics, pods, replicaSets, jobs], unserved),
      };
      return call.accepts(prometheusText) ? { type: prometheusText, text: formatPrometheus(answer) } : answer;
    },
  };
}
