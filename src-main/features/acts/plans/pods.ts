import { isJsonObject, listAt, textAt, valueAt } from '../../../base/json-fields.ts';
import type { RawObject } from '../../../cluster-model/index.ts';
import type { ObjectAccess, ServedKind } from '../../../sources/cluster/index.ts';
import { findOut } from '../find-out.ts';
import type { Evidence, Plan, PlannedWrite, Planner, Progress } from '../types.ts';
import { objectLabel, revisionOf, uidOf } from './identity.ts';

/** Deletes a pod, which its controller makes again. */
export const planDeletePod: Planner<object> = async ({ kind, object, address }): Promise<Plan> => {
  const { namespace, name } = address;
  const evidence: Evidence = { kind, namespace, name, shows: 'gone', uid: uidOf(object) };
  const controller = controllerOf(object);
  return {
    sentence: `Delete ${objectLabel(address)}.`,
    class: controller === undefined ? 'deletion' : 'workloads',
    ...(isBeingDeleted(object) ? { refusal: 'It is being deleted already.' } : {}),
    writes: isBeingDeleted(object)
      ? []
      : [
          {
            kind,
            namespace,
            name,
            verb: 'delete',
            body: {
              apiVersion: 'v1',
              kind: 'DeleteOptions',
              preconditions: { uid: uidOf(object), resourceVersion: revisionOf(object) },
            },
            evidence,
          },
        ],
    effects: [
      controller === undefined
        ? 'No controller makes it again: it is gone for good.'
        : `${controller} makes a new one in its place.`,
    ],
    warnings: hasLocalData(object) ? ['Its emptyDir volumes are lost with it.'] : [],
    progress: goneProgress([evidence]),
  };
};

/** Returns the controller of an object, such as `ReplicaSet web-7d9`; undefined for one without. */
export function controllerOf(object: RawObject): string | undefined {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((each) => each.controller === true);
  return owner === undefined ? undefined : `${textAt(owner, 'kind')} ${textAt(owner, 'name')}`;
}

/** Returns whether a pod has an emptyDir volume. */
export function hasLocalData(pod: RawObject): boolean {
  return listAt(pod, 'spec', 'volumes').some(({ emptyDir }) => isJsonObject(emptyDir));
}

/** Returns whether an object is being deleted. */
export function isBeingDeleted(object: RawObject): boolean {
  return valueAt(object, 'metadata', 'deletionTimestamp') !== undefined;
}

/** Returns the eviction of a pod, which respects disruption budgets (policy/v1). */
export function evictionOf(pods: ServedKind, pod: RawObject): PlannedWrite {
  const name = textAt(pod, 'metadata', 'name');
  const namespace = textAt(pod, 'metadata', 'namespace');
  return {
    kind: pods,
    namespace,
    name,
    subresource: 'eviction',
    verb: 'create',
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      deleteOptions: { preconditions: { uid: uidOf(pod) } },
    },
    evidence: { kind: pods, namespace, name, shows: 'gone', uid: uidOf(pod) },
    patient: true,
    part: `Evict ${namespace}/${name}`,
  };
}

/** Reads whether pods are gone: those that are being deleted are not yet. */
function goneProgress(pods: readonly Extract<Evidence, { shows: 'gone' }>[] | readonly Evidence[]) {
  return async (access: ObjectAccess): Promise<Progress | undefined> => {
    let left = 0;
    for (const evidence of pods) {
      if (evidence.shows !== 'gone') continue;
      const read = await access.read(evidence.kind, evidence.name, evidence.namespace);
      if (read.state === 'unread') return undefined;
      if (read.state === 'read' && uidOf(read.object) === evidence.uid) left += 1;
    }
    const total = pods.length;
    if (left > 0)
      return {
        state: 'under_way',
        sentence: total === 1 ? 'Waiting for it to stop.' : `${total - left} of ${total} pods are gone.`,
      };
    return { state: 'done', sentence: total === 1 ? 'The pod is gone.' : `All ${total} pods are gone.` };
  };
}

/** Finds out whether a node is cordoned, and pods are gone, as one progress. */
export function drainProgress(node: Evidence, pods: readonly Evidence[]) {
  const gone = goneProgress(pods);
  return async (access: ObjectAccess): Promise<Progress | undefined> => {
    const cordoned = await findOut(access, node);
    if (cordoned.state === 'unknown') return undefined;
    if (cordoned.state === 'not_done')
      return { state: 'failed', sentence: `${node.name} was uncordoned meanwhile.` };
    return pods.length === 0 ? { state: 'done', sentence: 'No pods had to leave.' } : gone(access);
  };
}
