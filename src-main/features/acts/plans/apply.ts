import { parse } from 'yaml';
import { errorMessage } from '../../../base/error-message.ts';
import { isJsonObject, type JsonObject, objectAt, sameValue } from '../../../base/json-fields.ts';
import {
  deepestObject,
  hidden,
  isDeeperThan,
  type RawObject,
  redactObject,
} from '../../../cluster-model/index.ts';
import type { ActContext, Plan, Planner } from '../types.ts';
import { podSpecPath } from './containers.ts';
import { editableYaml } from './editable.ts';
import { fieldsShown, objectLabel, revisionOf, uidOf } from './identity.ts';
import { replacement } from './restart.ts';
import { rolloutProgress } from './rollout-progress.ts';
import { operatorProgress, shownProgress } from './shown-progress.ts';

/** Who may do what: only people change it. */
const accessGroups = ['rbac.authorization.k8s.io', 'admissionregistration.k8s.io'];

/** Replaces an object by its edited YAML. Values that were shown as hidden stay as they are. */
export const planApply: Planner<{ readonly yaml: string }> = async (context, { yaml }): Promise<Plan> => {
  const { object, address, kind } = context;
  const sentence = `Apply the edited ${objectLabel(address)}.`;
  const edited = readEdited(context, yaml);
  const isAccess = accessGroups.includes(address.group);
  const base = {
    sentence,
    ...(isAccess ? { class: 'access' as const } : {}),
    writes: [],
    effects: [],
    warnings: [],
    progress: shownProgress(fieldsShown(context, {})),
  };
  if ('refusal' in edited) return { ...base, refusal: edited.refusal };
  const fields = changeOf(withoutServerFields(object), withoutServerFields(edited.object));
  if (Object.keys(fields).length === 0) return { ...base, refusal: 'Nothing was changed.' };
  const isWorkload = podSpecPath(object.kind) !== undefined && address.kind !== 'CronJob';
  const isCustom = address.group.includes('.') && !address.group.endsWith('.k8s.io') && !isWorkload;
  const rollsOut =
    isWorkload && !sameValue(objectAt(object, 'spec').template, objectAt(edited.object, 'spec').template);
  return {
    ...base,
    writes: [
      {
        kind,
        namespace: address.namespace,
        name: address.name,
        verb: 'update',
        body: {
          ...edited.object,
          ...(object.status === undefined ? {} : { status: object.status }),
          metadata: {
            ...objectAt(edited.object, 'metadata'),
            uid: uidOf(object),
            resourceVersion: revisionOf(object),
          },
        },
        evidence: fieldsShown(context, fields),
      },
    ],
    effects: rollsOut ? [replacement(context)] : isCustom ? ['Its operator takes it up.'] : [],
    ...(edited.changesHidden
      ? { warnings: ['A value that is hidden here was changed: this cannot be undone from here.'] }
      : {
          undo: {
            act: 'apply' as const,
            object: address,
            args: { yaml: editableYaml(object) },
            sentence: 'Apply it as it was.',
          },
        }),
    progress: isWorkload
      ? rolloutProgress(context)
      : isCustom
        ? operatorProgress(context)
        : shownProgress(fieldsShown(context, fields)),
  };
};

type Edited = { readonly object: RawObject; readonly changesHidden: boolean } | { readonly refusal: string };

function readEdited({ object, address }: ActContext, yaml: string): Edited {
  if (address.kind === 'Secret' && address.group === '')
    return { refusal: 'Secrets are not edited here: their values are not shown.' };
  let value: unknown;
  try {
    value = parse(yaml, { maxAliasCount: 100 });
  } catch (error) {
    return { refusal: `The YAML cannot be read: ${errorMessage(error)}` };
  }
  if (!isJsonObject(value) || isDeeperThan(value, deepestObject))
    return { refusal: 'The YAML is no object.' };
  const metadata = objectAt(value, 'metadata');
  const apiVersion = address.group === '' ? address.version : `${address.group}/${address.version}`;
  if (value.apiVersion !== apiVersion || value.kind !== address.kind)
    return { refusal: `apiVersion and kind stay ${apiVersion} and ${address.kind}.` };
  if (metadata.name !== address.name || metadata.namespace !== address.namespace)
    return { refusal: 'Name and namespace stay as they are: this edits one object.' };
  const shown = redactObject(object);
  const restored = restore(value, shown, object);
  if (JSON.stringify(restored).includes(hidden))
    return { refusal: `A value is ${hidden} where none was: write the value, or leave the field as it is.` };
  const after = isJsonObject(restored) ? restored : value;
  const back = restore(withoutServerFields(shown), redactObject(after), after);
  return { object: after, changesHidden: !sameValue(back, withoutServerFields(object)) };
}

/** Puts the values back that were hidden: where the edited value is what was shown, the real one. */
function restore(edited: unknown, shown: unknown, real: unknown): unknown {
  if (sameValue(edited, shown)) return real;
  if (Array.isArray(edited))
    return edited.map((each: unknown, index) => {
      const at = placeOf(each, index, shown);
      return restore(each, childOf(shown, at), childOf(real, at));
    });
  if (!isJsonObject(edited)) return edited;
  return Object.fromEntries(
    Object.entries(edited).map(([name, value]) => [
      name,
      restore(value, childOf(shown, name), childOf(real, name)),
    ]),
  );
}

/** The place of an element among those that were shown: by its name, else by its index. */
function placeOf(element: unknown, index: number, shown: unknown): string {
  if (!isJsonObject(element) || typeof element.name !== 'string' || !Array.isArray(shown))
    return String(index);
  const found = shown.findIndex((each: unknown) => isJsonObject(each) && each.name === element.name);
  return String(found === -1 ? index : found);
}

function childOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isJsonObject(value) ? value[name] : undefined;
}

function withoutServerFields({ status: _status, metadata, ...rest }: RawObject): JsonObject {
  const {
    managedFields: _managed,
    resourceVersion: _revision,
    generation: _generation,
    uid: _uid,
    creationTimestamp: _created,
    ...kept
  } = objectAt({ metadata }, 'metadata');
  return { ...rest, metadata: kept };
}

/** The JSON merge patch (RFC 7386) from one object to another. */
function changeOf(before: JsonObject, after: JsonObject): JsonObject {
  const change: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (sameValue(old, value)) continue;
    change[name] = isJsonObject(old) && isJsonObject(value) ? changeOf(old, value) : value;
  }
  for (const name of Object.keys(before)) if (!(name in after)) change[name] = null;
  return change;
}
