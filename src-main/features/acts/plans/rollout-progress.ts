import { listAt, numberAt, objectAt, textAt, valueAt } from '../../../base/json-fields.ts';
import type { RawObject } from '../../../cluster-model/index.ts';
import type { ObjectAccess } from '../../../sources/cluster/index.ts';
import type { ActContext, Progress } from '../types.ts';
import { uidOf } from './identity.ts';

/** Reads how far a workload's controller has come with what its spec says now. */
export function rolloutProgress({ kind, object, address }: ActContext) {
  return async (access: ObjectAccess): Promise<Progress | undefined> => {
    const read = await access.read(kind, address.name, address.namespace);
    if (read.state === 'unread') return undefined;
    if (read.state === 'missing' || uidOf(read.object) !== uidOf(object))
      return { state: 'gone', sentence: 'It was deleted meanwhile.' };
    return judgeRollout(read.object);
  };
}

/** Judges a Deployment, StatefulSet or DaemonSet as `kubectl rollout status` does. */
function judgeRollout(workload: RawObject): Progress {
  const status = objectAt(workload, 'status');
  if (valueAt(workload, 'spec', 'paused') === true)
    return { state: 'done', sentence: 'Its rollout is paused: pods change when it is resumed.' };
  if (numberAt(status, 'observedGeneration') < numberAt(workload, 'metadata', 'generation'))
    return { state: 'under_way', sentence: 'Waiting for its controller.' };
  const isDaemonSet = workload.kind === 'DaemonSet';
  const wanted = isDaemonSet
    ? numberAt(status, 'desiredNumberScheduled')
    : Number(valueAt(workload, 'spec', 'replicas') ?? 1);
  const updated = numberAt(status, isDaemonSet ? 'updatedNumberScheduled' : 'updatedReplicas');
  const ready = numberAt(status, isDaemonSet ? 'numberReady' : 'readyReplicas');
  const all = isDaemonSet ? numberAt(status, 'currentNumberScheduled') : numberAt(status, 'replicas');
  const stuck = listAt(status, 'conditions').find(
    ({ type, status: is }) =>
      (type === 'Progressing' && is === 'False') || (type === 'ReplicaFailure' && is === 'True'),
  );
  const pods = `${Math.min(ready, wanted)} of ${wanted} ${wanted === 1 ? 'pod' : 'pods'} ready`;
  if (updated >= wanted && ready >= wanted && all <= wanted) return { state: 'done', sentence: `${pods}.` };
  if (stuck !== undefined)
    return { state: 'failed', sentence: `${pods}. ${textAt(stuck, 'message') || textAt(stuck, 'reason')}` };
  if (updated < wanted) return { state: 'under_way', sentence: `${updated} of ${wanted} updated, ${pods}.` };
  if (all > wanted) return { state: 'under_way', sentence: `${pods}; ${all - wanted} more to stop.` };
  return { state: 'under_way', sentence: `${pods}.` };
}
