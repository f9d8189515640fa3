import type { KubeObject } from '../../kube-api/index.ts';
import { agentObjects } from './agents.ts';
import { budgets } from './budgets.ts';
import type { EstateContext, Made } from './context.ts';
import { eventOf, problemEvents } from './events.ts';
import { podMetrics, quotas } from './measures.ts';
import { meshCaSecrets } from './mesh-cas.ts';
import { networkObjects } from './network.ts';
import { nodesAndNamespaces } from './nodes.ts';
import { platformObjects } from './platform-objects.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { workloadObjects } from './workloads.ts';

/** A workload of the seed with the pods that were made of it. */
export type MadeWorkload = { readonly workload: WorkloadSeed; readonly pods: readonly KubeObject[] };

export type Estate = Made & { readonly workloads: readonly MadeWorkload[] };

/** Everything the seed says, as Kubernetes objects; custom resource definitions are not among them. */
export function estate(context: EstateContext): Estate {
  const { seed } = context;
  let pods = 0;
  const workloads = seed.workloads.map((workload) => {
    const made = workloadObjects(context, workload, pods);
    const own = made.objects.filter(({ kind }) => kind === 'Pod');
    pods += own.length;
    return { ...made, workload, pods: own };
  });
  const agents = seed.agents.map((agent) => agentObjects(context, agent));
  const nodes = nodesAndNamespaces(context);
  return {
    workloads,
    objects: [
      ...nodes,
      ...workloads.flatMap(({ objects }) => objects),
      ...workloads.flatMap(({ workload, objects }) => problemEvents(context, workload, objects)),
      ...workloads.flatMap(({ workload, pods: own }) =>
        own.filter(isRunning).map((pod) => podMetrics(context, workload, pod)),
      ),
      ...quotas(
        context,
        workloads.map(({ workload, pods: own }) => ({ workload, pods: own.length })),
      ),
      ...budgets(
        context,
        workloads.flatMap((each) => each.pods),
      ),
      ...pressureEvents(context, nodes),
      ...agents.flatMap(({ objects }) => objects),
      ...networkObjects(context),
      ...platformObjects(context),
      ...meshCaSecrets(context),
    ],
    logs: Object.assign({}, ...[...workloads, ...agents].map(({ logs }) => logs)),
  };
}

function isRunning({ status }: KubeObject): boolean {
  return typeof status === 'object' && status !== null && 'phase' in status && status.phase === 'Running';
}

function pressureEvents(context: EstateContext, nodes: readonly KubeObject[]): KubeObject[] {
  return context.seed.nodes.flatMap(({ name, memory_pressure: since }) => {
    const node = nodes.find(({ kind, metadata }) => kind === 'Node' && metadata.name === name);
    if (node === undefined || since === undefined) return [];
    return [
      eventOf(context, node, {
        type: 'Warning',
        reason: 'EvictionThresholdMet',
        message: 'Attempting to reclaim memory',
        count: 7,
        component: 'kubelet',
        last: 4 * 60_000,
      }),
    ];
  });
}
