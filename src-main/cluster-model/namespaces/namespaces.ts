import type { ControlPlane, NamespaceRow } from '#shared/api/cluster.ts';
import { labels } from '#shared/platform/labels.ts';
import type { Steps } from '#shared/steps.ts';
import { isWarning, lastSeen } from '../events.ts';
import { type Kept, keep, keepNothing } from '../kept.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { byNamespace, groupBy, wasRead, wasReadIn } from '../listings.ts';
import { failingPods } from '../pods/failing-pods.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { isFinished } from '../pods/pod-status.ts';
import { describeQuota } from '../quotas.ts';
import { timeOf } from '../text.ts';
import type { Running, RunningListings } from '../workloads/running.ts';
import type { ReadWorkload } from '../workloads/workloads.ts';
import { namespaceVerdict } from './namespace-verdict.ts';

export type NamespaceListings = RunningListings & {
  readonly namespaces: Listing<ObjectOf<typeof resources.namespaces>>;
  readonly services: Listing<ObjectOf<typeof resources.services>>;
  readonly events: Listing<ObjectOf<typeof resources.events>>;
  readonly quotas: Listing<ObjectOf<typeof resources.resourceQuotas>>;
};
/** A warning counts for as long, in ms. */
const warningHolds = 3_600_000;
const mostFailing = 20;

/**
 * A row for each namespace; where they may not be listed, for each that something was read of. `now`: epoch ms; `planes`:
 * control planes and instances, judged.
 */
export function* describeNamespaces(
  listings: NamespaceListings,
  running: Running,
  now: number,
  {
    planes = [],
    kept = keepNothing,
  }: { readonly planes?: readonly ControlPlane[]; readonly kept?: Kept } = {},
): Steps<NamespaceRow[]> {
  const planesIn = groupBy(planes, ({ namespace }) => namespace);
  const pods = groupBy(running.pods, ({ pod }) => pod.metadata.namespace);
  const workloads = groupBy(running.workloads, ({ row }) => row.namespace);
  const quotas = byNamespace(listings.quotas.items);
  const counts = countsBy(listings, kept);
  const warnings = warningsSince(listings.events.items, now - warningHolds);
  const objects = new Map(listings.namespaces.items.map((item) => [item.metadata.name, item]));
  const names = new Set([...objects.keys(), ...pods.keys(), ...workloads.keys(), ...quotas.keys()]);
  for (const { items } of counts.values()) for (const name of items.keys()) names.add(name);
  names.delete('');

  const row = (name: string, object: ObjectOf<typeof resources.namespaces> | undefined): NamespaceRow => {
    const own = pods.get(name) ?? [];
    const ownWorkloads = workloads.get(name) ?? [];
    const ownQuotas = quotas.get(name) ?? [];
    const ownPlanes = planesIn.get(name) ?? [];
    const count = (kind: string): number | undefined => {
      const { listing, items } = counts.get(kind) ?? {};
      const found = items?.get(name);
      // None where some namespaces were refused may be one of those that were.
      if (listing === undefined || !wasRead(listing) || (found === undefined && !wasReadIn(listing, name)))
        return undefined;
      return found ?? 0;
    };
    const countOf = {
      pods: count('pods'),
      deployments: count('deployments'),
      statefulsets: count('statefulSets'),
      daemonsets: count('daemonSets'),
      jobs: count('jobs'),
      cronjobs: count('cronJobs'),
      services: count('services'),
    };
    const warned =
      wasRead(listings.events) && (warnings.has(name) || wasReadIn(listings.events, name))
        ? (warnings.get(name) ?? 0)
        : undefined;
    const make = (): NamespaceRow =>
      rowOf({
        name,
        object,
        planes: ownPlanes,
        pods: own,
        workloads: ownWorkloads,
        quotas: ownQuotas,
        counts: countOf,
        warned,
      });
    if (object === undefined) return make();
    const inputs = [
      ...Object.values(countOf),
      warned,
      own.length,
      ...own,
      ownWorkloads.length,
      ...ownWorkloads,
      ...ownQuotas,
      ...ownPlanes.flatMap(({ kind, name, state, reason }) => [kind, name, state, reason]),
    ];
    return keep(kept, object, 'namespace', inputs, make);
  };
  const rows: NamespaceRow[] = [];
  for (const name of [...names].toSorted()) {
    rows.push(row(name, objects.get(name)));
    yield;
  }
  return rows;
}

type Facts = {
  readonly name: string;
  readonly object: ObjectOf<typeof resources.namespaces> | undefined;
  readonly planes: readonly ControlPlane[];
  readonly pods: readonly JudgedPod[];
  readonly workloads: readonly ReadWorkload[];
  readonly quotas: readonly ObjectOf<typeof resources.resourceQuotas>[];
  readonly counts: NamespaceRow['counts'];
  /** Warning events of the last hour. */
  readonly warned: number | undefined;
};

function rowOf({ name, object, planes, pods, workloads, quotas, counts, warned }: Facts): NamespaceRow {
  const failing = failingPods(pods, workloads);
  const described = quotas.map(describeQuota);
  const phase = object?.status?.phase;
  const podsRead = counts.pods !== undefined;
  return {
    name,
    phase,
    created_at: timeOf(object?.metadata.creationTimestamp),
    tenant: object?.metadata.labels[labels.tenant],
    counts,
    pods_ready: podsRead
      ? pods.filter((each) => isReady(each) || each.pod.status.phase === 'Succeeded').length
      : undefined,
    restarts: podsRead ? pods.reduce((sum, { verdict }) => sum + verdict.restarts, 0) : undefined,
    failing_pods: failing.slice(0, mostFailing).map(({ pod, verdict }) => ({
      name: pod.metadata.name,
      status: verdict.label,
      reason: verdict.reason,
    })),
    warning_events: warned,
    quotas: described,
    verdict: namespaceVerdict({
      phase,
      planes,
      workloads: workloads.map(({ row }) => row),
      failing,
      quotas: described,
      podsRead,
      empty: counts.pods === 0 && workloads.length === 0,
    }),
  };
}

function countsBy(
  listings: NamespaceListings,
  kept: Kept,
): ReadonlyMap<string, { readonly listing: Listing<unknown>; readonly items: ReadonlyMap<string, number> }> {
  const { pods, deployments, statefulSets, daemonSets, jobs, cronJobs, services } = listings;
  return new Map(
    Object.entries({ pods, deployments, statefulSets, daemonSets, jobs, cronJobs, services }).map(
      ([kind, listing]) => {
        const items = keep(kept, listing.items, 'counts', [], () => countByNamespace(listing.items));
        return [kind, { listing, items }];
      },
    ),
  );
}

function countByNamespace(
  items: readonly { readonly metadata: { readonly namespace?: string | undefined } }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of items)
    counts.set(metadata.namespace ?? '', (counts.get(metadata.namespace ?? '') ?? 0) + 1);
  return counts;
}

/** Warning events by namespace that were seen since a time, in epoch ms. */
function warningsSince(
  events: readonly ObjectOf<typeof resources.events>[],
  since: number,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const event of events) {
    if (!isWarning(event) || !(Date.parse(lastSeen(event) ?? '') >= since)) continue;
    const name = event.involvedObject.namespace ?? event.metadata.namespace ?? '';
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

function isReady({ pod }: JudgedPod): boolean {
  return (
    !isFinished(pod) &&
    pod.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  );
}
