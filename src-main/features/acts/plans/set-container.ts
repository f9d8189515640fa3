import { type JsonObject, listAt, textAt, valueAt } from '../../../base/json-fields.ts';
import { type RawObject, redactValue } from '../../../cluster-model/index.ts';
import type { ActContext, Plan, Planner } from '../types.ts';
import { containersOf, podSpecPath } from './containers.ts';
import { fieldsShown, objectLabel, patchOf } from './identity.ts';
import { replacement } from './restart.ts';
import { rolloutProgress } from './rollout-progress.ts';
import { operatorProgress, shownProgress } from './shown-progress.ts';

/** Sets the image of a container, or of what an operator makes of a custom resource. */
export const planSetImage: Planner<{
  readonly container?: string | undefined;
  readonly image: string;
}> = async (context, { container: name, image }): Promise<Plan> => {
  const chosen = choose(context, name);
  const sentence = `Set the image of ${labelOf(context, name)} to ${image}.`;
  if ('refusal' in chosen) return refused(context, sentence, chosen.refusal);
  const before = textAt(chosen.container, 'image');
  if (before === image) return refused(context, sentence, 'It runs this image already.');
  return {
    ...change(context, chosen.index, { image }),
    sentence,
    undo: {
      act: 'set_image',
      object: context.address,
      args: { ...(name === undefined ? {} : { container: name }), image: before },
      sentence: `Set it back to ${before}.`,
    },
  };
};

type EnvArgs = {
  readonly container?: string | undefined;
  readonly name: string;
  readonly value?: string | undefined;
};

/** Sets a variable of a container or of a custom resource, or removes it. */
export const planSetEnv: Planner<EnvArgs> = async (context, { container, name, value }): Promise<Plan> => {
  const chosen = choose(context, container);
  const sentence = `${value === undefined ? 'Remove' : 'Set'} ${name} of ${labelOf(context, container)}.`;
  if ('refusal' in chosen) return refused(context, sentence, chosen.refusal);
  const env = listAt(chosen.container, 'env');
  const before = env.find((each) => each.name === name);
  if (value === undefined && before === undefined) return refused(context, sentence, `${name} is not set.`);
  if (value !== undefined && before?.value === value)
    return refused(context, sentence, 'It has this value already.');
  const isReferred = before !== undefined && before.valueFrom !== undefined;
  const after =
    value === undefined
      ? env.filter((each) => each !== before)
      : before === undefined
        ? [...env, { name, value }]
        : env.map((each) => (each === before ? { name, value } : each));
  const old = textAt(before, 'value');
  // What is called like a credential is not kept, so it cannot be put back.
  const restorable = !isReferred && redactValue(name, old) === old;
  return {
    ...change(context, chosen.index, { env: after }),
    sentence,
    warnings: isReferred
      ? [
          `${name} came from a Secret, ConfigMap or field: the reference is replaced, and this cannot be undone here.`,
        ]
      : [],
    ...(restorable
      ? {
          undo: {
            act: 'set_env' as const,
            object: context.address,
            args: {
              ...(container === undefined ? {} : { container }),
              name,
              ...(before === undefined ? {} : { value: old }),
            },
            sentence: before === undefined ? `Remove ${name}.` : `Set ${name} back.`,
          },
        }
      : {}),
  };
};

type Chosen = { readonly container: JsonObject; readonly index: number } | { readonly refusal: string };

function choose({ object, address }: ActContext, name: string | undefined): Chosen {
  const containers = containersOf(object) ?? [];
  const [only] = containers;
  if (only === undefined)
    return { refusal: `${address.kind} ${address.name} has no containers that can be set.` };
  if (name === undefined)
    return containers.length === 1
      ? { container: only, index: 0 }
      : {
          refusal: `Name one of its containers: ${containers.map((each) => textAt(each, 'name')).join(', ')}.`,
        };
  const index = containers.findIndex((each) => each.name === name);
  const found = containers[index];
  return found === undefined ? { refusal: `It has no container ${name}.` } : { container: found, index };
}

/** The whole list is written, which is safe because the write is for the revision that was read. */
function change(context: ActContext, index: number, fields: JsonObject): Omit<Plan, 'sentence'> {
  const { object, address } = context;
  const path = podSpecPath(object.kind);
  const patch =
    path === undefined
      ? { spec: fields }
      : nested(path, {
          containers: listAt(object, ...path, 'containers').map((each, at) =>
            at === index ? { ...each, ...fields } : each,
          ),
        });
  const isRollout = path !== undefined && address.kind !== 'CronJob';
  const isPaused = valueAt(object, 'spec', 'paused') === true;
  return {
    writes: [patchOf(context, patch)],
    effects:
      path === undefined
        ? [`The operator of ${address.kind} rolls it out.`]
        : isRollout
          ? [isPaused ? 'Its rollout is paused: nothing changes until it is resumed.' : replacement(context)]
          : ['Jobs that start from now on have it.'],
    warnings: [],
    progress:
      path === undefined
        ? operatorProgress(context)
        : isRollout
          ? rolloutProgress(context)
          : shownProgress(fieldsShown(context, patch)),
  };
}

function nested(path: readonly string[], value: RawObject): RawObject {
  return path.reduceRight<RawObject>((inner, step) => ({ [step]: inner }), value);
}

function labelOf({ address }: ActContext, container: string | undefined): string {
  return `${objectLabel(address)}${container === undefined ? '' : `, container ${container}`}`;
}

function refused(context: ActContext, sentence: string, refusal: string): Plan {
  return { sentence, refusal, writes: [], effects: [], warnings: [], progress: rolloutProgress(context) };
}
