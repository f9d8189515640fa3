import {
  type ControlPlaneListings,
  type EndpointListings,
  type MeshCaListings,
  type NamespaceListings,
  type NodeListings,
  type RunningListings,
  resources,
  type ServiceListings,
} from '../../cluster-model/index.ts';
import type { Cluster } from './types.ts';

/** Lists workloads and pods, of one namespace or of all. */
export async function listRunning(cluster: Cluster, namespace?: string): Promise<RunningListings> {
  const where = namespace === undefined ? {} : { namespace };
  const [pods, replicaSets, deployments, statefulSets, daemonSets, jobs, cronJobs] = await Promise.all([
    cluster.list(resources.pods, where),
    cluster.list(resources.replicaSets, where),
    cluster.list(resources.deployments, where),
    cluster.list(resources.statefulSets, where),
    cluster.list(resources.daemonSets, where),
    cluster.list(resources.jobs, where),
    cluster.list(resources.cronJobs, where),
  ]);
  return { pods, replicaSets, deployments, statefulSets, daemonSets, jobs, cronJobs };
}

/** Lists what is behind services, of one namespace or of all. */
async function listEndpoints(cluster: Cluster, namespace?: string): Promise<EndpointListings> {
  const where = namespace === undefined ? {} : { namespace };
  const slices = await cluster.list(resources.endpointSlices, where);
  const whole = slices.state === 'read';
  return { slices, endpoints: whole ? undefined : await cluster.list(resources.endpoints, where) };
}

/** Lists services with what runs behind them, of one namespace or of all. */
export async function listServices(cluster: Cluster, namespace?: string): Promise<ServiceListings> {
  const [services, running, endpoints] = await Promise.all([
    cluster.list(resources.services, namespace === undefined ? {} : { namespace }),
    listRunning(cluster, namespace),
    listEndpoints(cluster, namespace),
  ]);
  return { services, running, endpoints };
}

/** Lists nodes with what runs on them. */
export async function listNodes(cluster: Cluster): Promise<NodeListings> {
  const [nodes, pods, namespaces] = await Promise.all([
    cluster.list(resources.nodes),
    cluster.list(resources.pods),
    cluster.list(resources.namespaces),
  ]);
  return { nodes, pods, namespaces };
}

/** Everything a namespace's row is made of, of one namespace or of all. */
export async function listNamespaces(
  cluster: Cluster,
  namespace?: string,
): Promise<NamespaceListings & ControlPlaneListings> {
  const where = namespace === undefined ? {} : { namespace };
  const [running, planes, namespaces, services, events, quotas] = await Promise.all([
    listRunning(cluster, namespace),
    listControlPlanes(cluster, namespace),
    cluster.list(resources.namespaces),
    cluster.list(resources.services, where),
    cluster.list(resources.events, where),
    cluster.list(resources.resourceQuotas, where),
  ]);
  return { ...running, ...planes, namespaces, services, events, quotas };
}

/** Lists the custom resources of the operators, of one namespace or of all. */
export async function listControlPlanes(cluster: Cluster, namespace?: string): Promise<ControlPlaneListings> {
  const where = namespace === undefined ? {} : { namespace };
  const [cockpits, campaigns, instances] = await Promise.all([
    cluster.list(resources.cockpitControlPlanes, where),
    cluster.list(resources.campaignControlPlanes, where),
    cluster.list(resources.clientInstances, where),
  ]);
  return { cockpits, campaigns, instances };
}

/** Lists what may hold a mesh CA. */
export async function listMeshCas(cluster: Cluster): Promise<MeshCaListings> {
  const [secrets, configMaps] = await Promise.all([
    cluster.list(resources.secrets),
    cluster.list(resources.configMaps),
  ]);
  return { secrets, configMaps };
}
