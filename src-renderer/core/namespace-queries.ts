import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from './api.ts';
import { clusterKey } from './cluster-target.ts';

export type NamespaceAnswer = CallAnswer<RouteOf<'cluster.namespace'>>;

/** Every namespace with its verdict. */
export const namespacesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'namespaces'),
    queryFn: () => call('cluster.namespaces', { query: { target } }),
  });

/** One namespace: its workloads, pods and events. */
export const namespaceQuery = (target: string | undefined, name: string) =>
  queryOptions({
    queryKey: clusterKey(target, 'namespace', name),
    queryFn: () => call('cluster.namespace', { params: { name }, query: { target } }),
  });
