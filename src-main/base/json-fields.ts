import { isDeepStrictEqual } from 'node:util';

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

/** The texts of a list at a field, empty when there is none. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
}

/** A number at a field, 0 when there is none. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  // A name such as `constructor` is no field unless the object has it.
  for (const step of path)
    found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  return found;
}

/** True when both hold the same, whatever the order of their fields. */
export const sameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);
