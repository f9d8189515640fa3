import type { KubeObject, MemoryWorld } from '../../kube-api/index.ts';
import { numberAt, objectAt } from '../../kube-api/object-fields.ts';
import { selectsPod } from '../../kube-api/subresources.ts';
import { isReady } from './container-states.ts';
import { ago, type EstateContext } from './context.ts';
import { kindNamed } from './world-kinds.ts';

/** Disruption budgets of the estate: of a queue that loses messages below two, and of a tenant's only two instances. */
export function budgets(context: EstateContext, pods: readonly KubeObject[]): KubeObject[] {
  const budget = (namespace: string, name: string, least: number): KubeObject =>
    withStatus(
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name, namespace, generation: 1, creationTimestamp: ago(context, 58 * 86_400_000) },
        spec: { minAvailable: least, selector: { matchLabels: { app: name } } },
      },
      pods,
    );
  return [budget('campaign', 'campaign-queue', 2), budget('tenant-willow', 'willow-cockpit', 2)];
}

/** Keeps the status of disruption budgets, as their controller does. Returns how to stop. */
export function startBudgets(world: MemoryWorld): () => void {
  return world.write.subscribe(({ kind, object }) => {
    if (kind.kind === 'Pod') void update(world, object.metadata.namespace ?? '');
  });
}

async function update(world: MemoryWorld, namespace: string): Promise<void> {
  const kind = kindNamed(world, 'PodDisruptionBudget');
  const own = await world.list(kind, namespace);
  if (own.length === 0) return;
  const pods = await world.list(kindNamed(world, 'Pod'), namespace);
  for (const budget of own) await world.write.replace(kind, withStatus(budget, pods));
}

function withStatus(budget: KubeObject, pods: readonly KubeObject[]): KubeObject {
  const own = pods.filter(
    (pod) => pod.metadata.namespace === budget.metadata.namespace && selectsPod(budget, pod),
  );
  const healthy = own.filter(isReady).length;
  const wanted = numberAt(objectAt(budget, 'spec'), 'minAvailable');
  const allowed = Math.max(healthy - wanted, 0);
  return {
    ...budget,
    status: {
      observedGeneration: 1,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: wanted,
      expectedPods: own.length,
    },
  };
}
