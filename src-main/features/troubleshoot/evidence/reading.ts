import type { ObjectRef, ServiceRow } from '#shared/api/cluster.ts';
import type { JudgedPod, Listing, Named, ReadWorkload, Running } from '../../../cluster-model/index.ts';
import {
  describeServices,
  judgeRunning,
  keyOf,
  ownersBy,
  wasReadWhole,
} from '../../../cluster-model/index.ts';
import type { Cluster } from '../../../sources/cluster/index.ts';
import { type Backend, readBackends } from './backends.ts';
import type { BackendHealth } from './health.ts';
import type { ListingName, Listings, ListingsBeforeEvents } from './listings.ts';
import { type NodeRestart, nodeRestarts } from './node-restarts.ts';
import type { MissingReference } from './references.ts';

/** Everything that was read so far, judged once. */
export type Reading = {
  readonly source: Cluster['source'];
  /** Version of the API server, as far as it is known. */
  readonly version: string | undefined;
  /** Epoch ms; of a bundle when it was taken. */
  readonly now: number;
  readonly listings: Listings;
  readonly running: Running;
  readonly services: readonly ServiceRow[];
  readonly backends: readonly Backend[];
  readonly restarts: readonly NodeRestart[];
  readonly missing: readonly MissingReference[];
  /** Answers of the backends; undefined until requested. */
  readonly health: readonly BackendHealth[] | undefined;
  /** Returns the top-level controller of an object, else the object. */
  ownerOf(object: ObjectRef): ObjectRef;
  podOf(object: ObjectRef): JudgedPod | undefined;
  /** Returns whether what a listing does not have of a namespace does not exist. */
  isReadIn(name: ListingName, namespace: string | undefined): boolean;
  workloadOf(object: ObjectRef): ReadWorkload | undefined;
};

export function readingOf(
  cluster: Cluster,
  objects: ListingsBeforeEvents,
  more: {
    readonly now: number;
    readonly events?: Listings['events'];
    readonly missing?: readonly MissingReference[];
    readonly health?: readonly BackendHealth[];
  },
): Reading {
  const { now, health } = more;
  const events = more.events ?? { ...objects.pods, items: [], gaps: [], state: 'not_served' };
  const listings = { ...objects, events };
  const endpoints = {
    slices: listings.slices,
    endpoints: listings.endpoints.state === 'not_served' ? undefined : listings.endpoints,
  };
  const running = judgeRunning(listings, now, events.items);
  const controllerOf = ownersBy(listings);
  const pods = new Map(
    running.pods.map((judged) => [keyOf({ kind: 'Pod', ...judged.pod.metadata }), judged]),
  );
  const workloads = new Map(running.workloads.map((read) => [keyOf(read.row), read]));
  const owned = new Map<string, ObjectRef>();
  for (const [kind, { items }] of [
    ['ReplicaSet', listings.replicaSets],
    ['Job', listings.jobs],
  ] as const)
    for (const item of items) {
      const owner = controllerOf(item);
      if (owner !== undefined) owned.set(keyOf({ kind, ...item.metadata }), owner);
    }
  return {
    source: cluster.source,
    version: cluster.status().version,
    now,
    listings,
    running,
    services: describeServices({ services: listings.services, running: listings, endpoints }, now, running),
    backends: readBackends(listings, running),
    restarts: nodeRestarts(running.pods, events.items),
    missing: more.missing ?? [],
    health,
    ownerOf: (object) => ownWorkload(pods.get(keyOf(object))?.owner) ?? owned.get(keyOf(object)) ?? object,
    isReadIn: (name, namespace) => isReadIn(listings[name], namespace),
    podOf: (object) => pods.get(keyOf(object)),
    workloadOf: (object) => workloads.get(keyOf(object)),
  };
}

/** A static pod's Node controls it, and is no workload that could be short of it. */
export function ownWorkload(owner: ObjectRef | undefined): ObjectRef | undefined {
  return owner?.kind === 'Node' ? undefined : owner;
}

/**
 * A listing that lacks some namespaces is still whole in one that it has objects of and no gap names: kinds are read a
 * namespace at a time.
 */
function isReadIn(listing: Listing<Named>, namespace: string | undefined): boolean {
  if (wasReadWhole(listing)) return true;
  if (listing.state !== 'partly' || namespace === undefined) return false;
  const named = new RegExp(`(?:^|[\\s,(])${namespace.replace(/[.]/g, '\\.')}(?:$|[\\s,.:)/])`);
  return (
    listing.items.some(({ metadata }) => metadata.namespace === namespace) &&
    !listing.gaps.some((gap) => !/holds only some namespaces/.test(gap) && named.test(gap))
  );
}
