import { isDeepStrictEqual } from 'node:util';
import { compareText } from '#shared/text.ts';
import type { KubeKind, KubeObject } from './world.ts';

/** A JSON object. */
export type JsonObject = { readonly [field: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a field, empty when there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : {};
}

/** The objects of a list at a field, empty when there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** Text at a field; a number becomes text, anything else is empty. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** A number at a field, 0 when there is none. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const step of path) found = isJsonObject(found) ? found[step] : undefined;
  return found;
}

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

/** True when both hold the same, whatever the order of their fields. */
export const sameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** By namespace and name, as etcd orders its keys, which know no language. */
export function byNamespaceAndName({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  return compareText(a.namespace ?? '', b.namespace ?? '') || compareText(a.name, b.name);
}
