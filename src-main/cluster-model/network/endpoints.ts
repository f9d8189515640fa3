import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';

/** Addresses behind a service. */
export type EndpointCount = { readonly ready: number; readonly total: number };

export type EndpointListings = {
  readonly slices: Listing<ObjectOf<typeof resources.endpointSlices>>;
  /** Listed only where slices were not read whole: the API server warns of every use. */
  readonly endpoints: Listing<ObjectOf<typeof resources.endpoints>> | undefined;
};

/** Returns the listing to rely on: Endpoints when they have more information. */
export function decisiveOf({ slices, endpoints }: EndpointListings): Listing<unknown> {
  if (endpoints === undefined) return slices;
  return endpoints.state === 'read' || (endpoints.state === 'partly' && slices.items.length === 0)
    ? endpoints
    : slices;
}

const serviceLabel = 'kubernetes.io/service-name';

/** Endpoints of each service, by `namespace/name`; a service that is not in it has none. */
export function countEndpoints(listings: EndpointListings): ReadonlyMap<string, EndpointCount> {
  const counts = new Map<string, EndpointCount>();
  if (listings.endpoints !== undefined && decisiveOf(listings) === listings.endpoints) {
    for (const { metadata, subsets } of listings.endpoints.items) {
      const ready = new Set(subsets.flatMap(({ addresses }) => addresses.map(({ ip }) => ip)));
      const other = new Set(
        subsets.flatMap(({ notReadyAddresses }) => notReadyAddresses.map(({ ip }) => ip)),
      );
      counts.set(`${metadata.namespace ?? ''}/${metadata.name}`, {
        ready: ready.size,
        total: ready.union(other).size,
      });
    }
    return counts;
  }
  // A service with two address families has a slice for each: what stands behind both is one endpoint.
  const found = new Map<string, Map<string, boolean>>();
  for (const { metadata, endpoints } of listings.slices.items) {
    const service = metadata.labels[serviceLabel];
    if (service === undefined) continue;
    const key = `${metadata.namespace ?? ''}/${service}`;
    const own = found.get(key) ?? new Map<string, boolean>();
    found.set(key, own);
    for (const { addresses, conditions, targetRef } of endpoints) {
      // What is being removed is none of those that should be ready.
      if (conditions?.terminating === true) continue;
      const name = targetRef?.name ?? addresses.join();
      // Not said is to be taken as ready (discovery/v1, EndpointConditions).
      own.set(name, own.get(name) === true || conditions?.ready !== false);
    }
  }
  for (const [key, own] of found) {
    const ready = [...own.values()].filter(Boolean).length;
    counts.set(key, { ready, total: own.size });
  }
  return counts;
}
