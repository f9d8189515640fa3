import { type KubeObject, type MemoryWorld, rfc3339 } from '../../kube-api/index.ts';
import { type JsonObject, listAt, numberAt, objectAt, sameValue } from '../../kube-api/object-fields.ts';
import { isReady } from './container-states.ts';
import { type EstateContext, suffix } from './context.ts';
import type { Kubelet } from './kubelet.ts';
import { podMetrics } from './measures.ts';
import { nodeFor, unschedulable } from './node-choice.ts';
import { podLabels, uidOf } from './pods.ts';
import { rolloutStatus } from './rollout-status.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { endpointsOf } from './services.ts';
import { kindNamed } from './world-kinds.ts';

export type RolloutOptions = {
  readonly world: MemoryWorld;
  readonly context: EstateContext;
  /** Must not reject. */
  readonly run: Kubelet['run'];
  readonly stop: Kubelet['stop'];
  /** Epoch ms. */
  readonly now: () => number;
};

/**
 * Brings about what a Deployment asks for, as the Deployment and ReplicaSet controllers do: pods of its template, and
 * those of older templates away once all of the new ones are ready. Answers how many of its newest pods are ready. Nothing for a Deployment
 * that is not there. Must not run twice at once for one workload.
 */
export async function rollOut(
  options: RolloutOptions,
  workload: WorkloadSeed,
): Promise<{ readonly ready: number; readonly wanted: number } | undefined> {
  const { world } = options;
  const { name, namespace } = workload;
  const deployment = await world.get(kindNamed(world, 'Deployment'), name, namespace);
  if (deployment === undefined) return undefined;
  const image = numberAt(deployment, 'spec', 'replicas');
  // What the seed says cannot be made still cannot, of a quota that lets so many be.
  const wanted = workload.short > 0 ? Math.min(image, workload.replicas - workload.short) : image;
  const sets = await ownSets(world, workload);
  const current = await currentSet(options, workload, deployment, sets);
  const own = await ownPods(world, workload);
  const node = await nodeFor(world, options.context, workload, own[0]);
  const mine: KubeObject[] = [];
  // One that no node took is made again once one does.
  for (const pod of own.filter((each) => isOf(each, current)))
    if (
      node !== undefined &&
      objectAt(pod, 'spec').nodeName === undefined &&
      workload.problem?.kind !== 'unschedulable'
    )
      await removePod(options, pod);
    else mine.push(pod);
  for (const pod of mine.slice(wanted)) await removePod(options, pod);
  const made: KubeObject[] = [];
  for (let index = mine.length; index < wanted; index++)
    made.push(
      await world.put(
        newPod(options, workload, {
          set: current,
          template: objectAt(current, 'spec', 'template'),
          like: own[0],
          index,
          node,
          // One that was removed has another name than the one that takes its place.
          name: `${current.metadata.name}-${suffix(5, current.metadata.name, index, world.revision())}`,
          labels: {},
        }),
      ),
    );
  // What becomes of them is told by the kubelet, and rolled out further then.
  for (const pod of made) void options.run(workload, pod);
  const kept = [...mine.slice(0, wanted), ...made];
  const ready = kept.filter(isReady).length;
  if (ready >= wanted)
    for (const pod of own.filter((each) => !isOf(each, current))) await removePod(options, pod);
  const all = await ownPods(world, workload);
  for (const set of [...sets.filter((each) => !isSame(each, current)), current])
    await tellSet(world, set, {
      wanted: isSame(set, current) ? image : ready >= wanted ? 0 : undefined,
      all,
    });
  await tellService(options, workload, all);
  // Somebody may have changed it meanwhile: what they want stays, and comes in its turn.
  const newest = (await world.get(kindNamed(world, 'Deployment'), name, namespace)) ?? deployment;
  await world.write.replace(kindNamed(world, 'Deployment'), {
    ...newest,
    metadata: {
      ...newest.metadata,
      annotations: {
        ...objectAt(newest, 'metadata', 'annotations'),
        [revisionOf]: objectAt(current, 'metadata', 'annotations')[revisionOf],
      },
    },
    status: rolloutStatus(deployment, { all, kept, ready, set: current, at: rfc3339(options.now()) }),
  });
  return { ready, wanted: image };
}

const revisionOf = 'deployment.kubernetes.io/revision';

async function ownSets(world: MemoryWorld, { name, namespace }: WorkloadSeed): Promise<KubeObject[]> {
  const sets = await world.list(kindNamed(world, 'ReplicaSet'), namespace);
  return sets.filter(({ metadata }) => metadata.labels?.app === name);
}

/** The pods of a workload. */
export async function ownPods(world: MemoryWorld, { name, namespace }: WorkloadSeed): Promise<KubeObject[]> {
  const pods = await world.list(kindNamed(world, 'Pod'), namespace);
  return pods.filter(({ metadata }) => metadata.labels?.app === name);
}

const isSame = (a: KubeObject, b: KubeObject): boolean => a.metadata.name === b.metadata.name;

function isOf(pod: KubeObject, { metadata }: KubeObject): boolean {
  return listAt(pod, 'metadata', 'ownerReferences').some(({ name }) => name === metadata.name);
}

