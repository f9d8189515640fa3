import type { HealthState } from '#shared/api/cluster.ts';
import { paced } from '../../base/pace.ts';
import {
  describeNodes,
  judgePod,
  judgeRunning,
  keyOf,
  type Listing,
  type Named,
  type ObjectOf,
  type PodObject,
  type Resource,
  resources,
} from '../../cluster-model/index.ts';

export type Listings = ReadonlyMap<Resource, Listing<Named>>;

/** An object that a search found. */
export type FoundObject = { readonly resource: Resource; readonly object: Named };

export type Verdict = { readonly state?: HealthState | undefined; readonly reason?: string | undefined };

/** Milliseconds for which a pod's state is kept: some change with time alone. */
const keptMs = 60_000;

const empty = { state: 'read', items: [], gaps: [], readAt: 0, revision: '' } as const;

/** The listing of a kind; none of it when it was not read. */
function listingOf<T extends Named>(listings: Listings, resource: Resource<T>): Listing<T> {
  // What is kept under a resource was listed by it.
  return (listings.get(resource) as Listing<T> | undefined) ?? empty;
}

/** Returns a function that says how badly off an object is, for its place among equal matches: 0 fails, 2 is well or not known. */
export function createUrgency(): (found: FoundObject, now: number) => number {
  const states = new WeakMap<object, { readonly at: number; readonly urgency: number }>();
  return ({ resource, object }, now) => {
    if (resource !== resources.pods) return quickUrgency(object);
    const known = states.get(object);
    if (known !== undefined && Math.abs(now - known.at) < keptMs) return known.urgency;
    // It was listed by the resource of pods.
    const { state } = judgePod(object as PodObject, now);
    const urgency = state === 'failing' ? 0 : state === 'degraded' ? 1 : 2;
    states.set(object, { at: now, urgency });
    return urgency;
  };
}

type Replicated = Named & {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
};

function quickUrgency(object: Replicated): number {
  const desired = object.spec?.replicas;
  if (desired === undefined) return 2;
  const ready = object.status?.readyReplicas ?? 0;
  return ready >= desired ? 2 : ready === 0 ? 0 : 1;
}

/** Judges what is shown, as the pages judge it: each kind by the pages' own function, from what belongs to it alone. */
export async function judgeFound(
  found: readonly FoundObject[],
  listings: Listings,
  now: number,
): Promise<(found: FoundObject) => Verdict> {
  const verdicts = new Map<string, Verdict>();
  const running = found.filter(({ resource }) => workloadKinds.some(({ kind }) => kind === resource.kind));
  const { workloads } = await paced(judgeRunning(partOf(listings, running), { now }));
  for (const { row } of workloads) verdicts.set(keyOf(row), { state: row.state, reason: row.reason });
  const nodes = found.filter(({ resource }) => resource === resources.nodes);
  for (const row of nodes.length === 0 ? [] : await paced(describeNodes(nodesOf(listings, nodes))))
    verdicts.set(keyOf({ kind: 'Node', name: row.name }), { state: row.state, reason: row.reason });
  return ({ resource, object }) => {
    if (resource === resources.pods) {
      const { state, reason } = judgePod(object as PodObject, now);
      return { state, reason };
    }
    return verdicts.get(keyOf({ kind: resource.kind, ...object.metadata })) ?? {};
  };
}

const workloadKinds: readonly Resource[] = [
  resources.deployments,
  resources.statefulSets,
  resources.daemonSets,
  resources.cronJobs,
  resources.jobs,
];

/** Returns the objects that belong to some workloads: Kubernetes names them after these. */
function partOf(listings: Listings, found: readonly FoundObject[]) {
  const isPart = ({ metadata: { name, namespace } }: Named): boolean =>
    found.some(
      ({ object: { metadata } }) =>
        metadata.namespace === namespace && (name === metadata.name || name.startsWith(`${metadata.name}-`)),
    );
  const only = <T extends Named>(resource: Resource<T>): Listing<T> => {
    const listing = listingOf(listings, resource);
    return { ...listing, items: found.length === 0 ? [] : listing.items.filter(isPart) };
  };
  return {
    pods: only(resources.pods),
    replicaSets: only(resources.replicaSets),
    deployments: only(resources.deployments),
    statefulSets: only(resources.statefulSets),
    daemonSets: only(resources.daemonSets),
    jobs: only(resources.jobs),
    cronJobs: only(resources.cronJobs),
  };
}

function nodesOf(listings: Listings, found: readonly FoundObject[]) {
  const names = new Set(found.map(({ object }) => object.metadata.name));
  const pods = listingOf<ObjectOf<typeof resources.pods>>(listings, resources.pods);
  const nodes = listingOf<ObjectOf<typeof resources.nodes>>(listings, resources.nodes);
  return {
    nodes: { ...nodes, items: nodes.items.filter(({ metadata }) => names.has(metadata.name)) },
    pods: { ...pods, items: pods.items.filter(({ spec }) => names.has(spec.nodeName ?? '')) },
    namespaces: listingOf(listings, resources.namespaces),
  };
}
