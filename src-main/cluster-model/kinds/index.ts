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
} from './core.ts';
import { applications, helmReleases, kustomizations } from './delivery.ts';
import {
  endpointSlices,
  endpoints,
  gateways,
  httpRoutes,
  ingresses,
  networkPolicies,
  services,
} from './network.ts';
import { campaignControlPlanes, clientInstances, cockpitControlPlanes } from './platform.ts';
import type { Resource } from './types.ts';
import { cronJobs, daemonSets, deployments, jobs, replicaSets, statefulSets } from './workloads.ts';

export * from './core.ts';
export * from './delivery.ts';
export * from './network.ts';
export * from './platform.ts';
export type { PodObject } from './pods.ts';
export type { HttpRead, Listing, ListingState, Named, RawObject, Resource } from './types.ts';
export * from './workloads.ts';

/** Every kind the console reads. A page reads by one of these, so that live and bundle read the same fields. */
export const everyKind: readonly Resource[] = [
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
  networkPolicies,
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

/** The type of one object of a resource, as read. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;
