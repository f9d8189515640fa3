import type { NamespaceRow } from '#shared/api/cluster.ts';
import { labels } from '#shared/platform/labels.ts';
import { isWarning, lastSeen } from '../events.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { byNamespace, groupBy, wasRead, wasReadWhole } from '../listings.ts';
import { failingPods } from '../pods/failing-pods.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { isFinished } from '../pods/pod-status.ts';
import { describeQuota } from '../quotas.ts';
import { timeOf } from '../text.ts';
import { judgeRunning, type Running, type RunningListings } from '../workloads/running.ts';
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

/** A row for each namespace; where they may not be listed, for each that something was read of. `now`: epoch ms. */
export function describeNamespaces(
  listings: NamespaceListings,
  now: number,
  running: Running = judgeRunning(listings, now, listings.events.items),
): NamespaceRow[] {
  const pods = groupBy(running.pods, ({ pod }) => pod.metadata.namespace);
  const workloads = groupBy(running.workloads, ({ row }) => row.namespace);
  const quotas = byNamespace(listings.quotas.items);
  const counts = countsBy(listings);
  const warnings = warningsSince(listings.events.items, now - warningHolds);
  const objects = new Map(listings.namespaces.items.map((item) => [item.metadata.name, item]));
  const names = new Set([...objects.keys(), ...pods.keys(), ...workloads.keys(), ...quotas.keys()]);
  for (const { items } of counts.values()) for (const name of items.keys()) names.add(name);
  names.delete('');

  return [...names].toSorted().map((name) => {
    const object = objects.get(name);
    const own = pods.get(name) ?? [];
    const ownWorkloads = workloads.get(name) ?? [];
    const count = (kind: string): number | undefined => {
      const { listing, items } = counts.get(kind) ?? {};
      const found = items?.get(name);
      // None where some namespaces were refused may be one of those that were.
      if (listing === undefined || !wasRead(listing) || (found === undefined && !wasReadWhole(listing)))
        return undefined;
      return found ?? 0;
    };
    const podCount = count('pods');
    const failing = failingPods(own, ownWorkloads);
    const described = (quotas.get(name) ?? []).map(describeQuota);
    const phase = object?.status?.phase;
    const warned = warnings.get(name);
    return {
      name,
      phase,
      created_at: timeOf(object?.metadata.creationTimestamp),
      tenant: object?.metadata.labels[labels.tenant],
      counts: {
        pods: podCount,
        deployments: count('deployments'),
        statefulsets: count('statefulSets'),
        daemonsets: count('daemonSets'),
        jobs: count('jobs'),
        cronjobs: count('cronJobs'),
        services: count('services'),
      },
      pods_ready:
        podCount === undefined
          ? undefined
          : own.filter((each) => isReady(each) || each.pod.status.phase === 'Succeeded').length,
      restarts:
        podCount === undefined ? undefined : own.reduce((sum, { verdict }) => sum + verdict.restarts, 0),
      failing_pods: failing.slice(0, mostFailing).map(({ pod, verdict }) => ({
        name: pod.metadata.name,
        status: verdict.label,
        reason: verdict.reason,
      })),
      warning_events:
        wasRead(listings.events) && (warned !== undefined || wasReadWhole(listings.events))
          ? (warned ?? 0)
          : undefined,
      quotas: described,
      verdict: namespaceVerdict({
        phase,
        workloads: ownWorkloads.map(({ row }) => row),
        failing,
        quotas: described,
        podsRead: podCount !== undefined,
        empty: podCount === 0 && ownWorkloads.length === 0,
      }),
    };
  });
}

function countsBy(
  listings: NamespaceListings,
): ReadonlyMap<string, { readonly listing: Listing<unknown>; readonly items: ReadonlyMap<string, number> }> {
  const { pods, deployments, statefulSets, daemonSets, jobs, cronJobs, services } = listings;
  return new Map(
    Object.entries({ pods, deployments, statefulSets, daemonSets, jobs, cronJobs, services }).map(
      ([kind, listing]) => {
        const items = new Map<string, number>();
        for (const { metadata } of listing.items)
          items.set(metadata.namespace ?? '', (items.get(metadata.namespace ?? '') ?? 0) + 1);
        return [kind, { listing, items }];
      },
    ),
  );
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
