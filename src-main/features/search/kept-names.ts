import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../../base/in-parallel.ts';
import type { Resource } from '../../cluster-model/index.ts';
import type { Cluster, DiscoveredKind } from '../../sources/cluster/index.ts';

/** An object of a kind that no page reads, by its name alone. */
export type NamedObject = {
  readonly kind: DiscoveredKind;
  readonly name: string;
  readonly namespace: string | undefined;
};

/** The names that are there, and whether more are being read. */
export type KeptNames = { readonly objects: readonly NamedObject[]; readonly pending: boolean };

/** Names are good for so many milliseconds; then they are read again behind a search that has the older ones. */
const freshMs = 60_000;
/** Milliseconds that a search waits; the next one has what came later. */
const patienceMs = 25;
const kindsAtOnce = 6;
/** Objects of one kind whose names are kept. */
const mostOfKind = 5_000;
const pageSize = 500;

/** Objects of these are named after others, and there are many. */
const nameless = new Set(['Event', 'Endpoints', 'EndpointSlice', 'PodMetrics', 'NodeMetrics', 'Lease']);

type Kept = { objects: readonly NamedObject[]; at: number; reading: Promise<void> | undefined };

/**
 * Keeps the names of all objects whose kinds are followed for no page, custom ones too: so that any object is found. They are
 * read as tables, page by page, when somebody searches. A closed cluster is forgotten.
 */
export function createKeptNames(): (cluster: Cluster, followed: readonly Resource[]) => Promise<KeptNames> {
  const clusters = new WeakMap<Cluster, Kept>();
  return async (cluster, followed) => {
    if (cluster.kinds === undefined || cluster.table === undefined) return { objects: [], pending: false };
    const kept = clusters.get(cluster) ?? { objects: [], at: Number.NEGATIVE_INFINITY, reading: undefined };
    clusters.set(cluster, kept);
    const isOld =
      kept.at === Number.NEGATIVE_INFINITY ||
      (cluster.source !== 'bundle' && performance.now() - kept.at > freshMs);
    if (isOld && kept.reading === undefined)
      kept.reading = readNames(cluster, followed)
        .then((objects) => {
          kept.objects = objects;
        })
        .catch(() => undefined)
        .then(() => {
          kept.at = performance.now();
          kept.reading = undefined;
        });
    const isFirst = kept.at === Number.NEGATIVE_INFINITY;
    if (isFirst && kept.reading !== undefined)
      await Promise.race([kept.reading, delay(patienceMs, undefined, { ref: false })]);
    return { objects: kept.objects, pending: kept.at === Number.NEGATIVE_INFINITY };
  };
}

async function readNames(cluster: Cluster, followed: readonly Resource[]): Promise<readonly NamedObject[]> {
  const signal = AbortSignal.timeout(freshMs);
  const { kinds = [] } = (await cluster.kinds?.(signal)) ?? {};
  const isFollowed = ({ group, plural }: DiscoveredKind): boolean =>
    followed.some((each) => each.group === group && each.plural === plural);
  const wanted = kinds.filter((kind) => !isFollowed(kind) && !nameless.has(kind.kind) && kind.count !== 0);
  const found = await inParallel(wanted, kindsAtOnce, async (kind) => {
    const objects: NamedObject[] = [];
    let from: string | undefined;
    do {
      const page = await cluster.table?.({ kind, limit: pageSize, from, signal });
      if (page === undefined || 'reason' in page) break;
      for (const { name, namespace } of page.rows) objects.push({ kind, name, namespace });
      from = page.next;
    } while (from !== undefined && objects.length < mostOfKind);
    return objects;
  });
  return found.flat();
}
