/**
 * The part of zod that schemas of `src-shared` and the window use, in a tenth of its size: the build of the window puts
 * this in zod's place, since zod alone is a tenth of what the first page may weigh. Types are zod's own, and so is the
 * meaning: a test holds every schema of every route against zod (test/unit/renderer/core/zod-subset.test.ts).
 */

type Path = readonly (string | number)[];
type Issue = { readonly path: Path };
type Read = (value: unknown, path: Path, issues: Issue[]) => unknown;

/** Refuses a value where it stands. */
const refuse = (path: Path, issues: Issue[]): undefined => {
  issues.push({ path });
  return undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Schema {
  readonly read: Read;

  constructor(read: Read) {
    this.read = read;
  }

  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } } {
    const issues: Issue[] = [];
    const data = this.read(value, [], issues);
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }

  parse(value: unknown): unknown {
    const read = this.safeParse(value);
    if (read.success) return read.data;
    throw new Error(`Refused at ${read.error.issues[0]?.path.join('.') || 'the top'}.`);
  }

  optional(): Schema {
    return new Schema((value, path, issues) =>
      value === undefined ? undefined : this.read(value, path, issues),
    );
  }

  nullable(): Schema {
    return new Schema((value, path, issues) => (value === null ? null : this.read(value, path, issues)));
  }

  default(fallback: unknown): Schema {
    return new Schema((value, path, issues) =>
      value === undefined ? fallback : this.read(value, path, issues),
    );
  }

  catch(fallback: unknown): Schema {
    return new Schema((value, path) => {
      const refused: Issue[] = [];
      const read = this.read(value, path, refused);
      return refused.length === 0 ? read : fallback;
    });
  }

  /** Reads on with what was read, unless that was refused. */
  andThen(next: Read): Schema {
    return new Schema((value, path, issues) => {
      const before = issues.length;
      const got = this.read(value, path, issues);
      return issues.length === before ? next(got, path, issues) : got;
    });
  }

  /** Takes a test of the type that was read before: zod's types, with which schemas are checked, see to it. */
  refine(holds: (value: never) => unknown): Schema {
    return this.andThen((value, path, issues) => (holds(value as never) ? value : refuse(path, issues)));
  }

  min(least: number): Schema {
    return this.refine((value: string | number | unknown[]) => sizeOf(value) >= least);
  }

  max(most: number): Schema {
    return this.refine((value: string | number | unknown[]) => sizeOf(value) <= most);
  }

  length(exact: number): Schema {
    return this.refine((value: string | unknown[]) => value.length === exact);
  }

  int(): Schema {
    return this.refine((value: number) => Number.isSafeInteger(value));
  }

  positive(): Schema {
    return this.refine((value: number) => value > 0);
  }

  nonnegative(): Schema {
    return this.refine((value: number) => value >= 0);
  }

  regex(pattern: RegExp): Schema {
    return this.refine((value: string) => {
      pattern.lastIndex = 0;
      return pattern.test(value);
    });
  }

  transform(change: (value: never) => unknown): Schema {
    return this.andThen((value) => change(value as never));
  }

  pipe(next: Schema): Schema {
    return this.andThen(next.read);
  }

  overwrite(change: (value: never) => unknown): Schema {
    return this.transform(change);
  }

  trim(): Schema {
    return this.overwrite((text: string) => text.trim());
  }

  toLowerCase(): Schema {
    return this.overwrite((text: string) => text.toLowerCase());
  }
}

const sizeOf = (value: string | number | unknown[]): number =>
  typeof value === 'number' ? value : value.length;

type Shape = Readonly<Record<string, Schema>>;

class ObjectSchema extends Schema {
  readonly shape: Shape;
  readonly strict: boolean;

  constructor(shape: Shape, strict: boolean) {
    const fields = Object.entries(shape);
    super((value, path, issues) => {
      if (!isObject(value)) return refuse(path, issues);
      const read: Record<string, unknown> = {};
      for (const [name, field] of fields) {
        const got = field.read(value[name], [...path, name], issues);
        if (got !== undefined || name in value) read[name] = got;
      }
      if (strict && Object.keys(value).some((name) => !Object.hasOwn(shape, name))) refuse(path, issues);
      return read;
    });
    this.shape = shape;
    this.strict = strict;
  }

  extend(more: Shape): ObjectSchema {
    return new ObjectSchema({ ...this.shape, ...more }, this.strict);
  }

