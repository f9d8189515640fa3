import { numberAt, valueAt } from '../../../base/json-fields.ts';
import type { Plan, Planner } from '../types.ts';
import { fieldsShown, objectLabel, revisionOf, uidOf } from './identity.ts';
import { rolloutProgress } from './rollout-progress.ts';

/** Scales through the `scale` subresource, of any kind that has it. */
export const planScale: Planner<{ readonly replicas: number }> = async (
  context,
  { replicas },
): Promise<Plan> => {
  const { address, object, kind } = context;
  const before = Number(valueAt(object, 'spec', 'replicas') ?? 1);
  const sentence = `Scale ${objectLabel(address)} from ${before} to ${replicas}.`;
  const base = { sentence, effects: [], warnings: [], progress: rolloutProgress(context) };
  if (!kind.subresources.includes('scale'))
    return { ...base, refusal: `${address.kind} cannot be scaled: it has no scale subresource.`, writes: [] };
  if (before === replicas) return { ...base, refusal: `It is scaled to ${replicas} already.`, writes: [] };
  const { namespace, name } = address;
  const ready = numberAt(object, 'status', 'readyReplicas');
  return {
    ...base,
    writes: [
      {
        kind,
        namespace,
        name,
        subresource: 'scale',
        verb: 'update',
        body: {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: {
            name,
            ...(namespace === undefined ? {} : { namespace }),
            uid: uidOf(object),
            resourceVersion: revisionOf(object),
          },
          spec: { replicas },
        },
        evidence: fieldsShown(context, { spec: { replicas } }),
      },
    ],
    effects: [
      replicas === 0
        ? `All ${before} pods stop: nothing serves any more.`
        : replicas < before
          ? `${before - replicas} of ${before} pods ${before - replicas === 1 ? 'stops' : 'stop'}; ${ready} are ready now.`
          : `${replicas - before} more ${replicas - before === 1 ? 'pod is' : 'pods are'} started, if quota and nodes have room.`,
    ],
    undo: {
      act: 'scale',
      object: address,
      args: { replicas: before },
      sentence: `Scale back to ${before}.`,
    },
  };
};
