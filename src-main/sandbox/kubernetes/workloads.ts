import { labels, platformPrefix } from '#shared/platform/labels.ts';
import type { KubeObject } from '../../kube-api/index.ts';
import { isReady } from './container-states.ts';
import { ago, type EstateContext, imageOf, type Made, suffix } from './context.ts';
import {
  containerOf,
  type Owner,
  type PodSpot,
  podLabels,
  podLogs,
  podName,
  podObject,
  uidOf,
} from './pods.ts';
import { managedByHand } from './probes.ts';
import { availability } from './rollout-status.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { serviceObjects } from './services.ts';
import { controllerRevision } from './set-rollouts.ts';

/** A workload with its pods, its Service and what its containers wrote. `first` makes the addresses of its pods. */
export function workloadObjects(context: EstateContext, workload: WorkloadSeed, first: number): Made {
  const { seed } = context;
  const plain = seed.nodes.filter(
    ({ roles, gpus, dedicated }) => roles.length === 0 && gpus === undefined && dedicated === undefined,
  );
  const nodes = workload.kind === 'DaemonSet' ? seed.nodes : plain;
  const spots = podSpots(context, workload).map((spot, index) => ({
    ...spot,
    node:
      spot.problem?.kind === 'unschedulable'
        ? undefined
        : (workload.node ?? nodes[(first + index) % nodes.length]?.name),
    ip: `10.42.${Math.floor((first + index) / 250)}.${((first + index) % 250) + 2}`,
  }));
  const pods = spots.map((spot) =>
    podObject(context, spot.old ? { ...workload, behind: workload.behind + 1 } : workload, spot),
  );
  return {
    objects: [...controllers(context, workload, pods), ...pods, ...serviceObjects(context, workload, pods)],
    logs: Object.assign({}, ...spots.map((spot) => podLogs(context, workload, spot))),
  };
}

type Spot = Omit<PodSpot, 'node' | 'ip'> & {
  /** True for a pod of the previous revision, which a stuck rollout leaves running. */
  readonly old: boolean;
};

function podSpots(context: EstateContext, workload: WorkloadSeed): Spot[] {
  const { kind, problem, age, replicas, short } = workload;
  const spot = (owner: Owner, index: number, own: Partial<Spot> = {}): Spot => ({
    name: podName(workload, owner.name, index),
    owner,
    problem,
    age,
    old: false,
    ...own,
  });
  const count = kind === 'DaemonSet' ? context.seed.nodes.length : replicas - short;
  if (kind !== 'Deployment') {
    const owner = { kind, name: workload.name, apiVersion: 'apps/v1' };
    return Array.from({ length: count }, (_, index) => spot(owner, index));
  }
  const current = replicaSetOwner(context, workload);
  if (problem?.kind !== 'rollout_stuck')
    return Array.from({ length: count }, (_, index) => spot(current, index));
  const before = replicaSetOwner(context, { ...workload, behind: workload.behind + 1 });
  const day = 86_400_000;
  return [
    spot(current, 0),
    ...Array.from({ length: count }, (_, index) =>
      spot(before, index, { problem: undefined, old: true, age: 6 * day }),
    ),
  ];
}

function replicaSetOwner(context: EstateContext, workload: WorkloadSeed): Owner {
  const hash = suffix(9, workload.name, imageOf(context, workload));
  return { kind: 'ReplicaSet', name: `${workload.name}-${hash}`, apiVersion: 'apps/v1' };
}

function templateOf(context: EstateContext, workload: WorkloadSeed) {
  return {
    metadata: { labels: podLabels(workload) },
    spec: { containers: [containerOf(context, workload)], serviceAccountName: 'default' },
  };
}

