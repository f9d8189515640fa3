import type { Listing, ObjectOf } from '../../../cluster-model/index.ts';
import { resources, wasRead } from '../../../cluster-model/index.ts';
import type { Cluster } from '../../../sources/cluster/index.ts';
import { isStudio } from '../checks/studio-ingress.ts';

/** Kinds that a diagnosis reads, by the name they have here. */
const kinds = {
  pods: resources.pods,
  replicaSets: resources.replicaSets,
  deployments: resources.deployments,
  statefulSets: resources.statefulSets,
  daemonSets: resources.daemonSets,
  jobs: resources.jobs,
  cronJobs: resources.cronJobs,
  services: resources.services,
  slices: resources.endpointSlices,
  endpoints: resources.endpoints,
  nodes: resources.nodes,
  namespaces: resources.namespaces,
  quotas: resources.resourceQuotas,
  claims: resources.persistentVolumeClaims,
  ingresses: resources.ingresses,
  networkPolicies: resources.networkPolicies,
  gateways: resources.gateways,
  httpRoutes: resources.httpRoutes,
  cockpits: resources.cockpitControlPlanes,
  campaigns: resources.campaignControlPlanes,
  instances: resources.clientInstances,
  applications: resources.applications,
  kustomizations: resources.kustomizations,
  helmReleases: resources.helmReleases,
  secrets: resources.secrets,
  configMaps: resources.configMaps,
  events: resources.events,
} as const;

export type ListingName = keyof typeof kinds;
export type Listings = { readonly [Name in ListingName]: Listing<ObjectOf<(typeof kinds)[Name]>> };

export const listingNames = Object.keys(kinds).filter((name): name is ListingName => name in kinds);

/** Kind of the objects of a listing, such as `Pod`. */
export const kindOfListing = (name: ListingName): string => kinds[name].kind;

/** The listings without events, which are large and read after the rest. */
export type ListingsBeforeEvents = Omit<Listings, 'events'>;

export async function listObjects(cluster: Cluster): Promise<ListingsBeforeEvents> {
  const [
    [pods, replicaSets, deployments, statefulSets, daemonSets, jobs, cronJobs],
    [services, slices, nodes, namespaces, quotas, claims],
    [ingresses, gateways, httpRoutes, cockpits, campaigns, instances],
    [applications, kustomizations, helmReleases, secrets, configMaps],
  ] = await Promise.all([
    Promise.all([
      cluster.list(kinds.pods),
      cluster.list(kinds.replicaSets),
      cluster.list(kinds.deployments),
      cluster.list(kinds.statefulSets),
      cluster.list(kinds.daemonSets),
      cluster.list(kinds.jobs),
      cluster.list(kinds.cronJobs),
    ]),
    Promise.all([
      cluster.list(kinds.services),
      cluster.list(kinds.slices),
      cluster.list(kinds.nodes),
      cluster.list(kinds.namespaces),
      cluster.list(kinds.quotas),
      cluster.list(kinds.claims),
    ]),
    Promise.all([
      cluster.list(kinds.ingresses),
      cluster.list(kinds.gateways),
      cluster.list(kinds.httpRoutes),
      cluster.list(kinds.cockpits),
      cluster.list(kinds.campaigns),
      cluster.list(kinds.instances),
    ]),
    Promise.all([
      cluster.list(kinds.applications),
      cluster.list(kinds.kustomizations),
      cluster.list(kinds.helmReleases),
      cluster.list(kinds.secrets),
      cluster.list(kinds.configMaps),
    ]),
  ]);
  // The API server warns of every use of Endpoints: they are asked for where slices tell less.
  const endpoints =
    slices.state === 'read'
      ? { ...slices, items: [], state: 'not_served' as const, gaps: [] }
      : await cluster.list(kinds.endpoints);
  // Only of a cluster that runs the studio is it asked who may reach it; of one that was not read that is not known.
  const networkPolicies = deployments.items.some(isStudio)
    ? await cluster.list(kinds.networkPolicies)
    : {
        ...deployments,
        items: [],
        state: wasRead(deployments) ? ('not_served' as const) : deployments.state,
        gaps: [],
      };
  return {
    pods,
    replicaSets,
    deployments,
    statefulSets,
    daemonSets,
    jobs,
    cronJobs,
    services,
    slices,
    endpoints,
    nodes,
    namespaces,
    quotas,
    claims,
    ingresses,
    networkPolicies,
    gateways,
    httpRoutes,
    cockpits,
    campaigns,
    instances,
    applications,
    kustomizations,
    helmReleases,
    secrets,
    configMaps,
  };
}

export async function listEvents(cluster: Cluster): Promise<Listings['events']> {
  return cluster.list(kinds.events);
}
