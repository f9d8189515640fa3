import { z } from 'zod';
import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from '../../base/json-fields.ts';
import type { Resource } from '../../cluster-model/kinds/index.ts';
import { isBuiltInGroup } from '../../kube-objects/index.ts';

/** A kind as a cluster serves it, or a bundle holds it. */
export type DiscoveredKind = {
  /** Empty for the core group. */
  readonly group: string;
  /** The version its objects are read in: the server's first that has it. */
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** Objects a bundle holds; absent for a live cluster, which has to be asked. */
  readonly count?: number;
};

export type KindsRead = {
  readonly state: 'read' | 'partly' | 'unavailable';
  readonly kinds: readonly DiscoveredKind[];
  /** What was not read, a sentence each. */
  readonly gaps: readonly string[];
  /** Epoch milliseconds. */
  readonly readAt: number;
};

export type TableRequest = {
  readonly kind: Pick<DiscoveredKind, 'group' | 'version' | 'plural' | 'kind' | 'namespaced'>;
  /** One namespace; all without it. */
  readonly namespace?: string | undefined;
  /** A label selector as kubectl takes it. */
  readonly selector?: string | undefined;
  /** Rows of a page. */
  readonly limit: number;
  /** Where the page before ended (`next`). */
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
};

/** A column as kubectl heads it. */
export type TableColumn = {
  readonly name: string;
  readonly type: string;
  /** `name` identifies the object. */
  readonly format: string;
  /** Shown with `-o wide` only. */
  readonly wide: boolean;
};

/** An object as kubectl prints it, and what identifies it. Annotations are left out: one of them repeats Secret values. */
export type TableRow = {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly created: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly owners: readonly ObjectOwner[];
  readonly cells: readonly (string | number | boolean | null)[];
};

export type ObjectOwner = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string | undefined;
  readonly controller: boolean;
};

export type TableRead =
  | {
      readonly state: 'read' | 'partly';
      readonly columns: readonly TableColumn[];
      readonly rows: readonly TableRow[];
      /** Where the next page begins; absent at the end. */
      readonly next?: string | undefined;
      /** Objects after this page, where the cluster says so. */
      readonly remaining?: number | undefined;
      readonly gaps: readonly string[];
      readonly readAt: number;
    }
  | {
      readonly state: 'not_served' | 'not_collected' | 'forbidden' | 'refused' | 'unavailable';
      /** A sentence. */
      readonly reason: string;
    };

const named = z.object({ metadata: z.object({ name: z.string(), namespace: z.string().optional() }) });

/** A kind as the reads of one object take it: of its objects only the name is understood. */
export function resourceOf({ group, version, plural, kind, namespaced }: TableRequest['kind']): Resource {
  return {
    group,
    versions: [version],
    plural,
    kind,
    namespaced,
    watchable: true,
    explains: false,
    schema: named,
  };
}

/** Returns what identifies an object in a table; undefined for what has no name. */
export function rowIdentity(object: unknown): Omit<TableRow, 'cells'> | undefined {
  const metadata = objectAt(object, 'metadata');
  const name = textAt(metadata, 'name');
  if (name === '') return undefined;
  const { labels } = metadata;
  return {
    name,
    namespace: textAt(metadata, 'namespace') || undefined,
    uid: textAt(metadata, 'uid') || undefined,
    created: textAt(metadata, 'creationTimestamp') || undefined,
    labels: isJsonObject(labels)
      ? Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]))
      : {},
    owners: ownersOf(metadata),
  };
}

/** The owners an object names. */
export function ownersOf(metadata: JsonObject): readonly ObjectOwner[] {
  return listAt(metadata, 'ownerReferences').map((owner) => ({
    apiVersion: textAt(owner, 'apiVersion'),
    kind: textAt(owner, 'kind'),
    name: textAt(owner, 'name'),
    uid: textAt(owner, 'uid') || undefined,
    controller: owner.controller === true,
  }));
}

/** A cell as it is sent: what is no plain value is written as JSON. */
export function plainCell(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return JSON.stringify(value);
}

/**
 * Finds a kind by its name and group, or by its plural. Without a group, Kubernetes' own kinds go before custom ones of the
 * same name.
 */
export function findKind(
  kinds: readonly DiscoveredKind[],
  wanted: { readonly kind: string; readonly group?: string | undefined },
): DiscoveredKind | undefined {
  const named = kinds.filter(
    ({ kind, plural, group }) =>
      (kind === wanted.kind || plural === wanted.kind) &&
      (wanted.group === undefined || group === wanted.group),
  );
  return named.find(({ group }) => isBuiltInGroup(group)) ?? named[0];
}
