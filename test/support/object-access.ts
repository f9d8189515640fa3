import type { RawObject } from '../../src-main/cluster-model/index.ts';
import type { ObjectAccess, ServedKind, WriteResult } from '../../src-main/sources/cluster/index.ts';

type Parts = {
  readonly objects: RawObject[];
  readonly writable: boolean;
  readonly merge: (into: RawObject, patch: RawObject) => RawObject;
};

/** Access to plain objects, for acts that patch; how a real cluster is written is tested on one. */
export function objectAccess({ objects, writable, merge }: Parts): ObjectAccess {
  const find = (kind: ServedKind, name: string, namespace: string | undefined) =>
    objects.find(
      (object) =>
        object.kind === kind.kind &&
        metadataOf(object).name === name &&
        metadataOf(object).namespace === namespace,
    );
  const patch: ObjectAccess['write'] = async ({
    kind,
    name = '',
    namespace,
    verb,
    body,
  }): Promise<WriteResult> => {
    if (!writable) return { state: 'read_only', reason: 'The target is not marked writable.' };
    const object = find(kind, name, namespace);
    if (object === undefined) return { state: 'missing', reason: `There is no ${kind.kind} ${name}.` };
    if (verb !== 'merge_patch') return { state: 'refused', reason: `No ${verb} of plain objects.` };
    return { state: 'done', object: merge(object, body as RawObject), warnings: [] };
  };
  return {
    async kindOf({ group, version, kind }) {
      const plural = `${kind.toLowerCase()}s`;
      const namespaced = kind !== 'Node';
      return { state: 'read', kind: { group, version, kind, plural, namespaced, subresources: [] } };
    },
    async read(kind, name, namespace) {
      const object = find(kind, name, namespace);
      return object === undefined
        ? { state: 'missing', reason: `There is no ${kind.kind} ${name}.` }
        : { state: 'read', object, readAt: 0 };
    },
    list: async (kind) => ({ state: 'read', items: objects.filter((object) => object.kind === kind.kind) }),
    dryRun: patch,
    async write(write) {
      const result = await patch(write);
      const before = find(write.kind, write.name ?? '', write.namespace);
      if (result.state === 'done' && before !== undefined)
        objects.splice(objects.indexOf(before), 1, result.object);
      return result;
    },
    mayNow: async () => true,
  };
}

function metadataOf({ metadata }: RawObject): RawObject {
  return metadata as RawObject;
}
