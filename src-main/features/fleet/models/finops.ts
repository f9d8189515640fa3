import type { Allocation } from '#shared/api/fleet.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { labels } from '#shared/platform/labels.ts';
import type { Amounts, PodObject } from '../../../cluster-model/index.ts';
import {
  add,
  amountsOf,
  podAmounts,
  quantitiesOf,
  resources,
  wasReadWhole,
} from '../../../cluster-model/index.ts';
import { clusterReading, nowOf, type OpenTarget } from '../../../sources/cluster/index.ts';
import { kubeTime } from '../../runs/index.ts';

const hour = 3_600_000;
const gibibyte = 1024 ** 3;

/**
 * `GET /api/finops`: the requests of pods assigned to a node, times how long they have been assigned. `now`
 * in epoch ms.
 */
export async function finops(
  target: OpenTarget,
  now: () => number,
): Promise<RouteAnswer<RouteOf<'fleet.finops'>>> {
  const { cluster } = target;
  const [pods, nodes, namespaces] = await Promise.all([
    cluster.list(resources.pods),
    cluster.list(resources.nodes),
    cluster.list(resources.namespaces),
  ]);
  const allocatable = nodes.items
    .map(({ status }) => amountsOf(status?.allocatable ?? {}))
    .reduce<Amounts>(add, {});
  // Part of the nodes would make shares too large, and part of the pods what is left.
  const whole = nodes.state === 'read' && nodes.items.length > 0;
  const cores = whole ? quantitiesOf(allocatable).cpu_cores : undefined;
  const placed = pods.items.filter(occupiesNode).map((pod) => ({
    pod,
    requested: podAmounts(pod),
    hours: hoursOf(pod, nowOf(cluster, now)),
  }));
  const ofNamespace = new Map(namespaces.items.map(({ metadata }) => [metadata.name, metadata.labels]));
  const by = (label: string): Allocation[] =>
    [
      ...Map.groupBy(
        placed,
        ({ pod: { metadata } }) =>
          metadata.labels[label] || ofNamespace.get(metadata.namespace ?? '')?.[label] || undefined,
      ),
    ]
      .map(([name, group]) => allocationOf(name, group, cores))
      .toSorted(largestFirst);
  return {
    by_initiative: by(labels.initiative),
    by_tenant: by(labels.tenant),
    ...(whole ? { allocatable: quantitiesOf(allocatable) } : {}),
    ...(whole && wasReadWhole(pods)
      ? unallocated(placed.map(({ requested }) => requested).reduce<Amounts>(add, {}), allocatable)
      : {}),
    ...clusterReading(target, [pods, nodes, namespaces]),
  };
}

type Placed = { readonly pod: PodObject; readonly requested: Amounts; readonly hours: number };

/** Pods that have ended, or have no node yet, take nothing from anybody. */
function occupiesNode({ spec, status }: PodObject): boolean {
  return spec.nodeName !== undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed';
}

function hoursOf({ metadata, status }: PodObject, now: number): number {
  const since = kubeTime(status.startTime) ?? kubeTime(metadata.creationTimestamp) ?? now;
  return Math.max(0, now - since) / hour;
}

function allocationOf(
  name: string | undefined,
  group: readonly Placed[],
  cores: number | undefined,
): Allocation {
  const {
    cpu_cores = 0,
    memory_bytes = 0,
    gpus = 0,
  } = quantitiesOf(group.map(({ requested }) => requested).reduce<Amounts>(add, {}));
  let coreHours = 0;
  let gibibyteHours = 0;
  for (const { requested, hours } of group) {
    const own = quantitiesOf(requested);
    coreHours += (own.cpu_cores ?? 0) * hours;
    gibibyteHours += ((own.memory_bytes ?? 0) / gibibyte) * hours;
  }
  return {
    ...(name === undefined ? {} : { name }),
    cpu_cores,
    memory_bytes,
    gpus,
    pods: group.length,
    cpu_core_hours: coreHours,
    memory_gib_hours: gibibyteHours,
    ...(cores === undefined || cores === 0 ? {} : { cpu_share: cpu_cores / cores }),
  };
}

/** Sorts by size, largest first; allocations without a label come last, whatever their size. */
function largestFirst(a: Allocation, b: Allocation): number {
  if ((a.name === undefined) !== (b.name === undefined)) return a.name === undefined ? 1 : -1;
  return b.cpu_cores - a.cpu_cores || (a.name ?? '').localeCompare(b.name ?? '');
}

function unallocated(
  requested: Amounts,
  allocatable: Amounts,
): { unallocated?: { cpu_share: number; memory_share: number } } {
  const of = quantitiesOf(requested);
  const all = quantitiesOf(allocatable);
  if (!all.cpu_cores || !all.memory_bytes) return {};
  const left = (used: number | undefined, whole: number): number => Math.max(0, 1 - (used ?? 0) / whole);
  return {
    unallocated: {
      cpu_share: left(of.cpu_cores, all.cpu_cores),
      memory_share: left(of.memory_bytes, all.memory_bytes),
    },
  };
}
