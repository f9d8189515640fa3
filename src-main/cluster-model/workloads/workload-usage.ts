import type { Metrics } from '#shared/api/cluster-routes.ts';
import type { Steps } from '#shared/steps.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { PodObject } from '../kinds/pods.ts';
import { keyOf, type OwnerOf } from '../owners.ts';
import { type Amounts, add, amountsOf, podAmounts, quantitiesOf } from '../quantities.ts';

type WorkloadUsage = Metrics['workloads'][number];
type PodMetrics = ObjectOf<typeof resources.podMetrics>;

/** CPU and memory that each workload's measured pods use together, against what the same pods request and may use. */
export function* usageByWorkload(
  metrics: readonly PodMetrics[],
  pods: readonly PodObject[],
  ownerOf: OwnerOf,
): Steps<WorkloadUsage[]> {
  const podOf = new Map(pods.map((pod) => [keyOf({ kind: 'Pod', ...pod.metadata }), pod]));
  const sums = new Map<
    string,
    {
      ref: { kind: string; name: string; namespace: string };
      used: Amounts;
      requests: Amounts;
      limits: Amounts;
    }
  >();
  for (const [at, { metadata, containers }] of metrics.entries()) {
    if (at % 100 === 0) yield;
    const pod = podOf.get(keyOf({ kind: 'Pod', ...metadata }));
    if (pod === undefined) continue;
    const { kind, name } = ownerOf(pod) ?? { kind: 'Pod', name: metadata.name };
    const ref = { kind, name, namespace: metadata.namespace ?? '' };
    const before = sums.get(keyOf(ref)) ?? { ref, used: {}, requests: {}, limits: {} };
    const used = containers.map(({ usage }) =>
      amountsOf({ cpu: usage.cpu ?? '', memory: usage.memory ?? '' }),
    );
    sums.set(keyOf(ref), {
      ref,
      used: used.reduce(add, before.used),
      requests: add(before.requests, podAmounts(pod)),
      limits: add(before.limits, podAmounts(pod, 'limits')),
    });
  }
  return [...sums.values()].flatMap(({ ref, used, requests, limits }) => {
    const { cpu_cores, memory_bytes } = quantitiesOf(used);
    // Without either there is nothing to hold against the requests.
    if (cpu_cores === undefined || memory_bytes === undefined) return [];
    return [
      { ...ref, cpu_cores, memory_bytes, requests: quantitiesOf(requests), limits: quantitiesOf(limits) },
    ];
  });
}
