import type { ActObject } from '#shared/api/acts.ts';
import { textAt } from '../../../base/json-fields.ts';
import type { RawObject } from '../../../cluster-model/index.ts';
import type { ActContext, Evidence, PlannedWrite } from '../types.ts';

/** Returns the uid of an object; empty when it has none. */
export const uidOf = (object: RawObject): string => textAt(object, 'metadata', 'uid');

/** Returns the resourceVersion of an object; empty when it has none. */
export const revisionOf = (object: RawObject): string => textAt(object, 'metadata', 'resourceVersion');

/** Names an object for a person: `Deployment apps/web`, `Node worker-1`. */
export function objectLabel({ kind, namespace, name }: Omit<ActObject, 'group' | 'version'>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Returns evidence that fields of the object that is acted on have their new values. */
export function fieldsShown({ kind, object, address }: ActContext, fields: RawObject): Evidence {
  const { namespace, name } = address;
  return { kind, namespace, name, shows: 'fields', uid: uidOf(object), fields };
}

/** Returns a merge patch of the object that is acted on, valid for the revision that was judged only. */
export function patchOf(context: ActContext, fields: RawObject): PlannedWrite {
  const { kind, object, address } = context;
  return {
    kind,
    namespace: address.namespace,
    name: address.name,
    verb: 'merge_patch',
    body: {
      ...fields,
      metadata: { ...metadataOf(fields), resourceVersion: revisionOf(object), uid: uidOf(object) },
    },
    evidence: fieldsShown(context, fields),
  };
}

function metadataOf({ metadata }: RawObject): object {
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}
