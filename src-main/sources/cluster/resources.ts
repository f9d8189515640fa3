import {
  configMaps,
  events,
  namespaces,
  nodes,
  persistentVolumeClaims,
  podMetrics,
  pods,
  resourceQuotas,
  secrets,
} from './kinds/core.ts';
import { applications, helmReleases, kustomizations } from './kinds/delivery.ts';
import { endpointSlices, endpoints, gateways, httpRoutes, ingresses, services } from './kinds/network.ts';
import { campaignControlPlanes, clientInstances, cockpitControlPlanes } from './kinds/platform.ts';
import { cronJobs, daemonSets, deployments, jobs, replicaSets, statefulSets } from './kinds/workloads.ts';
import type { Resource } from './types.ts';

export * from './kinds/core.ts';
export * from './kinds/delivery.ts';
export * from './kinds/network.ts';
export * from './kinds/platform.ts';
export * from './kinds/workloads.ts';

/** Every kind the console reads. A page reads by one of these, so that live and bundle read the same fields. */
export const resources: readonly Resource[] = [
  pods,
  nodes,
  namespaces,
  events,
  services,
  endpointSlices,
  endpoints,
  deployments,
  statefulSets,
  daemonSets,
  replicaSets,
  jobs,
  cronJobs,
  resourceQuotas,
  secrets,
  configMaps,
  ingresses,
  gateways,
  httpRoutes,
  applications,
  kustomizations,
  helmReleases,
  cockpitControlPlanes,
  campaignControlPlanes,
  clientInstances,
  podMetrics,
  persistentVolumeClaims,
];

/** What one object of a resource is, as it was read. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;
