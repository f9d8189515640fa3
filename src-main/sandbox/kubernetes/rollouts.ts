import { type KubeObject, type MemoryWorld, rfc3339 } from '../../kube-api/index.ts';
import { type JsonObject, listAt, numberAt, objectAt, sameValue } from '../../kube-api/object-fields.ts';
import { isReady } from './container-states.ts';
import { type EstateContext, suffix } from './context.ts';
import type { Kubelet } from './kubelet.ts';
import { podMetrics } from './measures.ts';
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
 * Brings about what the Deployment of a backend asks for, as the Deployment and ReplicaSet controllers do: pods of its template, and
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
  // What the seed says cannot be made still cannot.
  const wanted = Math.max(image - workload.short, 0);
  const sets = await ownSets(world, workload);
  const current = await currentSet(options, workload, deployment, sets);
  const own = await podsOf(world, workload);
  const mine = own.filter((pod) => isOf(pod, current));
  for (const pod of mine.slice(wanted)) await remove(options, pod);
  const made: KubeObject[] = [];
  for (let index = mine.length; index < wanted; index++)
    made.push(await world.put(newPod(options, workload, { set: current, like: own[0], index })));
  // What becomes of them is told by the kubelet, and rolled out further then.
  for (const pod of made) void options.run(workload, pod);
  const kept = [...mine.slice(0, wanted), ...made];
  const ready = kept.filter(isReady).length;
  if (ready >= wanted)
    for (const pod of own.filter((each) => !isOf(each, current))) await remove(options, pod);
  const all = await podsOf(world, workload);
  for (const set of [...sets.filter((each) => !isSame(each, current)), current])
    await tellSet(world, set, {
      wanted: isSame(set, current) ? image : ready >= wanted ? 0 : undefined,
      all,
    });
  await tellService(options, workload, all);
  // Somebody may have changed it meanwhile: what they want stays, and comes in its turn.
  const newest = (await world.get(kindNamed(world, 'Deployment'), name, namespace)) ?? deployment;
  await world.put({
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

async function podsOf(world: MemoryWorld, { name, namespace }: WorkloadSeed): Promise<KubeObject[]> {
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
  if (found !== undefined) return found;
  const newest = Math.max(
    ...sets.map((set) => Number(objectAt(set, 'metadata', 'annotations')[revisionOf] ?? 0)),
    0,
  );
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

/** A pod of a template that is on its node, where nothing has started yet. */
function newPod(
  { world, context, now }: RolloutOptions,
  workload: WorkloadSeed,
  { set, like, index }: { set: KubeObject; like: KubeObject | undefined; index: number },
): KubeObject {
  const { metadata } = set;
  const template = objectAt(set, 'spec', 'template');
  const [container] = listAt(template, 'spec', 'containers');
  const at = rfc3339(now());
  // One that was removed has another name than the one that takes its place.
  const name = `${metadata.name}-${suffix(5, metadata.name, index, world.revision())}`;
  const node =
    objectAt(like, 'spec').nodeName ?? context.seed.nodes.find(({ roles }) => roles.length === 0)?.name;
  const ip = `10.42.${200 + (world.revision() % 50)}.${(index % 250) + 2}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: workload.namespace,
      labels: podLabels(workload),
      creationTimestamp: at,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: {
      ...objectAt(template, 'spec'),
      nodeName: node,
      restartPolicy: 'Always',
      tolerations: objectAt(like, 'spec').tolerations ?? [],
    },
    status: {
      phase: 'Pending',
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
      qosClass: 'Burstable',
    },
  };
}

/** A pod with what was measured of it. */
async function remove({ world, stop }: RolloutOptions, { metadata }: KubeObject): Promise<void> {
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

/** Its endpoints, and what its ready pods use. */
async function tellService(
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
