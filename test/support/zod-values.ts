import fc from 'fast-check';
import type { z } from 'zod';

/** As much of a schema's definition as its values are made from. */
type Definition = {
  readonly type: string;
  readonly format?: string;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly options?: readonly z.ZodType[];
  readonly getter?: () => z.ZodType;
};

const texts = [
  '',
  'a',
  'web-7d9',
  'acme/shop',
  '3f2a',
  'https://git.test/a',
  'ftp://x',
  '2026-11-22T02:00:00.000Z',
  ' A ',
];

/** Returns values of a schema's shape; bounds, patterns and tests of it hold of some of them only. */
export function valuesOf(schema: z.ZodType, depth = 0): fc.Arbitrary<unknown> {
  // Definitions are zod's own data about a schema; their type is the union of all kinds.
  const definition = schema._zod.def as unknown as Definition;
  const inner = (part: z.ZodType | undefined): fc.Arbitrary<unknown> =>
    part === undefined || depth > 8 ? fc.constant(undefined) : valuesOf(part, depth + 1);
  switch (definition.type) {
    case 'string':
      return definition.format === 'datetime'
        ? fc.constant('2026-11-22T02:00:00.000Z')
        : fc.constantFrom(...texts);
    case 'number':
      return fc.constantFrom(0, 1, 2, 300, -1, 0.5);
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(definition.values ?? []));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
      return fc.oneof(
        inner(definition.innerType),
        fc.constant(definition.type === 'nullable' ? null : undefined),
      );
    case 'array':
      return fc.array(inner(definition.element), { maxLength: 2 });
    case 'tuple':
      return fc.tuple(...(definition.items ?? []).map(inner));
    case 'union':
      return fc.oneof(...(definition.options ?? []).map(inner));
    case 'record':
      return fc
        .array(fc.tuple(inner(definition.keyType), inner(definition.valueType)), { maxLength: 2 })
        .map((pairs) => Object.fromEntries(pairs));
    case 'lazy':
      return depth > 8 ? fc.constant('a') : inner(definition.getter?.());
    case 'object': {
      const fields = Object.entries(definition.shape ?? {});
      return fc
        .tuple(...fields.map(([, field]) => inner(field)), fc.boolean())
        .map((values) =>
          Object.fromEntries(
            fields.flatMap(([name], index) =>
              values[index] === undefined && values.at(-1) === true ? [] : [[name, values[index]]],
            ),
          ),
        );
    }
    case 'pipe':
    case 'transform':
    case 'custom':
    case 'unknown':
      return fc.constantFrom('a', 1, {}, undefined);
    default:
      throw new Error(`No values are made of ${definition.type}.`);
  }
}
