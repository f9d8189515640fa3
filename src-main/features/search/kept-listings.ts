import { setTimeout as delay } from 'node:timers/promises';
import { type Listing, type Named, type Resource, resources, wasRead } from '../../cluster-model/index.ts';
import type { Cluster } from '../../sources/cluster/index.ts';

/** Kinds that a search reads by itself: those of the Namespaces and Nodes pages. */
const readKinds: readonly Resource[] = [
  resources.namespaces,
  resources.nodes,
  resources.pods,
  resources.replicaSets,
  resources.deployments,
  resources.statefulSets,
  resources.daemonSets,
  resources.cronJobs,
  resources.jobs,
  resources.services,
];

/** Objects of these are never what somebody looks for by name: they are named after others. */
const nameless: readonly Resource[] = [
  resources.events,
  resources.endpoints,
  resources.endpointSlices,
  resources.podMetrics,
];

/** Kinds that are searched once a page has read them: each would be followed on a live cluster from then on. */
const otherKinds: readonly Resource[] = resources.everyKind.filter(
  (kind) => !readKinds.includes(kind) && !nameless.includes(kind),
);

/** Milliseconds that a search waits for listings; the next one has what came later. */
const patienceMs = 25;
/** A listing is asked for again after so many milliseconds; one that could not be read after the longer time. */
const againMs = 500;
const refusedAgainMs = 15_000;

type Kept = { listing: Listing<Named> | undefined; at: number; reading: Promise<void> | undefined };

/** The listings of a cluster that are there. */
export type KeptListings = {
  readonly listings: ReadonlyMap<Resource, Listing<Named>>;
  /** Kinds that are being read for the first time. */
  readonly pending: readonly Resource[];
  /** Kinds that no page has read yet. */
  readonly unread: readonly Resource[];
};

/**
 * Keeps the listings of every cluster as a search goes through them: the objects of the watch caches themselves, nothing
 * is copied. A closed cluster is forgotten.
 */
export function createKeptListings(): (cluster: Cluster) => Promise<KeptListings> {
  const clusters = new WeakMap<Cluster, Map<Resource, Kept>>();
  const readSoon = (cluster: Cluster, resource: Resource, kept: Kept): void => {
    if (kept.reading !== undefined) return;
    const { listing, at } = kept;
    if (listing !== undefined) {
      if (cluster.source === 'bundle') return;
      if (performance.now() - at < (wasRead(listing) ? againMs : refusedAgainMs)) return;
    }
    kept.reading = cluster.list(resource).then((read) => {
      kept.listing = read;
      kept.at = performance.now();
      kept.reading = undefined;
    });
  };
  return async (cluster) => {
    const known = clusters.get(cluster) ?? new Map<Resource, Kept>();
    clusters.set(cluster, known);
    const unread = otherKinds.filter((kind) => cluster.isFollowed?.(kind) === false);
    const searched = [...readKinds, ...otherKinds.filter((kind) => !unread.includes(kind))];
    for (const resource of searched) {
      const kept = known.get(resource) ?? { listing: undefined, at: 0, reading: undefined };
      known.set(resource, kept);
      readSoon(cluster, resource, kept);
    }
    const reading = searched.flatMap((resource) => known.get(resource)?.reading ?? []);
    if (reading.length > 0)
      await Promise.race([Promise.all(reading), delay(patienceMs, undefined, { ref: false })]);
    const listings = new Map<Resource, Listing<Named>>();
    for (const resource of searched) {
      const listing = known.get(resource)?.listing;
      if (listing !== undefined) listings.set(resource, listing);
    }
    return { listings, pending: searched.filter((resource) => !listings.has(resource)), unread };
  };
}
