import { builtInColumns, type Column, declaredColumns } from '../kube-objects/index.ts';
import { builtInOf } from './built-in-kinds.ts';
import { customVersionOf } from './discovery.ts';
import type { Page } from './lists.ts';
import type { KubeKind, KubeObject, World } from './world.ts';

/** The part of each object that a Table's rows include beside the cells. */
export type Included = 'None' | 'Metadata' | 'Object';

/** The columns of a kind: a custom one's are its definition's `additionalPrinterColumns`. */
export async function columnsOf(world: World, kind: KubeKind): Promise<readonly Column[]> {
  if (builtInOf(kind) !== undefined || kind.group.endsWith('metrics.k8s.io')) return builtInColumns(kind);
  return declaredColumns(await customVersionOf(world, kind));
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
      ? columns.map(({ name, type, format, wide }) => ({
          name,
          type,
          format,
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
