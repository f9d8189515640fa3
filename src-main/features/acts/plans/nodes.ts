import { listAt, textAt, valueAt } from '../../../base/json-fields.ts';
import type { RawObject } from '../../../cluster-model/index.ts';
import type { ActContext, Plan, PlannedWrite, Planner } from '../types.ts';
import { fieldsShown, objectLabel, patchOf } from './identity.ts';
import { controllerOf, drainProgress, evictionOf, hasLocalData, isBeingDeleted } from './pods.ts';
import { shownProgress } from './shown-progress.ts';

/** Keeps new pods off a node. */
export const planCordon: Planner<object> = async (context) => cordoning(context, true);
/** Lets new pods onto a node again. */
export const planUncordon: Planner<object> = async (context) => cordoning(context, false);

function cordoning(context: ActContext, cordon: boolean): Plan {
  const { object, address } = context;
  const evidence = fieldsShown(context, { spec: { unschedulable: cordon ? true : null } });
  const is = valueAt(object, 'spec', 'unschedulable') === true;
  return {
    sentence: `${cordon ? 'Cordon' : 'Uncordon'} ${objectLabel(address)}.`,
    ...(is === cordon ? { refusal: cordon ? 'It is cordoned already.' : 'It is not cordoned.' } : {}),
    writes: is === cordon ? [] : [patchOf(context, { spec: { unschedulable: cordon ? true : null } })],
    effects: [cordon ? 'No new pods come to it; those on it stay.' : 'New pods come to it again.'],
    warnings: [],
    undo: {
      act: cordon ? 'uncordon' : 'cordon',
      object: address,
      args: {},
      sentence: cordon ? 'Uncordon it.' : 'Cordon it again.',
    },
    progress: shownProgress(evidence),
  };
}

type DrainArgs = { readonly bare_pods: boolean; readonly empty_dir: boolean };

/** Cordons a node and evicts its pods, as `kubectl drain --ignore-daemonsets` does. */
export const planDrain: Planner<DrainArgs> = async (
  context,
  { bare_pods: bare, empty_dir: local },
): Promise<Plan> => {
  const { access, object, address } = context;
  const sentence = `Drain ${objectLabel(address)}.`;
  const cordoned = fieldsShown(context, { spec: { unschedulable: true } });
  const empty = { sentence, writes: [], effects: [], warnings: [], progress: drainProgress(cordoned, []) };
  const found = await access.kindOf({ group: '', version: 'v1', kind: 'Pod' });
  if (found.state !== 'read') return { ...empty, refusal: `Its pods could not be read. ${found.reason}` };
  const listed = await access.list(found.kind, { fields: `spec.nodeName=${address.name}` });
  if (listed.state !== 'read') return { ...empty, refusal: `Its pods could not be read. ${listed.reason}` };
  const { leaving, staying, alone, withData } = sortPods(
    listed.items.filter((pod) => isOn(pod, address.name)),
  );
  if (alone.length > 0 && !bare)
    return {
      ...empty,
      refusal: `No controller makes ${namesOf(alone)} again: allow it, or delete them first.`,
    };
  if (withData.length > 0 && !local)
    return { ...empty, refusal: `${namesOf(withData)} would lose emptyDir volumes: allow it to drain.` };
  const evictions = leaving.map((pod) => evictionOf(found.kind, pod));
  const isCordoned = valueAt(object, 'spec', 'unschedulable') === true;
  const cordon: PlannedWrite = { ...patchOf(context, { spec: { unschedulable: true } }), part: 'Cordon' };
  return {
    sentence,
    ...(alone.length > 0 ? { class: 'deletion' as const } : {}),
    writes: [...(isCordoned ? [] : [cordon]), ...evictions],
    effects: [
      leaving.length === 0
        ? 'No pods have to leave.'
        : `${leaving.length} ${leaving.length === 1 ? 'pod is' : 'pods are'} evicted one after another, as disruption budgets allow; their controllers make them again elsewhere.`,
      ...(staying.length === 0
        ? []
        : [
            `${staying.length} ${staying.length === 1 ? 'pod stays' : 'pods stay'}: of DaemonSets, of the node itself, or finished.`,
          ]),
    ],
    warnings: [
      ...(alone.length > 0 ? [`Gone for good: ${namesOf(alone)}.`] : []),
      ...(withData.length > 0 ? [`emptyDir volumes are lost: ${namesOf(withData)}.`] : []),
    ],
    undo: {
      act: 'uncordon',
      object: address,
      args: {},
      sentence: 'Uncordon it; pods do not move back by themselves.',
    },
    progress: drainProgress(
      cordoned,
      evictions.map(({ evidence }) => evidence),
    ),
  };
};

function isOn(pod: RawObject, node: string): boolean {
  return textAt(pod, 'spec', 'nodeName') === node;
}

/** Which pods a drain evicts, and which of those need leave to. */
function sortPods(pods: readonly RawObject[]) {
  const staying = pods.filter(stays);
  const leaving = pods.filter((pod) => !stays(pod));
  return {
    staying,
    leaving,
    alone: leaving.filter((pod) => controllerOf(pod) === undefined),
    withData: leaving.filter(hasLocalData),
  };
}

/** Pods of DaemonSets come back at once, mirror pods are the node's own, finished ones hold nothing. */
function stays(pod: RawObject): boolean {
  const phase = textAt(pod, 'status', 'phase');
  return (
    listAt(pod, 'metadata', 'ownerReferences').some(
      (owner) => owner.controller === true && owner.kind === 'DaemonSet',
    ) ||
    valueAt(pod, 'metadata', 'annotations', 'kubernetes.io/config.mirror') !== undefined ||
    phase === 'Succeeded' ||
    phase === 'Failed' ||
    isBeingDeleted(pod)
  );
}

function namesOf(pods: readonly RawObject[]): string {
  const names = pods.map(
    (pod) => `${textAt(pod, 'metadata', 'namespace')}/${textAt(pod, 'metadata', 'name')}`,
  );
  return names.length <= 3
    ? names.join(', ')
    : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}
