import type { ObjectRef } from '#shared/api/cluster.ts';
import { keyOf, timeOf } from '../../../cluster-model/index.ts';
import type { ConditionSeen } from '../logs/seen.ts';
import type { ListingName } from './listings.ts';
import type { Reading } from './reading.ts';

type Conditions = readonly {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}[];

type Item = {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly generation?: number | undefined;
    readonly creationTimestamp?: string | undefined;
  };
  readonly status?: unknown;
};

/** The listings whose objects have conditions. */
const conditioned = [
  'deployments',
  'statefulSets',
  'daemonSets',
  'replicaSets',
  'jobs',
  'nodes',
  'namespaces',
  'claims',
  'gateways',
  'cockpits',
  'campaigns',
  'instances',
  'kustomizations',
  'helmReleases',
] as const satisfies readonly ListingName[];

/** The listing that has the conditions of a kind; undefined for a kind that is not read. */
export const conditionListings: Readonly<Record<string, ListingName>> = {
  Pod: 'pods',
  Deployment: 'deployments',
  StatefulSet: 'statefulSets',
  DaemonSet: 'daemonSets',
  ReplicaSet: 'replicaSets',
  Job: 'jobs',
  Node: 'nodes',
  Namespace: 'namespaces',
  PersistentVolumeClaim: 'claims',
  Gateway: 'gateways',
  HTTPRoute: 'httpRoutes',
  CockpitControlPlane: 'cockpits',
  CampaignControlPlane: 'campaigns',
  ClientInstance: 'instances',
  Kustomization: 'kustomizations',
  HelmRelease: 'helmReleases',
};

/** Every condition of what is neither still being brought about nor scaled to nothing. */
export function seenConditions(reading: Reading): ConditionSeen[] {
  const planes = new Map(reading.backends.map(({ resource, owner }) => [keyOf(resource), owner]));
  const found: ConditionSeen[] = [];
  const tell = (
    kind: string,
    { metadata, status }: Item,
    conditions: Conditions,
    ref = 'status.conditions',
  ): void => {
    const object: ObjectRef = {
      kind,
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    };
    const owner = planes.get(keyOf(object)) ?? reading.ownerOf(object);
    const state = reading.workloadOf(owner)?.row.state;
    if (state === 'working' || state === 'idle' || isStale(status, metadata)) return;
    if (kind === 'Node' && reading.now - Date.parse(metadata.creationTimestamp ?? '') < joining) return;
    for (const condition of conditions) {
      if (isStale(condition, metadata) || isUnderWay(condition, reading.now)) continue;
      found.push({
        kind: 'condition',
        object,
        owner,
        ref,
        since: timeOf(condition.lastTransitionTime),
        values: kind === 'Node' ? { node: metadata.name } : {},
        condition,
      });
    }
  };
  for (const name of conditioned) {
    const kind = Object.entries(conditionListings).find(([, listing]) => listing === name)?.[0];
    if (kind === undefined) continue;
    for (const item of reading.listings[name].items) {
      // A ReplicaSet of an older revision is asked for nothing any more.
      if (kind === 'ReplicaSet' && 'spec' in item && isAskedForNothing(item.spec)) continue;
      tell(kind, item, item.status?.conditions ?? []);
    }
  }
  for (const route of reading.listings.httpRoutes.items)
    for (const { parentRef, conditions } of route.status?.parents ?? [])
      tell('HTTPRoute', route, conditions, `status.parents of ${parentRef.name}`);
  return found;
}

/** A node that joins has no network and is not ready for this time, in ms. */
const joining = 5 * 60_000;
/** Reasons of controllers that are at work, and the time that this may take, in ms. */
const underWay =
  /^(?:Pending|Progressing|Reconciling|InProgress|Creating|Provisioning|Initializing|Installing|Updating|WaitingForController)$/;
const grace = 10 * 60_000;

/** Returns whether what a controller said is of an older generation of the object: it has not seen the newest yet. */
function isStale(said: unknown, { generation }: Item['metadata']): boolean {
  if (typeof said !== 'object' || said === null || !('observedGeneration' in said)) return false;
  const { observedGeneration: seen } = said;
  return typeof seen === 'number' && generation !== undefined && seen < generation;
}

function isUnderWay({ status, reason, lastTransitionTime }: Conditions[number], now: number): boolean {
  return (
    status !== 'True' && underWay.test(reason ?? '') && now - Date.parse(lastTransitionTime ?? '') < grace
  );
}

function isAskedForNothing(spec: unknown): boolean {
  return typeof spec === 'object' && spec !== null && 'replicas' in spec && spec.replicas === 0;
}
