import type { Instance, Workload } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import { labels } from '#shared/platform/labels.ts';
import {
  type ControlPlaneListings,
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
  resources,
  type ServiceListings,
} from '../../cluster-model/index.ts';
import {
  type Cluster,
  clusterReading,
  keepAnswers,
  listControlPlanes,
  listMeshCas,
  listServices,
  nowOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import type { LastDiagnosis } from '../troubleshoot/index.ts';
import { type Gathered, gatherAttention } from './attention.ts';
import { diagnosedAttention } from './diagnosed-attention.ts';

type DashboardListings = {
  readonly services: ServiceListings;
  readonly planes: ControlPlaneListings;
  readonly certificates: MeshCaListings;
  readonly nodes: Listing<ObjectOf<typeof resources.nodes>>;
  readonly namespaces: Listing<ObjectOf<typeof resources.namespaces>>;
  readonly quotas: Listing<ObjectOf<typeof resources.resourceQuotas>>;
};

type Dashboard = {
  readonly workloads: Workload[];
  readonly instances: Instance[];
  readonly attention: Gathered;
  /** Content that could not be parsed, one sentence each. */
  readonly unreadable: string[];
};

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
  const dashboardOf = keepAnswers<DashboardListings, Dashboard>(allListings, describeDashboard);
  return {
    'cluster.dashboard': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const listings = await listDashboard(target.cluster);
      const { unreadable, attention, workloads, instances } = dashboardOf(
        target.cluster,
        listings,
        nowOf(target.cluster, now),
      );
      const reading = clusterReading(target, allListings(listings), unreadable);
      // Of what cannot be read there is nothing to diagnose.
      const judged = reading.source === 'unavailable' ? { attention: [] } : attentionOf(target, attention);
      return { workloads, instances, ...judged, ...reading };
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

function describeDashboard(listings: DashboardListings, now: number): Dashboard {
  const { running: runningListings } = listings.services;
  const running = judgeRunning(runningListings, now);
  const controlPlanes = describeControlPlanes(listings.planes, {
    listings: runningListings,
    workloads: running.workloads,
  }).map(({ row }) => row);
  const { items: certificates, unreadable } = describeMeshCas(listings.certificates, now);
  return {
    workloads: running.workloads.flatMap((read) =>
      read.labels[labels.tracked] === 'true' ? [read.row] : [],
    ),
    instances: controlPlanes.flatMap((plane): Instance[] => {
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
    }),
    attention: gatherAttention({
      controlPlanes,
      workloads: running.workloads.map(({ row }) => row),
      failing: failingPods(running.pods, running.workloads),
      quotas: listings.quotas.items.map((quota) => ({
        namespace: quota.metadata.namespace ?? '',
        quota: describeQuota(quota),
      })),
      nodes: describeNodes({
        nodes: listings.nodes,
        pods: runningListings.pods,
        namespaces: listings.namespaces,
      }),
      services: describeServices(listings.services, now, running),
      certificates: certificates.toSorted((a, b) => a.row.days_left - b.row.days_left),
    }),
    unreadable,
  };
}
