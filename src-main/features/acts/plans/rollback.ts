import { textAt, valueAt } from '../../../base/json-fields.ts';
import type { Plan, Planner } from '../types.ts';
import { fieldsShown, objectLabel, revisionOf, uidOf } from './identity.ts';
import { replacement } from './restart.ts';
import { revisionsOf } from './revisions.ts';
import { rolloutProgress } from './rollout-progress.ts';

/** Puts an earlier pod template back, as `kubectl rollout undo` does. */
export const planRollback: Planner<{ readonly revision: number }> = async (
  context,
  { revision },
): Promise<Plan> => {
  const { address, object, kind } = context;
  const sentence = `Roll ${objectLabel(address)} back to revision ${revision}.`;
  const base = { sentence, writes: [], effects: [], warnings: [], progress: rolloutProgress(context) };
  if (valueAt(object, 'spec', 'paused') === true)
    return { ...base, refusal: 'Its rollout is paused: resume it before you roll it back.' };
  const revisions = await revisionsOf(context);
  if (revisions === undefined) return { ...base, refusal: 'Its revisions could not be read.' };
  const wanted = revisions.find((each) => each.revision === revision);
  const current = revisions.find((each) => each.current);
  if (wanted === undefined)
    return {
      ...base,
      refusal: `There is no revision ${revision}: kept are ${revisions.map((each) => each.revision).join(', ') || 'none'}.`,
    };
  if (wanted.current) return { ...base, refusal: `Revision ${revision} is what runs already.` };
  return {
    ...base,
    writes: [
      {
        kind,
        namespace: address.namespace,
        name: address.name,
        verb: 'json_patch',
        body: [
          { op: 'test', path: '/metadata/uid', value: uidOf(object) },
          { op: 'replace', path: '/metadata/resourceVersion', value: revisionOf(object) },
          { op: 'replace', path: '/spec/template', value: wanted.template },
        ],
        evidence: fieldsShown(context, { spec: { template: wanted.template } }),
      },
    ],
    effects: [
      `Runs ${wanted.images.join(', ')}${wanted.created_at === undefined ? '' : `, as of ${textAt(wanted, 'created_at')}`}.`,
      replacement(context),
    ],
    ...(current === undefined
      ? {}
      : {
          undo: {
            act: 'rollback' as const,
            object: address,
            args: { revision: current.revision },
            sentence: `Roll forward to revision ${current.revision}.`,
          },
        }),
  };
};
