import type { ControlPlane, HealthState, Instance, Workload } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import { labels } from '#shared/platform/labels.ts';
import type { Steps } from '#shared/steps.ts';
import {
  type ControlPlaneListings,
  describeCertificates,
  describeControlPlanes,
  describeMeshCas,
  describeNodes,
  describeQuota,
  describeServices,
  failingPods,
  judgeRunning,
  type Listing,
  listingsOf,
  type MeshCaListings,
  type ObjectOf,
  type ReadControlPlane,
  resources,
  type ServiceListings,
} from '../../cluster-model/index.ts';
import {
  type Cluster,
  clusterReading,
  createPlaneJudge,
  keepAnswers,
  keepWithPlanes,
  keptOf,
  listControlPlanes,
  listMeshCas,
  listServices,
  nowOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import type { LastDiagnosis } from '../troubleshoot/index.ts';
import { type Gathered, gatherAttention, type Judged } from './attention.ts';
import { diagnosedAttention } from './diagnosed-attention.ts';

type DashboardListings = {
  readonly services: ServiceListings;
  readonly planes: ControlPlaneListings;
  readonly certificates: MeshCaListings;
  readonly nodes: Listing<ObjectOf<typeof resources.nodes>>;
  readonly namespaces: Listing<ObjectOf<typeof resources.namespaces>>;
  readonly quotas: Listing<ObjectOf<typeof resources.resourceQuotas>>;
};

/** Everything that is judged from objects alone. */
type Dashboard = {
  readonly workloads: Workload[];
  /** All workloads by state. */
  readonly counts: Partial<Record<HealthState, number>>;
  readonly planes: readonly ReadControlPlane[];
  readonly judged: Omit<Judged, 'controlPlanes'>;
  /** Content that could not be parsed, one sentence each. */
  readonly unreadable: string[];
};

/** Time for which the answers of health endpoints are waited for, in ms: the first page must not wait for a dead one. */
const patience = 1_000;

export type OverviewParts = {
  readonly targetOf: OpenTargetOf;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly lastDiagnosis: LastDiagnosis;
};

/** `GET /api/dashboard`. */
export function overviewHandlers({
  targetOf,
  now,
  lastDiagnosis,
}: OverviewParts): Pick<Handlers, 'cluster.dashboard'> {
  const attentionOf = diagnosedAttention(lastDiagnosis);
  const judgePlanes = createPlaneJudge(now, patience);
  const dashboardOf = keepAnswers<DashboardListings, Dashboard>(allListings, describeDashboard);
  const gatheredOf = keepWithPlanes(function* (dashboard: Dashboard, controlPlanes): Steps<Gathered> {
    yield;
    return gatherAttention({ ...dashboard.judged, controlPlanes });
  });
  return {
    'cluster.dashboard': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const listings = await listDashboard(cluster);
      const dashboard = await dashboardOf(cluster, listings, nowOf(cluster, now));
      const judged = await judgePlanes(cluster, dashboard.planes, listings.services.services.items);
      const controlPlanes = judged.map(({ row }) => row);
      const reading = clusterReading(target, allListings(listings), dashboard.unreadable);
      return {
        workloads: dashboard.workloads,
        workload_counts: dashboard.counts,
        instances: controlPlanes.flatMap(instanceOf),
        // Of what cannot be read there is nothing to diagnose.
        ...(reading.source === 'unavailable'
          ? { attention: [] }
          : attentionOf(target, await gatheredOf(dashboard, controlPlanes))),
        ...reading,
      };
    },
  };
}

async function listDashboard(cluster: Cluster): Promise<DashboardListings> {
  const [services, planes, certificates, nodes, namespaces, quotas] = await Promise.all([
    listServices(cluster),
    listControlPlanes(cluster),
    listMeshCas(cluster),
    cluster.list(resources.nodes),
    cluster.list(resources.namespaces),
    cluster.list(resources.resourceQuotas),
  ]);
  return { services, planes, certificates, nodes, namespaces, quotas };
}

function allListings({ services, planes, certificates, ...rest }: DashboardListings): Listing<unknown>[] {
  return [
    ...listingsOf(services),
    ...Object.values(planes),
    ...Object.values(certificates),
    ...Object.values(rest),
  ];
}

function* describeDashboard(cluster: Cluster, listings: DashboardListings, now: number): Steps<Dashboard> {
  const { running: runningListings } = listings.services;
  const kept = keptOf(cluster);
  const running = yield* judgeRunning(runningListings, { now, kept });
  const nodes = yield* describeNodes(
    { nodes: listings.nodes, pods: runningListings.pods, namespaces: listings.namespaces },
    kept,
  );
  const services = yield* describeServices(listings.services, running, kept);
  const planes = yield* describeControlPlanes(listings.planes, {
    listings: runningListings,
    workloads: running.workloads,
  });
  const { items: meshCas, unreadable } = describeMeshCas(listings.certificates, now);
  const held = yield* describeCertificates(listings.certificates, now, {
    isBundle: cluster.source === 'bundle',
    kept,
  });
  return {
    workloads: running.workloads.flatMap((read) =>
      read.labels[labels.tracked] === 'true' ? [read.row] : [],
    ),
    counts: countsOf(running.workloads.map(({ row }) => row.state)),
    planes,
    judged: {
      workloads: running.workloads.map(({ row }) => row),
      failing: failingPods(running.pods, running.workloads, kept),
      quotas: listings.quotas.items.map((quota) => ({
        namespace: quota.metadata.namespace ?? '',
        quota: describeQuota(quota),
      })),
      nodes,
      services,
      meshCas: meshCas.toSorted((a, b) => a.row.days_left - b.row.days_left),
      certificates: held.items.filter(({ ill }) => ill.length > 0),
    },
    unreadable: [...unreadable, ...held.gaps],
  };
}

function countsOf(states: readonly HealthState[]): Partial<Record<HealthState, number>> {
  const counts: Partial<Record<HealthState, number>> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function instanceOf(plane: ControlPlane): Instance[] {
  if (plane.backend !== 'instance') return [];
  const { name, namespace, phase, endpoint, state, reason } = plane;
  const ready = plane.conditions.find(({ type }) => type === 'Ready');
  return [
    {
      name,
      namespace,
      // Without one it is its namespace's.
      tenant: plane.tenant ?? namespace,
      phase,
      endpoint,
      ready: ready === undefined || ready.status === 'Unknown' ? undefined : ready.status === 'True',
      state,
      reason,
    },
  ];
}
