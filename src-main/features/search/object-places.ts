import type { SearchGroup } from '#shared/api/search.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { type Named, type Resource, resources } from '../../cluster-model/index.ts';

const workloads: readonly Resource[] = [
  resources.deployments,
  resources.statefulSets,
  resources.daemonSets,
  resources.cronJobs,
  resources.jobs,
];
const planes: readonly Resource[] = [
  resources.cockpitControlPlanes,
  resources.campaignControlPlanes,
  resources.clientInstances,
];
const deliveries: readonly Resource[] = [
  resources.applications,
  resources.kustomizations,
  resources.helmReleases,
];
const routes: readonly Resource[] = [resources.ingresses, resources.httpRoutes];

/** The group that objects of a kind are found in. */
export function groupOf(resource: Resource): SearchGroup {
  if (resource === resources.namespaces) return 'namespaces';
  if (resource === resources.nodes) return 'nodes';
  if (resource === resources.pods) return 'pods';
  return workloads.includes(resource) ? 'workloads' : 'objects';
}

/** The page that shows an object; what has no page of its own is opened as YAML, above its namespace. */
export function placeOf(resource: Resource, { metadata: { name, namespace } }: Named): PageAddress {
  if (resource === resources.namespaces) return { tab: 'namespaces', record: name };
  if (resource === resources.nodes) return { tab: 'nodes', record: name };
  if (resource === resources.services) return { tab: 'services', record: `${namespace}/${name}` };
  if (planes.includes(resource))
    return { tab: 'controlPlanes', record: `${resource.kind}/${namespace}/${name}` };
  if (deliveries.includes(resource)) return { tab: 'gitops', q: name };
  if (routes.includes(resource)) return { tab: 'routes', q: name };
  const panel = resource === resources.pods ? 'pods' : workloads.includes(resource) ? 'workloads' : undefined;
  return {
    tab: 'namespaces',
    ...(panel !== undefined && { panel }),
    kind: resource.kind,
    ...(namespace !== undefined && { record: namespace }),
    name,
  };
}
