import type { Allocation } from '#shared/api/fleet.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { labels } from '#shared/platform/labels.ts';
import type { Steps } from '#shared/steps.ts';
import type { Amounts, Listing, ObjectOf, PodObject } from '../../../cluster-model/index.ts';
import {
  add,
  amountsOf,
  groupBy,
  podAmounts,
  quantitiesOf,
  resources,
  wasReadWhole,
} from '../../../cluster-model/index.ts';
import { clusterReading, keepAnswers, nowOf, type OpenTarget } from '../../../sources/cluster/index.ts';
import type { PricedAsset } from '../../capex/index.ts';
import { kubeTime } from '../../runs/index.ts';
import { createPrices, type HourCost } from './prices.ts';

const hour = 3_600_000;
const gibibyte = 1024 ** 3;

type FinopsListings = {
  readonly pods: Listing<PodObject>;
  readonly nodes: Listing<ObjectOf<typeof resources.nodes>>;
  readonly namespaces: Listing<ObjectOf<typeof resources.namespaces>>;
};
type FinopsInput = FinopsListings & { readonly assets: readonly PricedAsset[] };
type Finops = RouteAnswer<RouteOf<'fleet.finops'>>;
type Allocations = Omit<Finops, keyof ReturnType<typeof clusterReading>>;

/**
 * `GET /api/finops`: the requests of pods assigned to a node, times how long they have been assigned, and what that costs on
 * nodes that assets name. `now` in epoch ms. Summed once for the same objects, within a minute.
 */
export function createFinops(
  now: () => number,
  readAssets: () => Promise<readonly PricedAsset[]>,
): (target: OpenTarget) => Promise<Finops> {
  const allocationsOf = keepAnswers<FinopsInput, Allocations>(
    ({ pods, nodes, namespaces, assets }) => [
      pods,
      nodes,
      namespaces,
      { state: 'read', revision: JSON.stringify(assets) },
    ],
    (_cluster, input, at) => allocations(input, at),
  );
  return async (target) => {
    const { cluster } = target;
    const [pods, nodes, namespaces, assets] = await Promise.all([
      cluster.list(resources.pods),
      cluster.list(resources.nodes),
      cluster.list(resources.namespaces),
      readAssets(),
    ]);
    return {
      ...(await allocationsOf(cluster, { pods, nodes, namespaces, assets }, nowOf(cluster, now))),
      ...clusterReading(target, [pods, nodes, namespaces]),
    };
  };
}

function* allocations({ pods, nodes, namespaces, assets }: FinopsInput, now: number): Steps<Allocations> {
  const allocatable = nodes.items
    .map(({ status }) => amountsOf(status?.allocatable ?? {}))
    .reduce<Amounts>(add, {});
  // Part of the nodes would make shares too large, and part of the pods what is left.
  const whole = nodes.state === 'read' && nodes.items.length > 0;
  const cores = whole ? quantitiesOf(allocatable).cpu_cores : undefined;
  const prices = createPrices(nodes.items, assets, now);
  const placed: Placed[] = [];
  let requestedByAll: Amounts = {};
  for (const [at, pod] of pods.items.entries()) {
    if (at % 200 === 0) yield;
    if (!occupiesNode(pod)) continue;
    const requested = podAmounts(pod);
    const hours = hoursOf(pod, now);
    placed.push({ pod, requested, hours, costs: prices.costsOf(pod.spec.nodeName, requested) });
    requestedByAll = add(requestedByAll, requested);
  }
  const ofNamespace = new Map(namespaces.items.map(({ metadata }) => [metadata.name, metadata.labels]));
  function* by(label: string): Steps<Allocation[]> {
    const groups = groupBy(
      placed,
      ({ pod: { metadata } }) =>
        metadata.labels[label] || ofNamespace.get(metadata.namespace ?? '')?.[label] || undefined,
    );
    const found: Allocation[] = [];
    for (const [name, group] of groups) {
      yield;
      found.push(allocationOf(name || undefined, group, cores));
    }
    return found.toSorted(largestFirst);
  }
  return {
    by_initiative: yield* by(labels.initiative),
    by_tenant: yield* by(labels.tenant),
    ...(whole ? { allocatable: quantitiesOf(allocatable) } : {}),
    ...(whole && wasReadWhole(pods) ? unallocated(requestedByAll, allocatable) : {}),
    ...(nodes.state === 'read' ? { pricing: prices.coverage } : {}),
  };
}

type Placed = {
  readonly pod: PodObject;
  readonly requested: Amounts;
  readonly hours: number;
  /** Of an hour, by currency. */
  readonly costs: readonly HourCost[];
};

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
    ...costsOfGroup(group),
  };
}

/** Sums the costs of pods by currency; nothing where none has a price. */
function costsOfGroup(group: readonly Placed[]): Pick<Allocation, 'costs'> {
  const sums = new Map<string, { currency: string; per_hour_minor: number; so_far_minor: number }>();
  for (const { costs, hours } of group)
    for (const { currency, perHour } of costs) {
      const sum = sums.get(currency) ?? { currency, per_hour_minor: 0, so_far_minor: 0 };
      sum.per_hour_minor += perHour;
      sum.so_far_minor += perHour * hours;
      sums.set(currency, sum);
    }
  return sums.size === 0 ? {} : { costs: [...sums.values()] };
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
