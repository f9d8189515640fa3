import { stringify } from 'yaml';
import { objectAt } from '../../../base/json-fields.ts';
import { type RawObject, redactObject } from '../../../cluster-model/index.ts';

/** Returns an object as YAML for editing: credentials hidden, without its status and what the server keeps by itself. */
export function editableYaml(object: RawObject): string {
  const { status: _status, apiVersion, kind, metadata: _metadata, ...rest } = redactObject(object);
  const {
    managedFields: _managed,
    resourceVersion: _revision,
    generation: _generation,
    uid: _uid,
    creationTimestamp: _created,
    selfLink: _link,
    ...metadata
  } = objectAt(redactObject(object), 'metadata');
  return stringify({ apiVersion, kind, metadata, ...rest });
}
