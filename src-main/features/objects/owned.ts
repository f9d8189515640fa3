import type { RelatedObject } from '#shared/api/objects.ts';
import { inParallel } from '../../base/in-parallel.ts';
import { textAt } from '../../base/json-fields.ts';
import type { RawObject } from '../../cluster-model/index.ts';
import type { Cluster, DiscoveredKind, TableRow } from '../../sources/cluster/index.ts';

type Ownership = {
  readonly cluster: Cluster;
  readonly kinds: readonly DiscoveredKind[];
  readonly object: RawObject;
  /** Of the object; undefined for one without. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
};

type Owned = { readonly objects: readonly RelatedObject[]; readonly gaps: readonly string[] };

/** Kinds that are looked through at once. */
const atOnce = 8;
/** Objects of one kind that are looked through, in pages. */
const mostOfKind = 5_000;
const pageSize = 1_000;
/** Objects that are shown. */
const mostShown = 500;
/** Milliseconds the search may take; what was not looked through by then is said. */
const patience = 8_000;

/** Objects of these are never owned by what a person looks at, and there are many. */
const skipped = ['events', 'events.events.k8s.io', 'pods.metrics.k8s.io', 'nodes.metrics.k8s.io'];

/**
 * Finds the objects that name an object as their owner. Kubernetes has no index of them: the kinds of the namespace are
 * looked through, by their metadata alone. Of an object without a namespace only others without one are looked through,
 * because its namespaced dependents may be anywhere.
 */
export async function ownedBy(request: Ownership): Promise<Owned> {
  const uid = textAt(request.object, 'metadata', 'uid');
  if (uid === '') return { objects: [], gaps: [] };
  const deadline = AbortSignal.any([request.signal, AbortSignal.timeout(patience)]);
  const wanted = request.kinds.filter(
    ({ group, plural, namespaced, count }) =>
      namespaced === (request.namespace !== undefined) &&
      count !== 0 &&
      !skipped.includes(group === '' ? plural : `${plural}.${group}`),
  );
  const unread: string[] = [];
  const cut: string[] = [];
  const found = await inParallel(wanted, atOnce, async (kind): Promise<RelatedObject[]> => {
    const { rows, isWhole } = await ownedOfKind(request, kind, uid, deadline);
    if (isWhole === undefined) unread.push(kind.plural);
    else if (!isWhole) cut.push(kind.plural);
    return rows.map((row) => ({
      group: kind.group,
      kind: kind.kind,
      name: row.name,
      ...(row.namespace === undefined ? {} : { namespace: row.namespace }),
      relation: row.owners.some((owner) => owner.uid === uid && owner.controller) ? 'controls' : 'owns',
      ...detailOf(row),
    }));
  });
  const objects = found.flat();
  return {
    objects: objects.slice(0, mostShown),
    gaps: [
      ...(unread.length === 0 ? [] : [`Not searched for objects it owns: ${listOf(unread)}.`]),
      ...(cut.length === 0
        ? []
        : [`Only the first ${mostOfKind} were searched for objects it owns: ${listOf(cut)}.`]),
      ...(objects.length > mostShown
        ? [`${objects.length - mostShown} more objects that it owns are not shown.`]
        : []),
    ],
  };
}

type OwnedOfKind = {
  readonly rows: readonly (TableRow & { readonly heads: readonly string[] })[];
  /** False when there are more than were looked through; undefined when none were. */
  readonly isWhole: boolean | undefined;
};

async function ownedOfKind(
  { cluster, namespace }: Ownership,
  kind: DiscoveredKind,
  uid: string,
  signal: AbortSignal,
): Promise<OwnedOfKind> {
  const rows: (TableRow & { readonly heads: readonly string[] })[] = [];
  let from: string | undefined;
  for (let looked = 0; looked < mostOfKind; looked += pageSize) {
    const page = await cluster.table?.({ kind, namespace, limit: pageSize, from, signal });
    if (page === undefined || (page.state !== 'read' && page.state !== 'partly')) {
      const isNone = page?.state === 'not_served';
      return { rows, isWhole: isNone ? true : undefined };
    }
    const heads = page.columns.map(({ name, wide }) => (wide ? '' : name));
    for (const row of page.rows)
      if (row.owners.some((owner) => owner.uid === uid)) rows.push({ ...row, heads });
    from = page.next;
    if (from === undefined) return { rows, isWhole: true };
  }
  return { rows, isWhole: false };
}

/** The first columns that say how the object is, as `kubectl get` heads them. */
function detailOf({ heads, cells }: OwnedOfKind['rows'][number]): { readonly detail?: string } {
  const facts = heads.flatMap((head, index) => {
    const cell = cells[index];
    if (!['Ready', 'Status', 'State', 'Completions', 'Desired', 'Phase'].includes(head)) return [];
    return cell === null || cell === undefined || cell === '' ? [] : [`${head} ${cell}`];
  });
  return facts.length === 0 ? {} : { detail: facts.join(', ') };
}

const listOf = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
