import type { ActableObject, ActObject } from '#shared/api/acts.ts';
import { type JsonObject, listAt, textAt, valueAt } from '../../base/json-fields.ts';
import { redactObject } from '../../cluster-model/index.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import { definitionOf, definitions, takesKind } from './definitions.ts';
import { accessTo, forbiddenOf, readContext } from './judge.ts';
import { containersOf } from './plans/containers.ts';
import { editableYaml } from './plans/editable.ts';
import { revisionsOf } from './plans/revisions.ts';
import type { ActContext } from './types.ts';

/** Reads which acts an object takes now, and the values they change. Throws as `judgeAct`. */
export async function offerActs(
  cluster: Cluster,
  target: string,
  address: ActObject,
  { writable, now }: { readonly writable: boolean; readonly now: number },
): Promise<ActableObject> {
  const context = await readContext(accessTo(cluster), address, { key: 'offer', now });
  const fitting = definitions.filter(
    (definition) => takesKind(definition, address) && fits(definition.id, context),
  );
  const acts = await Promise.all(
    fitting.map(async ({ id, title }) => {
      const reason = writable
        ? await forbiddenOf(definitionOf(id).rights, context)
        : `${target} is read-only: name it in CONSOLE_WRITABLE_TARGETS to change anything in it.`;
      return { act: id, title, allowed: reason === undefined, ...(reason === undefined ? {} : { reason }) };
    }),
  );
  const { object, kind } = context;
  const replicas = valueAt(object, 'spec', 'replicas');
  const containers = containersOf(redactObject(object));
  const revisions = fitting.some(({ id }) => id === 'rollback') ? await revisionsOf(context) : undefined;
  return {
    target,
    acts,
    ...(kind.subresources.includes('scale') ? { replicas: typeof replicas === 'number' ? replicas : 1 } : {}),
    ...(containers === undefined ? {} : { containers: containers.map(shownContainer) }),
    ...(revisions === undefined
      ? {}
      : {
          revisions: revisions.map(({ template: _template, ...revision }) => revision),
        }),
    ...(address.kind === 'Secret' ? {} : { yaml: editableYaml(object) }),
  };
}

/** Leaves out acts that would do nothing now, such as resuming what runs. */
function fits(act: string, { object, kind, address }: ActContext): boolean {
  const stopped = address.kind === 'Deployment' ? 'paused' : 'suspend';
  switch (act) {
    case 'scale':
      return kind.subresources.includes('scale');
    case 'cordon':
      return valueAt(object, 'spec', 'unschedulable') !== true;
    case 'uncordon':
      return valueAt(object, 'spec', 'unschedulable') === true;
    case 'suspend':
      return valueAt(object, 'spec', stopped) !== true;
    case 'resume':
      return valueAt(object, 'spec', stopped) === true;
    case 'set_image':
    case 'set_env':
      return containersOf(object) !== undefined;
    case 'apply':
      return address.kind !== 'Secret';
    default:
      return true;
  }
}

function shownContainer(container: JsonObject) {
  return {
    name: textAt(container, 'name'),
    image: textAt(container, 'image'),
    env: listAt(container, 'env').map((variable) => ({
      name: textAt(variable, 'name'),
      ...(typeof variable.value === 'string' ? { value: variable.value } : {}),
    })),
  };
}
