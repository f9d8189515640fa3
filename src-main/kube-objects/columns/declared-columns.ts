import { type JsonObject, listAt, textAt } from '../../base/json-fields.ts';
import { ageOf } from '../ages.ts';
import { jsonPath } from '../json-path.ts';
import { plainColumns } from './built-in-columns.ts';
import { type Column, name } from './column.ts';

/**
 * The columns of a custom kind, of one version's entry in its definition (`additionalPrinterColumns`). A path that cannot be
 * read leaves its cells empty.
 */
export function declaredColumns(version: JsonObject | undefined): readonly Column[] {
  const declared = listAt(version, 'additionalPrinterColumns');
  return declared.length === 0 ? plainColumns : [name, ...declared.map(declaredColumn)];
}

/** Returns a definition's entry for one version; undefined when it does not have it. */
export function versionOf(definition: JsonObject, version: string): JsonObject | undefined {
  return listAt(definition, 'spec', 'versions').find((each) => each.name === version);
}

function declaredColumn(declared: JsonObject): Column {
  const type = textAt(declared, 'type');
  const find = jsonPath(textAt(declared, 'jsonPath'));
  const known = isCellType(type) ? type : 'string';
  return {
    name: textAt(declared, 'name'),
    type: known,
    format: textAt(declared, 'format'),
    wide: Number(declared.priority ?? 0) > 0,
    cell(object, now) {
      const found = find(object);
      if (found === undefined) return null;
      return known === 'string' ? printed(found.value) : cellOf(known, found.value, now);
    },
  };
}

const isCellType = (type: string): type is Column['type'] =>
  ['string', 'integer', 'boolean', 'date', 'number'].includes(type);

/** A value of another type than the column's leaves the cell empty. */
function cellOf(type: Column['type'], value: unknown, now: number): unknown {
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  if (type === 'number') return typeof value === 'number' ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (typeof value !== 'string') return null;
  if (value === '' || value === 'null') return '<unknown>';
  return isRfc3339(value) ? ageOf(value, now) : '<invalid>';
}

const isRfc3339 = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** A value as Go prints it: an object or a list as JSON with sorted keys, anything else as text. */
function printed(value: unknown): string {
  if (value === null) return '<no value>';
  if (typeof value === 'object') return goJson(value);
  return typeof value === 'number' ? goNumber(value) : String(value);
}

function goJson(value: unknown): string {
  const sorted = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
  return sorted.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Go writes a float with an exponent from 21 digits on; a whole number that came as JSON stays whole. */
function goNumber(value: number): string {
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}