  partial(): ObjectSchema {
    const shape = Object.entries(this.shape).map(([name, field]) => [name, field.optional()]);
    return new ObjectSchema(Object.fromEntries(shape), this.strict);
  }

  pick(kept: Readonly<Record<string, true>>): ObjectSchema {
    return this.only((name) => Object.hasOwn(kept, name));
  }

  omit(left: Readonly<Record<string, true>>): ObjectSchema {
    return this.only((name) => !Object.hasOwn(left, name));
  }

  private only(isKept: (name: string) => boolean): ObjectSchema {
    const shape = Object.entries(this.shape).filter(([name]) => isKept(name));
    return new ObjectSchema(Object.fromEntries(shape), this.strict);
  }

  keyof(): ChoiceSchema {
    return new ChoiceSchema(Object.keys(this.shape));
  }
}

/** One of some values. */
class ChoiceSchema extends Schema {
  readonly options: readonly unknown[];

  constructor(options: readonly unknown[]) {
    super((value, path, issues) => (options.includes(value) ? value : refuse(path, issues)));
    this.options = options;
  }
}

/** The first of some schemas that reads a value. */
class UnionSchema extends Schema {
  readonly options: readonly Schema[];

  constructor(options: readonly Schema[]) {
    super((value, path, issues) => {
      for (const option of options) {
        const refused: Issue[] = [];
        const read = option.read(value, path, refused);
        if (refused.length === 0) return read;
      }
      return refuse(path, issues);
    });
    this.options = options;
  }
}

/** A value that a test admits as it is. */
const plain = (holds: (value: unknown) => unknown): Schema =>
  new Schema((value, path, issues) => (holds(value) ? value : refuse(path, issues)));

const string = () => plain((value) => typeof value === 'string');
const number = () => plain((value) => Number.isFinite(value));

/** `isWhole`: a record of named keys has each of them, as zod's has; a partial one may lack some. */
const recordOf = (key: Schema, item: Schema, isWhole: boolean): Schema =>
  new Schema((value, path, issues) => {
    if (!isObject(value)) return refuse(path, issues);
    if (isWhole && key instanceof ChoiceSchema && key.options.some((name) => !(String(name) in value)))
      return refuse(path, issues);
    const read: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      if (name === '__proto__') continue;
      key.read(name, [...path, name], issues);
      read[name] = item.read(each, [...path, name], issues);
    }
    return read;
  });

const isDateTime = (offset: boolean) => (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
  (offset || text.endsWith('Z')) &&
  !Number.isNaN(Date.parse(text));

/** Whether a value is one that JSON can say. */
const isJson = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isJson);
  if (isObject(value)) return Object.values(value).every(isJson);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
};

export const z = {
  string,
  number,
  boolean: () => plain((value) => typeof value === 'boolean'),
  unknown: () => plain(() => true),
  json: () => plain(isJson),
  custom: (holds: (value: unknown) => unknown = () => true) => plain(holds),
  literal: (value: unknown) => new ChoiceSchema([value].flat()),
  enum: (values: readonly string[]) => new ChoiceSchema(values),
  object: (shape: Shape) => new ObjectSchema(shape, false),
  strictObject: (shape: Shape) => new ObjectSchema(shape, true),
  array: (item: Schema) =>
    new Schema((value, path, issues) =>
      Array.isArray(value)
        ? value.map((each, index) => item.read(each, [...path, index], issues))
        : refuse(path, issues),
    ),
  tuple: (items: readonly Schema[]) =>
    new Schema((value, path, issues) =>
      Array.isArray(value) && value.length === items.length
        ? items.map((item, index) => item.read(value[index], [...path, index], issues))
        : refuse(path, issues),
    ),
  record: (key: Schema, item: Schema) => recordOf(key, item, true),
  partialRecord: (key: Schema, item: Schema) => recordOf(key, item, false),
  union: (options: readonly Schema[]) => new UnionSchema(options),
  lazy: (get: () => Schema) => new Schema((value, path, issues) => get().read(value, path, issues)),
  url: ({ protocol = /./ } = {}) =>
    string().refine(
      (text: string) => URL.canParse(text) && protocol.test(new URL(text).protocol.slice(0, -1)),
    ),
  iso: {
    datetime: ({ offset = false } = {}) => string().refine(isDateTime(offset)),
  },
  coerce: {
    number: () => new Schema((value, path, issues) => number().read(Number(value), path, issues)),
  },
};
