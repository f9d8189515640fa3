import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Steps } from '#shared/steps.ts';
import type {
  JudgedCertificates,
  JudgedPod,
  Listing,
  Named,
  ReadService,
  ReadWorkload,
  Running,
} from '../../../cluster-model/index.ts';
import {
  describeCertificates,
  judgeRunning,
  keyOf,
  ownersBy,
  readServices,
  wasReadIn,
  wasReadWhole,
} from '../../../cluster-model/index.ts';
import { type Cluster, keptOf } from '../../../sources/cluster/index.ts';
import { type Backend, byOwner, readBackends } from './backends.ts';
import type { BackendHealth } from './health.ts';
import type { ListingName, Listings, ListingsBeforeEvents } from './listings.ts';
import { type NodeRestarts, nodeRestarts } from './node-restarts.ts';
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
  readonly services: readonly ReadService[];
  readonly backends: readonly Backend[];
  readonly restarts: NodeRestarts;
  readonly missing: readonly MissingReference[];
  /** Certificates of Secrets, ConfigMaps and kubeconfigs, mesh CAs apart. */
  readonly certificates: JudgedCertificates;
  /** Answers of the backends; undefined until requested. */
  readonly health: readonly BackendHealth[] | undefined;
  /** Returns the top-level controller of an object, else the object. */
  ownerOf(object: ObjectRef): ObjectRef;
  /** Returns the backend that a workload or custom resource is. */
  backendOf(owner: ObjectRef): Backend | undefined;
  podOf(object: ObjectRef): JudgedPod | undefined;
  /** Returns whether what a listing does not have of a namespace does not exist. */
  isReadIn(name: ListingName, namespace: string | undefined): boolean;
  workloadOf(object: ObjectRef): ReadWorkload | undefined;
};

/** Judges what was read so far. */
export function* readingOf(
  cluster: Cluster,
  objects: ListingsBeforeEvents,
  more: {
    readonly now: number;
    readonly events?: Listings['events'];
    readonly missing?: readonly MissingReference[];
    readonly health?: readonly BackendHealth[];
  },
): Steps<Reading> {
  const { now, health } = more;
  const kept = keptOf(cluster);
  const events = more.events ?? { ...objects.pods, items: [], gaps: [], state: 'not_served' };
  const listings = { ...objects, events };
  const endpoints = {
    slices: listings.slices,
    endpoints: listings.endpoints.state === 'not_served' ? undefined : listings.endpoints,
  };
  const running = yield* judgeRunning(listings, { now, events: events.items, kept });
  const controllerOf = ownersBy(listings, kept);
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
  yield;
  const backends = yield* readBackends(listings, running);
  const certificates = yield* describeCertificates(listings, now, {
    isBundle: cluster.source === 'bundle',
    kept,
  });
  const services = yield* readServices(
    { services: listings.services, running: listings, endpoints },
    running,
    kept,
  );
  const backendByOwner = byOwner(backends);
  return {
    source: cluster.source,
    version: cluster.status().version,
    now,
    listings,
    running,
    services,
    backends,
    restarts: nodeRestarts(running.pods, events.items),
    missing: more.missing ?? [],
    certificates,
    health,
    ownerOf: (object) => ownWorkload(pods.get(keyOf(object))?.owner) ?? owned.get(keyOf(object)) ?? object,
    isReadIn: createIsReadIn(listings),
    backendOf: (owner) => backendByOwner.get(keyOf(owner)),
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
 * namespace at a time. Each is looked at once.
 */
function createIsReadIn(listings: Listings): Reading['isReadIn'] {
  const present = new Map<ListingName, ReadonlySet<string | undefined>>();
  const known = new Map<string, boolean>();
  const isReadIn = (name: ListingName, namespace: string): boolean => {
    const { items, gaps }: Listing<Named> = listings[name];
    const namespaces = present.get(name) ?? new Set(items.map(({ metadata }) => metadata.namespace));
    present.set(name, namespaces);
    if (!namespaces.has(namespace)) return false;
    const named = new RegExp(`(?:^|[\\s,(])${namespace.replace(/[.]/g, '\\.')}(?:$|[\\s,.:)/])`);
    return !gaps.some((gap) => !/holds only some namespaces/.test(gap) && named.test(gap));
  };
  return (name, namespace) => {
    const { state, readIn } = listings[name];
    if (wasReadWhole({ state })) return true;
    if (namespace !== undefined && wasReadIn({ state, ...(readIn && { readIn }) }, namespace)) return true;
    if (state !== 'partly' || namespace === undefined) return false;
    const key = `${name} ${namespace}`;
    const found = known.get(key) ?? isReadIn(name, namespace);
    known.set(key, found);
    return found;
  };
}
