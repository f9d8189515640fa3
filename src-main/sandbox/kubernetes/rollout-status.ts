import type { KubeObject } from '../../kube-api/index.ts';
import { type JsonObject, listAt, numberAt } from '../../kube-api/object-fields.ts';
import { isReady } from './container-states.ts';

type Rollout = {
  readonly all: readonly KubeObject[];
  /** Pods of the newest template, and how many of those are ready. */
  readonly kept: readonly KubeObject[];
  readonly ready: number;
  readonly set: KubeObject;
  /** RFC 3339. */
  readonly at: string;
};

/** Status of a Deployment as its controller writes it (apps/v1, DeploymentStatus). */
export function rolloutStatus(deployment: KubeObject, { all, kept, ready, set, at }: Rollout): JsonObject {
  const { name } = set.metadata;
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const done = ready >= wanted && all.length === kept.length;
  const readyOfAll = all.filter(isReady);
  const condition = (type: string, status: string, reason: string, message: string): JsonObject => {
    const old = listAt(deployment, 'status', 'conditions').find((each) => each.type === type);
    const same = old?.status === status && old.reason === reason;
    return {
      type,
      status,
      reason,
      message,
      lastUpdateTime: same ? old.lastUpdateTime : at,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : at,
    };
  };
  return {
    observedGeneration: numberAt(deployment, 'metadata', 'generation'),
    replicas: all.length,
    updatedReplicas: kept.length,
    ...(readyOfAll.length === 0
      ? {}
      : { readyReplicas: readyOfAll.length, availableReplicas: readyOfAll.length }),
    ...(readyOfAll.length >= wanted ? {} : { unavailableReplicas: wanted - readyOfAll.length }),
    conditions: [
      condition(...availability(readyOfAll.length >= wanted)),
      done
        ? condition(
            'Progressing',
            'True',
            'NewReplicaSetAvailable',
            `ReplicaSet "${name}" has successfully progressed.`,
          )
        : condition('Progressing', 'True', 'ReplicaSetUpdated', `ReplicaSet "${name}" is progressing.`),
      // Such as that a quota lets no more pods be made, which is as it was.
      ...listAt(deployment, 'status', 'conditions').filter(
        ({ type }) => type !== 'Available' && type !== 'Progressing' && !(type === 'ReplicaFailure' && done),
      ),
    ],
  };
}

/** Type, status, reason and message of a Deployment's condition Available, as its controller words it. */
export function availability(enough: boolean): [string, string, string, string] {
  return enough
    ? ['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.']
    : ['Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'];
}
