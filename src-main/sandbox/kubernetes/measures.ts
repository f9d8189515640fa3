import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext, quantity, share } from './context.ts';
import type { WorkloadSeed } from './seed-schema.ts';

/** Returns a running pod's usage: a fraction of its requests, always the same for the same `tick`. */
export function podMetrics(
  context: EstateContext,
  workload: WorkloadSeed,
  pod: KubeObject,
  tick = 0,
): KubeObject {
  const { name, namespace } = pod.metadata;
  const used = (request: string, what: string): number => {
    // The one that ran out of memory is near its end again.
    const near = workload.problem?.kind === 'oom' && what === 'memory';
    return quantity(request) * (near ? 0.96 : 0.15 + 0.55 * share(name, what, tick));
  };
  return {
    apiVersion: 'metrics.k8s.io/v1beta1',
    kind: 'PodMetrics',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), creationTimestamp: ago(context, 0) },
    timestamp: ago(context, 10_000),
    window: '15s',
    containers: [
      {
        name: workload.name,
        usage: {
          cpu: `${Math.round(used(workload.cpu, 'cpu') * 1e9)}n`,
          memory: `${Math.round(used(workload.memory, 'memory') / 1024)}Ki`,
        },
      },
    ],
  };
}

/** The quotas, with what the workloads of their namespaces use of them. */
export function quotas(
  context: EstateContext,
  made: readonly { readonly workload: WorkloadSeed; readonly pods: number }[],
): KubeObject[] {
  return context.seed.namespaces.flatMap(({ name, quota }) => {
    if (quota === undefined) return [];
    const own = made.filter(({ workload }) => workload.namespace === name);
    const sum = (of: (workload: WorkloadSeed) => string): number =>
      own.reduce((total, { workload, pods }) => total + quantity(of(workload)) * pods, 0);
    const used: Readonly<Record<string, string>> = {
      'requests.cpu': `${Math.round(sum(({ cpu }) => cpu) * 1000)}m`,
      'requests.memory': `${Math.round(sum(({ memory }) => memory) / 1024 ** 2)}Mi`,
      'limits.memory': `${Math.round(sum(({ memory, limit = memory }) => limit) / 1024 ** 2)}Mi`,
      pods: String(own.reduce((total, { pods }) => total + pods, 0)),
    };
    return [
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'compute', namespace: name, creationTimestamp: ago(context, 40 * 86_400_000) },
        spec: { hard: quota },
        status: {
          hard: quota,
          used: Object.fromEntries(Object.keys(quota).map((key) => [key, used[key] ?? '0'])),
        },
      },
    ];
  });
}
