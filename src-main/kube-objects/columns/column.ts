import { type JsonObject, listAt, numberAt, textAt, textsAt, valueAt } from '../../base/json-fields.ts';
import { ageOf } from '../ages.ts';

/** A column of what kubectl prints. */
export type Column = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date' | 'number';
  /** How a text is meant, such as `name`, which identifies the object. */
  readonly format: string;
  /** Shown with `-o wide` only. */
  readonly wide: boolean;
  /** The plain value of a cell. `now` in epoch milliseconds. */
  readonly cell: (object: JsonObject, now: number) => unknown;
};

export type Cell = Column['cell'];

/** The columns of kinds, by plural and group as kubectl writes them: `pods`, `deployments.apps`. */
export type ColumnsOfKinds = Readonly<Record<string, readonly Column[]>>;

export const column = (name: string, cell: Cell, type: Column['type'] = 'string'): Column => ({
  name,
  type,
  format: '',
  wide: false,
  cell,
});

export const wide = (name: string, cell: Cell): Column => ({ ...column(name, cell), wide: true });

/** A number of the object; 0 without one. */
export const number = (name: string, ...path: readonly string[]): Column =>
  column(name, (object) => numberAt(object, ...path), 'integer');

/** A text of the object; empty without one. */
export const text = (name: string, ...path: readonly string[]): Column =>
  column(name, (object) => textAt(object, ...path));

/** A text of the object, or what stands for none. */
export const textOr = (name: string, none: string, ...path: readonly string[]): Column =>
  column(name, (object) => orNone(textAt(object, ...path), none));

/** A flag of the object, or what it is where it is not set. */
export const flag = (name: string, unset: boolean, ...path: readonly string[]): Column =>
  column(
    name,
    (object) => {
      const value = valueAt(object, ...path);
      return typeof value === 'boolean' ? value : unset;
    },
    'boolean',
  );

/** Number of entries of a list. */
export const length = (name: string, ...path: readonly string[]): Column =>
  column(name, (object) => listAt(object, ...path).length, 'integer');

/** The name, which every kind begins with. */
export const name: Column = { ...text('Name', 'metadata', 'name'), format: 'name' };

export const age: Column = column('Age', (object, now) =>
  ageOf(textAt(object, 'metadata', 'creationTimestamp'), now),
);

/** The time of creation as it is written: of kinds without columns of their own. */
export const createdAt: Column = column(
  'Created At',
  (object) => textAt(object, 'metadata', 'creationTimestamp'),
  'date',
);

export const orNone = (value: string, none = '<none>'): string => (value === '' ? none : value);

/** The values, or as many as are shown, with how many more there are. */
export function listed(values: readonly string[], most: number, none: string, all = values.length): string {
  if (values.length > most) return `${values.slice(0, most).join(',')} + ${all - most} more...`;
  return orNone(values.join(','), none);
}

/** The name, marked when an annotation makes the object the default of its kind. */
export const nameOrDefault = (...annotations: readonly string[]): Column => ({
  ...name,
  cell: (object) => {
    const isDefault = annotations.some((key) => valueAt(object, 'metadata', 'annotations', key) === 'true');
    return `${textAt(object, 'metadata', 'name')}${isDefault ? ' (default)' : ''}`;
  },
});

/** Access modes of volumes in their short form, in Kubernetes' own order, each once. */
export function accessModes(object: JsonObject, ...path: readonly string[]): string {
  const modes = textsAt(object, ...path);
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

const shortModes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;
