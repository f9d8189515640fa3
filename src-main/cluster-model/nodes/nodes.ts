import type { NodeRow, ObjectRef } from '#shared/api/cluster.ts';
import { labels } from '#shared/platform/labels.ts';
import type { Steps } from '#shared/steps.ts';
import { counted } from '#shared/text.ts';
import { type Kept, keep, keepNothing } from '../kept.ts';
import { keepGroups } from '../kept-groups.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { PodObject } from '../kinds/pods.ts';
import type { Listing } from '../kinds/types.ts';
import { wasRead, wasReadWhole } from '../listings.ts';
import { isFinished } from '../pods/pod-status.ts';
import { type Amounts, add, amountsOf, podAmounts, quantitiesOf } from '../quantities.ts';
import { clipped, timeOf } from '../text.ts';

type NodeObject = ObjectOf<typeof resources.nodes>;

export type NodeListings = {
  readonly nodes: Listing<NodeObject>;
  readonly pods: Listing<PodObject>;
  /** For the tenant of pods that carry none themselves. */
  readonly namespaces: Listing<ObjectOf<typeof resources.namespaces>>;
};

const onNodes = {};
const noPods: readonly PodObject[] = [];

/** A row for each node, in the order of their names. */
export function* describeNodes(listings: NodeListings, kept: Kept = keepNothing): Steps<NodeRow[]> {
  const podsOf = keepGroups(kept, onNodes, listings.pods.items, (pod) =>
    isFinished(pod) ? undefined : pod.spec.nodeName,
  );
  yield;
  const tenants = new Map(
    listings.namespaces.items.map(({ metadata }) => [metadata.name, metadata.labels[labels.tenant]]),
  );
  const somePods = wasRead(listings.pods);
  // Of a part of the pods number and sum are lower bounds.
  const allPods = wasReadWhole(listings.pods);
  const allNamespaces = wasReadWhole(listings.namespaces);
  const row = (node: NodeObject, pods: readonly PodObject[]): NodeRow => {
    const dedicated = dedicatedTo(node);
    const isolation =
      dedicated === undefined
        ? undefined
        : isolationOf(pods, dedicated, { tenants, known: allPods && allNamespaces });
    const conditions = node.status?.conditions ?? [];
    const ready = conditions.find(({ type }) => type === 'Ready');
    const pressures = pressuresOf(conditions);
    return {
      name: node.metadata.name,
      ready: ready === undefined ? undefined : ready.status === 'True',
      ...healthOf({ node, ready, pressures, intruders: isolation?.intruders.length ?? 0, dedicated }),
      roles: rolesOf(node),
      version: node.status?.nodeInfo?.kubeletVersion,
      created_at: timeOf(node.metadata.creationTimestamp),
      capacity: quantitiesOf(amountsOf(node.status?.capacity ?? {})),
      allocatable: quantitiesOf(amountsOf(node.status?.allocatable ?? {})),
      requested: somePods ? quantitiesOf(requestedBy(pods)) : undefined,
      pods: somePods ? pods.length : undefined,
      ...(somePods && !allPods ? { at_least: true } : {}),
      taints: (node.spec?.taints ?? []).map(({ key, value, effect }) => ({ key, value, effect })),
      pressures,
      unschedulable: node.spec?.unschedulable === true,
      dedicated_to: dedicated,
      isolation,
    };
  };
  const rows: NodeRow[] = [];
  const nodes = listings.nodes.items;
  for (const node of keep(kept, nodes, 'sorted', [], () =>
    nodes.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name)),
  )) {
    const pods = podsOf.get(node.metadata.name) ?? noPods;
    const inputs = [listings.namespaces.items, allNamespaces, somePods, allPods, pods];
    rows.push(keep(kept, node, 'node', inputs, () => row(node, pods)));
    yield;
  }
  return rows;
}

function requestedBy(pods: readonly PodObject[]): Amounts {
  const none: Amounts = { cpu: 0n, memory: 0n, pods: BigInt(pods.length) * 1_000_000_000n };
  return pods.reduce((sum, pod) => add(sum, podAmounts(pod)), none);
}

/** Returns what a node is dedicated to, by its taint, else by its label. */
function dedicatedTo({ metadata, spec }: NodeObject): string | undefined {
  const taint = spec?.taints.find(({ key }) => key === labels.dedicated);
  return taint?.value || metadata.labels[labels.dedicated] || undefined;
}

/** Pods that are on a dedicated node and not its tenant's; what is on every node (DaemonSets, static pods) belongs. */
function isolationOf(
  pods: readonly PodObject[],
  dedicated: string,
  { tenants, known }: { readonly tenants: ReadonlyMap<string, string | undefined>; readonly known: boolean },
): NodeRow['isolation'] {
  const intruders: ObjectRef[] = [];
  for (const { metadata } of pods) {
    if (metadata.ownerReferences.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')) continue;
    const tenant = metadata.labels[labels.tenant] ?? tenants.get(metadata.namespace ?? '');
    if (tenant === dedicated || metadata.labels[labels.dedicated] === dedicated) continue;
    // Its namespace may say that it belongs: only what was read is held against it.
    if (tenant === undefined && !known) continue;
    intruders.push({ kind: 'Pod', name: metadata.name, namespace: metadata.namespace });
  }
  if (intruders.length > 0) return { holds: false, intruders };
  return known ? { holds: true, intruders } : undefined;
}

const pressureNames: Readonly<Record<string, string>> = {
  MemoryPressure: 'memory',
  DiskPressure: 'disk',
  PIDPressure: 'pid',
  NetworkUnavailable: 'network',
};

type Conditions = NonNullable<NodeObject['status']>['conditions'];

function pressuresOf(conditions: Conditions): string[] {
  return conditions.flatMap(({ type, status }) => (status === 'True' ? (pressureNames[type] ?? []) : []));
}

const roleLabel = 'node-role.kubernetes.io/';

function rolesOf({ metadata }: NodeObject): string[] {
  return Object.keys(metadata.labels)
    .flatMap((name) => (name.startsWith(roleLabel) ? name.slice(roleLabel.length) || [] : []))
    .toSorted();
}

function healthOf(facts: {
  readonly node: NodeObject;
  readonly ready: Conditions[number] | undefined;
  readonly pressures: readonly string[];
  readonly intruders: number;
  readonly dedicated: string | undefined;
}): Pick<NodeRow, 'state' | 'reason'> {
  const { ready } = facts;
  if (ready?.status === 'False')
    return {
      state: 'failing',
      reason: clipped(`not ready: ${ready.message ?? ready.reason ?? 'no reason given'}`),
    };
  if (ready?.status === 'Unknown') return { state: 'failing', reason: 'its kubelet no longer reports' };
  const reasons = [
    ...facts.pressures.map((name) =>
      name === 'network' ? 'its network is not set up' : `under ${name} pressure`,
    ),
    ...(facts.intruders > 0
      ? [`dedicated to ${facts.dedicated}, but ${counted(facts.intruders, 'pod')} of others on it`]
      : []),
    ...(facts.node.spec?.unschedulable === true ? ['cordoned: it takes no new pods'] : []),
  ];
  if (reasons.length > 0) return { state: 'degraded', reason: reasons.join('; ') };
  return ready === undefined
    ? { state: 'not_read', reason: 'it does not say whether it is ready' }
    : { state: 'healthy' };
}
