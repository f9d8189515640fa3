import type { KubeObject, MemoryWorld } from '../../kube-api/index.ts';
import { objectAt, textAt, valueAt } from '../../kube-api/object-fields.ts';
import type { EstateContext } from './context.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { kindNamed } from './world-kinds.ts';

/** Returns whether new pods come to a node. */
async function isSchedulable(world: MemoryWorld, name: string): Promise<boolean> {
  const node = await world.get(kindNamed(world, 'Node'), name);
  return node !== undefined && valueAt(node, 'spec', 'unschedulable') !== true;
}

/**
 * Returns the node for a new pod of a workload: where its others are, unless that one is cordoned; undefined when none
 * takes it.
 */
export async function nodeFor(
  world: MemoryWorld,
  { seed }: EstateContext,
  workload: WorkloadSeed,
  like: KubeObject | undefined,
): Promise<string | undefined> {
  const preferred = workload.node ?? textAt(objectAt(like, 'spec'), 'nodeName');
  const plain = seed.nodes
    .filter(
      ({ roles, gpus, dedicated }) => roles.length === 0 && gpus === undefined && dedicated === undefined,
    )
    .map(({ name }) => name);
  const wanted = workload.node === undefined ? [preferred, ...plain] : [preferred];
  for (const name of wanted) if (name !== '' && (await isSchedulable(world, name))) return name;
  return undefined;
}

/** Condition of a pod that no node takes, as the scheduler words it. */
export function unschedulable(count: number, lastTransitionTime: string) {
  return {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: `0/${count} nodes are available: ${count} node(s) were unschedulable or did not match the pod.`,
    lastTransitionTime,
  };
}
