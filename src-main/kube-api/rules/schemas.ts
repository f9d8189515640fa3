import { isJsonObject, type JsonObject } from '../object-fields.ts';

/** A structural schema of a custom kind (apiextensions.k8s.io/v1, JSONSchemaProps). */
export type Schema = JsonObject;

/** One rule of `x-kubernetes-validations`. */
export type Rule = {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
};

/** Returns the rules of a schema itself, not of what is in it. */
export function rulesOf(schema: Schema): readonly Rule[] {
  const given = schema['x-kubernetes-validations'];
  if (!Array.isArray(given)) return [];
  return given.filter(isJsonObject).map((each) => ({
    rule: text(each.rule),
    message: text(each.message),
    messageExpression: text(each.messageExpression),
    reason: text(each.reason),
    fieldPath: text(each.fieldPath),
    optionalOldSelf: each.optionalOldSelf === true,
  }));
}

/** Returns whether a schema, or anything in it, has rules. */
export function hasRules(schema: Schema): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const found = rulesOf(schema).length > 0 || partsOf(schema).some(({ part }) => hasRules(part));
  ruled.set(schema, found);
  return found;
}

const ruled = new WeakMap<Schema, boolean>();

/** A schema within another, and how a path names it. */
export type SchemaPart = { readonly step: string; readonly part: Schema };

/** Returns the schemas directly in a schema, with the steps by which Kubernetes names them in a definition. */
export function partsOf(schema: Schema): readonly SchemaPart[] {
  const [items, values] = [itemsOf(schema), valuesOf(schema)];
  return [
    ...propertiesOf(schema).map(([name, part]) => ({ step: `.properties[${name}]`, part })),
    ...(values === undefined ? [] : [{ step: '.additionalProperties', part: values }]),
    ...(items === undefined ? [] : [{ step: '.items', part: items }]),
  ];
}

/** Returns the named properties of an object's schema. */
export function propertiesOf({ properties }: Schema): readonly (readonly [string, Schema])[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, part]) => (isJsonObject(part) ? [[name, part]] : []));
}

/** Returns the schema of one property; undefined where there is none of that name. */
export function propertyOf({ properties }: Schema, name: string): Schema | undefined {
  const part = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(part) ? part : undefined;
}

/** Returns the schema of an array's elements. */
export const itemsOf = ({ items }: Schema): Schema | undefined => (isJsonObject(items) ? items : undefined);

/** Returns the schema of the values of a map, whose keys are free. */
export const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  isJsonObject(additionalProperties) ? additionalProperties : undefined;

/** Returns the fields by which elements of a list are the same before and after a change; undefined for other lists. */
export function listMapKeys(schema: Schema): readonly string[] | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  return schema['x-kubernetes-list-type'] === 'map' && Array.isArray(keys) ? keys.map(String) : undefined;
}

/** Words of CEL that are names of fields only when they are escaped. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(
    ' ',
  ),
);
const escapes: readonly (readonly [RegExp, string])[] = [
  [/__/g, '__underscores__'],
  [/\./g, '__dot__'],
  [/-/g, '__dash__'],
  [/\//g, '__slash__'],
];

/** Returns the name of a property in CEL (Kubernetes, Escaping property names); undefined where it has none. */
export function celName(property: string): string | undefined {
  if (reserved.has(property)) return `__${property}__`;
  const escaped = escapes.reduce((name, [from, to]) => name.replace(from, to), property);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/**
 * Returns the schema at a rule's `fieldPath`, such as `.spec.names['a-b']`, and that path as messages write it; undefined
 * where there is nothing at it.
 */
export function atFieldPath(schema: Schema, fieldPath: string): string | undefined {
  let [at, rest, path] = [schema, fieldPath, ''];
  while (rest !== '') {
    const step = /^\.([A-Za-z_][A-Za-z0-9_]*)|^\['([^']+)'\]/.exec(rest);
    const name = step?.[1] ?? step?.[2];
    if (step === null || name === undefined) return undefined;
    const named = propertyOf(at, name);
    const next = named ?? valuesOf(at);
    if (next === undefined) return undefined;
    path += named === undefined ? `[${name}]` : `.${name}`;
    at = next;
    rest = rest.slice(step[0].length);
  }
  return path;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a value with the defaults of its schema, as the server sees it before it asks the rules. */
export function withDefaults(schema: Schema, value: unknown): unknown {
  const items = itemsOf(schema);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((each) => withDefaults(items, each));
  if (!isJsonObject(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, part] of propertiesOf(schema)) {
    const isUnset = filled[name] === undefined || (filled[name] === null && part.nullable !== true);
    if (isUnset && part.default !== undefined) filled[name] = structuredClone(part.default);
    if (filled[name] !== undefined) filled[name] = withDefaults(part, filled[name]);
  }
  const values = valuesOf(schema);
  if (values !== undefined)
    for (const name of Object.keys(filled))
      if (propertyOf(schema, name) === undefined) filled[name] = withDefaults(values, filled[name]);
  return filled;
}
