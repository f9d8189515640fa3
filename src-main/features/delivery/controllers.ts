import type { Delivery } from '#shared/api/delivery.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import type { Listing } from '../../cluster-model/index.ts';
import { resources, wasRead } from '../../cluster-model/index.ts';
import { clusterReading, noClusterReason, type OpenTarget } from '../../sources/cluster/index.ts';
import { applicationDelivery } from './applications.ts';
import type { Controlled } from './controlled.ts';
import { helmReleaseDelivery, kustomizationDelivery } from './flux.ts';

type Answer = RouteAnswer<RouteOf<'delivery.gitops'>>;

export type ControllersRead = {
  /** Undefined when no controller delivers anything there, as far as was read. */
  readonly answer: Answer | undefined;
  /** Gaps in that answer, one sentence each. */
  readonly unmeasured: readonly string[];
};

/**
 * Returns what Argo CD or Flux delivers to a cluster; for a cluster with both, both, under the name of the
 * one that delivers more.
 */
export async function controllerDeliveries(
  target: OpenTarget,
  repo: string | undefined,
): Promise<ControllersRead> {
  const { cluster } = target;
  const [applications, kustomizations, helmReleases] = await Promise.all([
    cluster.list(resources.applications),
    cluster.list(resources.kustomizations),
    cluster.list(resources.helmReleases),
  ]);
  const argo = applications.items.map(applicationDelivery);
  const flux = [
    ...kustomizations.items.map(kustomizationDelivery),
    ...helmReleases.items.map(helmReleaseDelivery),
  ];
  const listings = [applications, kustomizations, helmReleases];
  if (argo.length + flux.length === 0) return { answer: undefined, unmeasured: undecided(listings) };
  const all = [...argo, ...flux];
  const { read_at, ...reading } = clusterReading(
    target,
    listings,
    all.flatMap(({ kind, name, namespace, unread }) =>
      unread.map((clause) => `Of ${kind} ${namespace}/${name}, ${clause}.`),
    ),
  );
  return {
    answer: {
      mode: argo.length >= flux.length ? 'argocd' : 'flux',
      items: named(all, read_at).filter((item) => repo === undefined || item.repo === repo),
      read_at,
      ...reading,
    },
    unmeasured: [],
  };
}

/** Returns why it is not certain that no controller delivers; nothing when no cluster is attached at all. */
function undecided(listings: readonly Listing<unknown>[]): string[] {
  const gaps = listings
    .filter((listing) => !wasRead(listing) || listing.state === 'partly')
    .flatMap((listing) => listing.gaps)
    .filter((gap) => gap !== noClusterReason);
  return [...new Set(gaps)].map((gap) => `Whether a GitOps controller delivers was not read. ${gap}`);
}

/** Names deliveries; those that share a name are distinguished by namespace and kind. */
function named(all: readonly Controlled[], readAt: string): Delivery[] {
  const times = Map.groupBy(all, ({ name }) => name);
  const byKey = Map.groupBy(all, ({ name, namespace }) => `${namespace}/${name}`);
  return all
    .map(({ kind, name, namespace, row }): Delivery => {
      const key = `${namespace}/${name}`;
      const unique =
        times.get(name)?.length === 1 ? name : byKey.get(key)?.length === 1 ? key : `${kind} ${key}`;
      return { name: unique, ...row, last_transition: row.last_transition ?? readAt };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
