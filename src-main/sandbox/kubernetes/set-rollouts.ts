import { type KubeObject, rfc3339 } from '../../kube-api/index.ts';
import {
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  sameValue,
  textAt,
} from '../../kube-api/object-fields.ts';
import { isReady } from './container-states.ts';
import { suffix } from './context.ts';
import { nodeFor } from './node-choice.ts';
import { uidOf } from './pods.ts';
import { newPod, ownPods, type RolloutOptions, removePod, tellService } from './rollouts.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { kindNamed } from './world-kinds.ts';

/** Label of a pod that names the revision it was made of. */
const revisionLabel = 'controller-revision-hash';

/**
 * Brings about what a StatefulSet or DaemonSet asks for, one pod at a time, as their controllers do. Must not run twice at once
 * for one workload.
 */
export async function rollOutSet(options: RolloutOptions, workload: WorkloadSeed): Promise<void> {
  const { world } = options;
  const kind = kindNamed(world, workload.kind);
  const set = await world.get(kind, workload.name, workload.namespace);
  if (set === undefined) return;
  const revision = await currentRevision(options, workload, set);
  const slots = await slotsOf(options, workload, set);
  for (const pod of await ownPods(world, workload))
    if (!slots.some((slot) => slot.takes(pod))) await removePod(options, pod);

  let pods = await ownPods(world, workload);
  const outdated = pods.filter((pod) => !isOf(pod, revision));
  const isSettled = pods.length >= slots.length && pods.every(isReady);
  // The last one first; all others are ready then, or it is one of those that are not.
  const next = isSettled ? outdated.at(-1) : outdated.find((pod) => !isReady(pod));
  if (next !== undefined) {
    await removePod(options, next);
    pods = pods.filter((pod) => pod !== next);
  }
  for (const [index, slot] of slots.entries()) {
    if (pods.some((pod) => slot.takes(pod))) continue;
    const pod = newPod(options, workload, {
      set,
      template: objectAt(set, 'spec', 'template'),
      like: pods[0],
      index,
      node: slot.node,
      name: slot.name(world.revision()),
      labels: { [revisionLabel]: revision.metadata.name },
    });
    void options.run(workload, await world.put(pod));
  }
  await tellSet(options, workload, revision, slots.length);
}

type Slot = {
  readonly node: string | undefined;
  takes(pod: KubeObject): boolean;
  /** Name of a new pod in it. */
  name(revision: number): string;
};

/** A StatefulSet has one for each replica, a DaemonSet for each node. */
async function slotsOf(
  { world, context }: RolloutOptions,
  workload: WorkloadSeed,
  set: KubeObject,
): Promise<readonly Slot[]> {
  if (workload.kind === 'DaemonSet')
    return context.seed.nodes.map(({ name: node }) => ({
      node,
      takes: (pod) => textAt(objectAt(pod, 'spec'), 'nodeName') === node,
      name: (revision) => `${workload.name}-${suffix(5, workload.name, node, revision)}`,
    }));
  const node = await nodeFor(world, context, workload, (await ownPods(world, workload))[0]);
  return Array.from({ length: numberAt(set, 'spec', 'replicas') }, (_, index) => {
    const name = `${workload.name}-${index}`;
    return { node, takes: (pod) => pod.metadata.name === name, name: () => name };
  });
}

/** A pod from before the label was kept is of the first revision. */
function isOf(pod: KubeObject, revision: KubeObject): boolean {
  const label = textAt(pod, 'metadata', 'labels', revisionLabel);
  return label === '' ? numberAt(revision, 'revision') === 1 : label === revision.metadata.name;
}

/** The ControllerRevision of the template that the set has now; made when there is none. */
async function currentRevision(
  { world, now }: RolloutOptions,
  { name, namespace, kind }: WorkloadSeed,
  set: KubeObject,
): Promise<KubeObject> {
  const revisions = (await world.list(kindNamed(world, 'ControllerRevision'), namespace)).filter((each) =>
    listAt(each, 'metadata', 'ownerReferences').some((owner) => owner.uid === set.metadata.uid),
  );
  const template = objectAt(set, 'spec', 'template');
  const found = revisions.find((each) => {
    const { $patch: _mark, ...kept } = objectAt(each, 'data', 'spec', 'template');
    return sameValue(kept, template);
  });
  const newest = Math.max(...revisions.map((each) => numberAt(each, 'revision')), 0);
  if (found !== undefined)
    return numberAt(found, 'revision') === newest ? found : world.put({ ...found, revision: newest + 1 });
  return world.put(
    controllerRevision(
      { kind, name, namespace, uid: textAt(set, 'metadata', 'uid') },
      template,
      newest + 1,
      rfc3339(now()),
    ),
  );
}

type Owner = {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
};

/** A revision of a StatefulSet's or DaemonSet's template, as their controllers keep it (apps/v1). */
export function controllerRevision(
  { kind, name, namespace, uid }: Owner,
  template: JsonObject,
  revision: number,
  creationTimestamp: string,
): KubeObject {
  const own = `${name}-${suffix(9, name, revision === 1 ? '' : JSON.stringify(template))}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: own,
      namespace,
      uid: uidOf({ kind: 'ControllerRevision', name: own }, namespace),
      creationTimestamp,
      labels: { app: name },
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }],
    },
    revision,
    data: { spec: { template: { ...template, $patch: 'replace' } } },
  };
}

async function tellSet(
  options: RolloutOptions,
  workload: WorkloadSeed,
  revision: KubeObject,
  wanted: number,
): Promise<void> {
  const { world } = options;
  const kind = kindNamed(world, workload.kind);
  const pods = await ownPods(world, workload);
  await tellService(options, workload, pods);
  const set = await world.get(kind, workload.name, workload.namespace);
  if (set === undefined) return;
  const ready = pods.filter(isReady).length;
  const updated = pods.filter((pod) => isOf(pod, revision)).length;
  const common = { observedGeneration: numberAt(set, 'metadata', 'generation') };
  const status =
    workload.kind === 'DaemonSet'
      ? {
          ...common,
          desiredNumberScheduled: wanted,
          currentNumberScheduled: pods.length,
          updatedNumberScheduled: updated,
          numberReady: ready,
          numberAvailable: ready,
          numberMisscheduled: 0,
          ...(ready < wanted ? { numberUnavailable: wanted - ready } : {}),
        }
      : {
          ...objectAt(set, 'status'),
          ...common,
          replicas: pods.length,
          readyReplicas: ready,
          availableReplicas: ready,
          updatedReplicas: updated,
          updateRevision: revision.metadata.name,
          ...(updated === wanted && ready === wanted ? { currentRevision: revision.metadata.name } : {}),
        };
  await world.write.replace(kind, { ...set, status });
}
