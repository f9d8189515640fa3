import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';

/** A value as CEL takes it: integers as `bigint`, objects and maps as `Map`. */
export type CelInput =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | Timestamp
  | Duration
  | CelInput[]
  | Map<string, CelInput>;

/** Returns JSON as CEL takes it: whole numbers are `int`, others `double`. Throws an Error for what is no JSON. */
export function celInput(value: unknown): CelInput {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celInput);
  if (typeof value === 'object')
    return new Map(Object.entries(value).map(([name, each]) => [name, celInput(each)]));
  throw new Error(`a ${typeof value} is no value of an expression`);
}
