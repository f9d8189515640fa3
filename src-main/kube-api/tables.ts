import { ageOf } from './ages.ts';
import { builtInOf } from './built-in-kinds.ts';
import { customVersionOf } from './discovery.ts';
import type { Page } from './lists.ts';
import { type JsonObject, listAt, textAt, valueAt } from './object-fields.ts';
import { builtInColumns, type Column, nameColumn, plainColumns } from './table-columns.ts';
import type { KubeKind, KubeObject, World } from './world.ts';

/** The part of each object that a Table's rows include beside the cells. */
export type Included = 'None' | 'Metadata' | 'Object';

/** The columns of a kind: a custom one's are its definition's `additionalPrinterColumns`. */
export async function columnsOf(world: World, kind: KubeKind): Promise<readonly Column[]> {
  if (builtInOf(kind) !== undefined || kind.group.endsWith('metrics.k8s.io')) return builtInColumns(kind);
  const declared = listAt(await customVersionOf(world, kind), 'additionalPrinterColumns');
  return declared.length === 0 ? plainColumns : [nameColumn, ...declared.map(declaredColumn)];
}

function declaredColumn(declared: JsonObject): Column {
  const path = textAt(declared, 'jsonPath');
  const type = textAt(declared, 'type');
  return {
    name: textAt(declared, 'name'),
    type: type === 'integer' || type === 'number' || type === 'boolean' || type === 'date' ? type : 'string',
    wide: Number(declared.priority ?? 0) > 0,
    cell: (object, now) => {
      const value = atJsonPath(object, path);
      if (value === undefined || value === null) return type === 'date' ? '<unknown>' : null;
      if (type === 'date') return ageOf(String(value), now);
      return type === 'string' && typeof value !== 'string' ? String(value) : value;
    },
  };
}

/**
 * The value of a printer column's path: fields, and one element of a list by a field, such as
 * `.status.conditions[?(@.type=="Ready")].status`.
 */
function atJsonPath(object: unknown, path: string): unknown {
  let found = object;
  for (const [, field, key, wanted] of path.matchAll(
    /\.([\w-]+)(?:\[\?\(@\.(\w+)\s*==\s*["'](.*?)["']\)\])?/g,
  )) {
    found = valueAt(found, field ?? '');
    if (key !== undefined && Array.isArray(found))
      found = found.find((each: unknown) => valueAt(each, key) === wanted);
  }
  return found;
}

/** A page as kubectl prints it (meta.k8s.io/v1 Table). */
export function tableBody(
  columns: readonly Column[],
  page: Page,
  { include, now, header = true }: { include: Included; now: number; header?: boolean },
): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: page.metadata,
    columnDefinitions: header
      ? columns.map(({ name, type, wide }) => ({
          name,
          type,
          format: name === 'Name' ? 'name' : '',
          description: '',
          priority: wide ? 1 : 0,
        }))
      : null,
    rows: page.items.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, now)),
      ...(include === 'None' ? {} : { object: include === 'Object' ? object : metadataOnly(object) }),
    })),
  };
}

/** Returns an object's metadata only (meta.k8s.io/v1). */
export function metadataOnly({ metadata }: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

export function metadataList(page: Page): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: page.metadata,
    items: page.items.map(metadataOnly),
  };
}
