import { durationFromMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CelInput } from '../../cel/index.ts';
import { isJsonObject } from '../object-fields.ts';
import { celName, itemsOf, listMapKeys, propertiesOf, propertyOf, type Schema, valuesOf } from './schemas.ts';

/** A value as CEL takes it. */
export type RuleValue = CelInput;

/**
 * Returns a value as its schema makes it appear to a rule: only what the schema names, properties under their names in CEL.
 * Throws an Error for a value that is not of the schema's type.
 */
export function ruleValue(schema: Schema, value: unknown): RuleValue {
  if (value === null) return null;
  const isEither = schema['x-kubernetes-int-or-string'] === true;
  const type = isEither ? (typeof value === 'string' ? 'string' : 'integer') : schema.type;
  if (type === 'integer' && Number.isInteger(value)) return BigInt(Number(value));
  if (type === 'number' && typeof value === 'number') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'string' && typeof value === 'string') return textValue(schema.format, value);
  const items = itemsOf(schema);
  if (type === 'array' && Array.isArray(value))
    return items === undefined ? [] : value.map((each) => ruleValue(items, each));
  if (type === 'object' && isJsonObject(value)) return new Map(entriesOf(schema, value));
  throw new Error(`a value of the type ${String(type)} was expected`);
}

function textValue(format: unknown, value: string): RuleValue {
  if (format === 'byte') return new Uint8Array(Buffer.from(value, 'base64'));
  if (format === 'date-time' || format === 'date') {
    const at = new Date(value);
    if (Number.isNaN(at.getTime())) throw new Error(`"${value}" is no ${format}`);
    return timestampFromDate(at);
  }
  if (format !== 'duration') return value;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== value.replace(/^[-+]/, ''))
    throw new Error(`"${value}" is no duration`);
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
  const ms = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0);
  return durationFromMs(Math.round(value.startsWith('-') ? -ms : ms));
}

function entriesOf(schema: Schema, value: Readonly<Record<string, unknown>>): [string, RuleValue][] {
  const values = valuesOf(schema);
  const named = propertiesOf(schema).flatMap(([property, part]): [string, RuleValue][] => {
    const name = celName(property);
    const given = Object.hasOwn(value, property) ? value[property] : undefined;
    if (name === undefined || given === undefined) return [];
    return given === null && part.nullable !== true ? [] : [[name, ruleValue(part, given)]];
  });
  if (values === undefined) return named;
  return Object.entries(value).flatMap(([key, each]): [string, RuleValue][] =>
    propertyOf(schema, key) === undefined ? [[key, ruleValue(values, each)]] : [],
  );
}

/**
 * Returns the old value with its sets and keyed lists in the order of the new ones: their order has no meaning, and CEL
 * compares lists element by element.
 */
export function inOrderOf(schema: Schema, old: unknown, value: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(value)) {
    const keys = listMapKeys(schema);
    if (keys === undefined && schema['x-kubernetes-list-type'] !== 'set') return old;
    const named = new Map(old.map((each: unknown) => [keyOf(each, keys), each]));
    const kept = value.flatMap((each) => {
      const key = keyOf(each, keys);
      const found = named.get(key);
      return named.delete(key) ? [found] : [];
    });
    return [...kept, ...named.values()];
  }
  if (!isJsonObject(old) || !isJsonObject(value)) return old;
  return Object.fromEntries(
    Object.entries(old).map(([name, each]) => {
      const part = propertyOf(schema, name) ?? valuesOf(schema);
      return [name, part === undefined ? each : inOrderOf(part, each, value[name])];
    }),
  );
}

/** Returns what an element of a list is found again by: its values of these fields, or all of it. */
export function keyOf(element: unknown, keys: readonly string[] | undefined): string {
  const fields = isJsonObject(element) && keys !== undefined ? keys.map((key) => element[key]) : element;
  return JSON.stringify(fields);
}
