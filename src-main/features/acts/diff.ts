import type { ActChange } from '#shared/api/acts.ts';
import { isJsonObject, type JsonObject, sameValue } from '../../base/json-fields.ts';
import { type RawObject, redactObject } from '../../cluster-model/index.ts';

/** Fields the server keeps by itself: they change with every write. */
const kept = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.creationTimestamp',
  'status',
]);

/** Changes of one object that are shown, at most. */
const most = 200;

/** Returns the fields that differ between two states of an object, credentials hidden. An absent object has no fields. */
export function diffOf(before: RawObject | undefined, after: RawObject | undefined): ActChange[] {
  const changes: ActChange[] = [];
  compare(
    [],
    { before, after },
    {
      before: before === undefined ? undefined : redactObject(before),
      after: after === undefined ? undefined : redactObject(after),
    },
    changes,
  );
  return changes.slice(0, most);
}

/** Returns the paths of the fields that differ, lists of objects by the name of their elements. */
export function changedPaths(changes: readonly ActChange[]): readonly string[] {
  return changes.map(({ path }) => path);
}

type Sides = { readonly before: unknown; readonly after: unknown };

/** `shown` is the same with credentials hidden. */
function compare(path: readonly string[], real: Sides, shown: Sides, into: ActChange[]): void {
  const name = path.join('.');
  if (kept.has(name) || sameValue(real.before, real.after)) return;
  const [before, after] = [fieldsOf(real.before), fieldsOf(real.after)];
  if (before === undefined || after === undefined || sizeOf(before) + sizeOf(after) === 0) {
    into.push({ path: name, ...textOf('before', shown.before), ...textOf('after', shown.after) });
    return;
  }
  const [shownBefore, shownAfter] = [fieldsOf(shown.before) ?? {}, fieldsOf(shown.after) ?? {}];
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)]))
    compare(
      [...path, field],
      { before: before[field], after: after[field] },
      { before: shownBefore[field], after: shownAfter[field] },
      into,
    );
}

const sizeOf = (fields: JsonObject): number => Object.keys(fields).length;

/** An object's fields, or a list's elements by their names where each has one, else by their places. */
function fieldsOf(value: unknown): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (!Array.isArray(value)) return undefined;
  const names = value.map((each) =>
    isJsonObject(each) && typeof each.name === 'string' ? each.name : undefined,
  );
  const isNamed = names.every((each) => each !== undefined) && new Set(names).size === names.length;
  return Object.fromEntries(
    value.map((each: unknown, index) => [isNamed ? `[${names[index]}]` : `[${index}]`, each]),
  );
}

function textOf<Side extends 'before' | 'after'>(side: Side, value: unknown): Partial<Record<Side, string>> {
  if (value === undefined) return {};
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A computed name loses its literal type.
  return { [side]: text.length > 2000 ? `${text.slice(0, 2000)}…` : text } as Partial<Record<Side, string>>;
}
