import type { Listing } from '../../cluster-model/kinds/index.ts';
import type { Cluster } from './types.ts';

/** The cluster a request reads, and how it is called. */
export type OpenTarget = { readonly id: string | undefined; readonly cluster: Cluster };

/** An answer's account of its own completeness (`clusterReadingFields`). */
export type ClusterReading = {
  source: string;
  complete: boolean;
  read_at: string;
  unmeasured: string[];
  target?: string;
};

type AnyListing = Pick<Listing<unknown>, 'state' | 'gaps' | 'readAt'>;

/**
 * Summarizes how completely a target was read, from every listing an answer was made of. Unavailable when
 * none of them was read; complete when all were, or are certain not to exist.
 */
export function clusterReading(
  { id, cluster }: OpenTarget,
  listings: readonly AnyListing[],
  more: readonly string[] = [],
): ClusterReading {
  const usable = listings.filter(
    ({ state }) => state === 'read' || state === 'partly' || state === 'not_served',
  );
  const whole = listings.every(({ state }) => state === 'read' || state === 'not_served');
  const readAt = Math.max(...(usable.length > 0 ? usable : listings).map((listing) => listing.readAt));
  return {
    source: usable.length > 0 ? cluster.source : 'unavailable',
    complete: whole && more.length === 0,
    read_at: new Date(readAt).toISOString(),
    unmeasured: [...new Set([...listings.flatMap(({ gaps }) => gaps), ...more])],
    ...(id === undefined ? {} : { target: id }),
  };
}

/** Now, as far as ages go: for a bundle the time it was taken. Epoch milliseconds. */
export function nowOf(cluster: Cluster, now: () => number): number {
  return cluster.takenAt ?? now();
}
