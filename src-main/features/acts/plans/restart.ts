import { numberAt, textAt, valueAt } from '../../../base/json-fields.ts';
import type { ActContext, Plan, Planner } from '../types.ts';
import { objectLabel, patchOf } from './identity.ts';
import { rolloutProgress } from './rollout-progress.ts';

/** Restarts a workload's pods as `kubectl rollout restart` does: by an annotation of its pod template. */
export const planRestart: Planner<object> = async (context): Promise<Plan> => {
  const { address, object, now } = context;
  const sentence = `Restart ${objectLabel(address)}.`;
  if (valueAt(object, 'spec', 'paused') === true)
    return {
      sentence,
      refusal: 'Its rollout is paused: a restart would do nothing until it is resumed. Resume it first.',
      writes: [],
      effects: [],
      warnings: [],
      progress: rolloutProgress(context),
    };
  const at = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    sentence,
    writes: [
      patchOf(context, {
        spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': at } } } },
      }),
    ],
    effects: [replacement(context)],
    warnings: [],
    progress: rolloutProgress(context),
  };
};

/** Says how the pods of a workload are replaced when its template changes. */
export function replacement({ object, address }: ActContext): string {
  const wanted = Number(valueAt(object, 'spec', 'replicas') ?? 1);
  const strategy =
    textAt(object, 'spec', 'strategy', 'type') || textAt(object, 'spec', 'updateStrategy', 'type');
  if (strategy === 'OnDelete') return 'Its pods are replaced only when they are deleted (OnDelete).';
  if (address.kind === 'DaemonSet') {
    const pods = numberAt(object, 'status', 'desiredNumberScheduled');
    return `Its ${pods} ${pods === 1 ? 'pod is' : 'pods are'} replaced node by node.`;
  }
  if (wanted === 0) return 'It has no pods: nothing runs until it is scaled up.';
  const pods = `${wanted} ${wanted === 1 ? 'pod' : 'pods'}`;
  if (strategy === 'Recreate')
    return `All ${pods} stop before new ones start: it is not available meanwhile.`;
  if (address.kind === 'StatefulSet')
    return wanted === 1
      ? 'Its only pod stops before the new one starts: it is not available meanwhile.'
      : `Its ${pods} are replaced one by one, the last one first.`;
  const unavailable = textAt(object, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable') || '25%';
  return `Its ${pods} ${wanted === 1 ? 'is' : 'are'} replaced step by step; at most ${unavailable} may be unavailable.`;
}