/** The ReplicaSet of the template that the Deployment has now; made when there is none. */
async function currentSet(
  { world, now }: RolloutOptions,
  { name, namespace }: WorkloadSeed,
  deployment: KubeObject,
  sets: readonly KubeObject[],
): Promise<KubeObject> {
  const { template, replicas } = objectAt(deployment, 'spec');
  const found = sets.find((set) => sameValue(objectAt(set, 'spec').template, template));
  const revision = (set: KubeObject): number =>
    Number(objectAt(set, 'metadata', 'annotations')[revisionOf] ?? 0);
  const newest = Math.max(...sets.map(revision), 0);
  // One that is rolled back to becomes the newest.
  if (found !== undefined && revision(found) < newest)
    return world.put({
      ...found,
      metadata: {
        ...found.metadata,
        annotations: { ...objectAt(found, 'metadata', 'annotations'), [revisionOf]: String(newest + 1) },
      },
    });
  if (found !== undefined) return found;
  const hashed = `${name}-${suffix(9, name, JSON.stringify(template))}`;
  return world.put({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: hashed,
      namespace,
      uid: uidOf({ kind: 'ReplicaSet', name: hashed }, namespace),
      creationTimestamp: rfc3339(now()),
      labels: { app: name },
      annotations: { [revisionOf]: String(newest + 1) },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: deployment.metadata.uid, controller: true },
      ],
    },
    spec: { replicas, selector: { matchLabels: { app: name } }, template },
  });
}

export type NewPod = {
  /** Its controller. */
  readonly set: KubeObject;
  readonly template: JsonObject;
  /** Another pod of the workload. */
  readonly like: KubeObject | undefined;
  readonly index: number;
  /** Undefined when none takes it. */
  readonly node: string | undefined;
  readonly name: string;
  /** Labels beside those of the workload's pods. */
  readonly labels: Readonly<Record<string, string>>;
};

/** A pod of a template that is on its node, where nothing has started yet. */
export function newPod(
  { world, context, now }: RolloutOptions,
  workload: WorkloadSeed,
  { set, template, like, index, node, name, labels }: NewPod,
): KubeObject {
  const { metadata } = set;
  const [container] = listAt(template, 'spec', 'containers');
  const at = rfc3339(now());
  const ip = `10.42.${200 + (world.revision() % 50)}.${(index % 250) + 2}`;
  const isScheduled = node !== undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: workload.namespace,
      labels: { ...podLabels(workload), ...labels },
      creationTimestamp: at,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: set.kind,
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: {
      ...objectAt(template, 'spec'),
      ...(isScheduled ? { nodeName: node } : {}),
      restartPolicy: 'Always',
      tolerations: objectAt(like, 'spec').tolerations ?? [],
    },
    status: {
      phase: 'Pending',
      ...(isScheduled
        ? {
            conditions: ['PodScheduled', 'Initialized'].map((type) => ({
              type,
              status: 'True',
              lastTransitionTime: at,
            })),
            hostIP: '10.0.0.10',
            podIP: ip,
            podIPs: [{ ip }],
            startTime: at,
            containerStatuses: [
              {
                name: container?.name,
                image: container?.image,
                imageID: '',
                ready: false,
                started: false,
                restartCount: 0,
                state: { waiting: { reason: 'ContainerCreating' } },
                lastState: {},
              },
            ],
          }
        : { conditions: [unschedulable(context.seed.nodes.length, at)] }),
      qosClass: 'Burstable',
    },
  };
}

/** Removes a pod with what was measured of it. */
export async function removePod({ world, stop }: RolloutOptions, { metadata }: KubeObject): Promise<void> {
  const { name, namespace = '' } = metadata;
  await stop(namespace, name);
  await world.write.remove(kindNamed(world, 'Pod'), name, namespace);
  await world.write.remove(kindNamed(world, 'PodMetrics'), name, namespace);
}

async function tellSet(
  world: MemoryWorld,
  set: KubeObject,
  { wanted, all }: { readonly wanted: number | undefined; readonly all: readonly KubeObject[] },
): Promise<void> {
  const own = all.filter((pod) => isOf(pod, set));
  const spec: JsonObject = {
    ...objectAt(set, 'spec'),
    ...(wanted === undefined ? {} : { replicas: wanted }),
  };
  await world.write.replace(kindNamed(world, 'ReplicaSet'), {
    ...set,
    spec,
    status: {
      replicas: own.length,
      readyReplicas: own.filter(isReady).length,
      observedGeneration: numberAt(set, 'metadata', 'generation') + (sameValue(spec, set.spec) ? 0 : 1),
    },
  });
}

/** Tells a workload's endpoints, and what its ready pods use. */
export async function tellService(
  { world, context }: RolloutOptions,
  workload: WorkloadSeed,
  pods: readonly KubeObject[],
): Promise<void> {
  const slices = kindNamed(world, 'EndpointSlice');
  const slice = await world.get(slices, `${workload.name}-endpoints`, workload.namespace);
  if (slice !== undefined) await world.write.replace(slices, { ...slice, endpoints: endpointsOf(pods) });
  const metrics = kindNamed(world, 'PodMetrics');
  for (const pod of pods.filter(isReady))
    if ((await world.get(metrics, pod.metadata.name, workload.namespace)) === undefined)
      await world.put(podMetrics(context, workload, pod));
}
