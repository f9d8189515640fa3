import { compareText } from '#shared/text.ts';
import { isJsonObject, objectAt } from '../base/json-fields.ts';
import type { KubeKind, KubeObject } from './world.ts';

export {
  isJsonObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  sameValue,
  textAt,
  valueAt,
} from '../base/json-fields.ts';

/** An object that came from outside has what every object has. */
export function isKubeObject(value: unknown): value is KubeObject {
  return (
    isJsonObject(value) &&
    typeof value.apiVersion === 'string' &&
    typeof value.kind === 'string' &&
    typeof objectAt(value, 'metadata').name === 'string'
  );
}

/** `apps/v1`, or `v1` of the core group. */
export function groupVersion({ group, version }: Pick<KubeKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the group of an apiVersion, the part before the slash; empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** By namespace and name, as etcd orders its keys, which know no language. */
export function byNamespaceAndName({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  return compareText(a.namespace ?? '', b.namespace ?? '') || compareText(a.name, b.name);
}