/** The Deployment with its ReplicaSets, the StatefulSet or the DaemonSet. */
function controllers(
  context: EstateContext,
  workload: WorkloadSeed,
  pods: readonly KubeObject[],
): KubeObject[] {
  const { name, namespace, kind, age, replicas, owner, tracked, tenant, tier, drift } = workload;
  const ready = pods.filter(isReady).length;
  const matchLabels = { app: name };
  const template = templateOf(context, workload);
  const [ownerKind = '', ownerName = ''] = owner?.split('/') ?? [];
  const metadata = {
    name,
    namespace,
    uid: uidOf({ kind, name }, namespace),
    creationTimestamp: ago(context, age),
    generation: 3,
    labels: {
      app: name,
      ...(tracked ? { [labels.tracked]: 'true' } : {}),
      ...(tenant === undefined ? {} : { [labels.tenant]: tenant }),
      ...(tier === undefined ? {} : { [labels.tier]: tier }),
    },
    ...(owner === undefined
      ? {}
      : {
          ownerReferences: [
            {
              apiVersion: `${platformPrefix}/v1alpha1`,
              kind: ownerKind,
              name: ownerName,
              uid: uidOf({ kind: ownerKind, name: ownerName }, namespace),
              controller: true,
            },
          ],
        }),
    ...(drift ? { managedFields: managedByHand(name, ago(context, 26 * 3_600_000)) } : {}),
  };
  const first = (): KubeObject =>
    controllerRevision({ kind, name, namespace, uid: metadata.uid }, template, 1, metadata.creationTimestamp);
  if (kind === 'DaemonSet')
    return [
      first(),
      {
        apiVersion: 'apps/v1',
        kind,
        metadata,
        spec: { selector: { matchLabels }, template },
        status: {
          observedGeneration: 3,
          desiredNumberScheduled: pods.length,
          currentNumberScheduled: pods.length,
          updatedNumberScheduled: pods.length,
          numberReady: ready,
          numberAvailable: ready,
          numberMisscheduled: 0,
        },
      },
    ];
  const spec = { replicas, selector: { matchLabels }, template };
  if (kind === 'StatefulSet')
    return [
      first(),
      {
        apiVersion: 'apps/v1',
        kind,
        metadata,
        spec: { ...spec, serviceName: name },
        status: {
          observedGeneration: 3,
          replicas: pods.length,
          readyReplicas: ready,
          updatedReplicas: pods.length,
          availableReplicas: ready,
          currentRevision: `${name}-${suffix(9, name)}`,
          updateRevision: `${name}-${suffix(9, name)}`,
        },
      },
    ];
  const deployment: KubeObject = {
    apiVersion: 'apps/v1',
    kind,
    metadata: { ...metadata, annotations: { 'deployment.kubernetes.io/revision': '3' } },
    spec: { ...spec, progressDeadlineSeconds: 600 },
    status: deploymentStatus(context, workload, pods, ready),
  };
  return [deployment, ...replicaSets(context, workload, pods)];
}

function deploymentStatus(
  context: EstateContext,
  { name, replicas, age, problem }: WorkloadSeed,
  pods: readonly KubeObject[],
  ready: number,
): object {
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastUpdateTime: ago(context, Math.min(age, 240_000)),
    lastTransitionTime: ago(context, Math.min(age, 240_000)),
  });
  const stuck = problem?.kind === 'rollout_stuck';
  const enough = ready >= replicas;
  return {
    observedGeneration: 3,
    replicas: pods.length,
    updatedReplicas: stuck ? 1 : pods.length,
    ...(ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready }),
    ...(enough && !stuck ? {} : { unavailableReplicas: Math.max(replicas - ready, stuck ? 1 : 0) }),
    conditions: [
      condition(...availability(enough)),
      stuck || (!enough && problem?.kind !== 'over_quota')
        ? condition(
            'Progressing',
            'False',
            'ProgressDeadlineExceeded',
            `ReplicaSet "${name}" has timed out progressing.`,
          )
        : condition(
            'Progressing',
            'True',
            'NewReplicaSetAvailable',
            `ReplicaSet "${name}" has successfully progressed.`,
          ),
      ...(problem?.kind === 'over_quota'
        ? [
            condition(
              'ReplicaFailure',
              'True',
              'FailedCreate',
              `pods "${name}" is forbidden: exceeded quota: compute, requested: requests.cpu=600m, used: requests.cpu=1700m, limited: requests.cpu=2`,
            ),
          ]
        : []),
    ],
  };
}

function replicaSets(
  context: EstateContext,
  workload: WorkloadSeed,
  pods: readonly KubeObject[],
): KubeObject[] {
  const { name, namespace, age, replicas, problem } = workload;
  const stuck = problem?.kind === 'rollout_stuck';
  const set = (behind: number, revision: number, wanted: number): KubeObject => {
    const revised = { ...workload, behind };
    const owner = replicaSetOwner(context, revised);
    const own = pods.filter(({ metadata }) => JSON.stringify(metadata).includes(`"${owner.name}"`));
    return {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: owner.name,
        namespace,
        uid: uidOf(owner, namespace),
        creationTimestamp: ago(context, age + (3 - revision) * 86_400_000),
        labels: { app: name },
        annotations: { 'deployment.kubernetes.io/revision': String(revision) },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name,
            uid: uidOf({ kind: 'Deployment', name }, namespace),
            controller: true,
          },
        ],
      },
      spec: {
        replicas: wanted,
        selector: { matchLabels: { app: name } },
        template: templateOf(context, revised),
      },
      status: { replicas: own.length, readyReplicas: own.filter(isReady).length, observedGeneration: 1 },
    };
  };
  return stuck
    ? [set(workload.behind, 3, 1), set(workload.behind + 1, 2, replicas)]
    : [
        set(workload.behind, 3, replicas),
        // What was before it, to roll back to; of what is pinned to a version there was nothing else.
        ...(workload.literal === undefined ? [set(workload.behind + 1, 2, 0)] : []),
      ];
}
