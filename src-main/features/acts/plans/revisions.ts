import {
  isJsonObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  sameValue,
  textAt,
  valueAt,
} from '../../../base/json-fields.ts';
import type { RawObject } from '../../../cluster-model/index.ts';
import type { ActContext } from '../types.ts';
import { uidOf } from './identity.ts';

/** An earlier pod template of a workload. */
export type Revision = {
  readonly revision: number;
  readonly images: string[];
  readonly created_at?: string;
  readonly current: boolean;
  readonly template: JsonObject;
};

/** Reads the revisions of a workload, newest first; undefined when they cannot be listed. */
export async function revisionsOf(context: ActContext): Promise<readonly Revision[] | undefined> {
  const { access, address, object } = context;
  const isDeployment = address.kind === 'Deployment';
  const found = await access.kindOf({
    group: 'apps',
    version: 'v1',
    kind: isDeployment ? 'ReplicaSet' : 'ControllerRevision',
  });
  if (found.state !== 'read') return undefined;
  const listed = await access.list(found.kind, { namespace: address.namespace });
  if (listed.state !== 'read') return undefined;
  const current = withoutHash(objectAt(object, 'spec', 'template'));
  return listed.items
    .filter((each) => listAt(each, 'metadata', 'ownerReferences').some(({ uid }) => uid === uidOf(object)))
    .flatMap((each) => {
      const template = isDeployment
        ? withoutHash(objectAt(each, 'spec', 'template'))
        : withoutMark(objectAt(each, 'data', 'spec', 'template'));
      const revision = isDeployment
        ? Number(textAt(each, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'))
        : numberAt(each, 'revision');
      return Number.isInteger(revision) && revision > 0
        ? [
            {
              revision,
              images: imagesOf(template),
              ...createdAt(each),
              current: sameValue(template, current),
              template,
            },
          ]
        : [];
    })
    .sort((a, b) => b.revision - a.revision);
}

function createdAt(object: RawObject): { created_at?: string } {
  const at = textAt(object, 'metadata', 'creationTimestamp');
  return at === '' ? {} : { created_at: at };
}

function imagesOf(template: JsonObject): string[] {
  return listAt(template, 'spec', 'containers').map((container) => textAt(container, 'image'));
}

/** Its controller labels a ReplicaSet's template with a hash that the Deployment's does not have. */
function withoutHash(template: JsonObject): JsonObject {
  const labels = valueAt(template, 'metadata', 'labels');
  if (!isJsonObject(labels) || !('pod-template-hash' in labels)) return template;
  const { 'pod-template-hash': _hash, ...rest } = labels;
  return { ...template, metadata: { ...objectAt(template, 'metadata'), labels: rest } };
}

/** A ControllerRevision keeps its template as a patch that replaces. */
function withoutMark({ $patch: _mark, ...template }: JsonObject): JsonObject {
  return template;
}
