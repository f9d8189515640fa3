import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from './api.ts';
import { clusterKey } from './cluster-target.ts';

export type NodeAnswer = CallAnswer<RouteOf<'cluster.node'>>;

/** Every node with its load. */
export const nodesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'nodes'),
    queryFn: () => call('cluster.nodes', { query: { target } }),
  });

/** One node: conditions, labels, pods by namespace, events. */
export const nodeQuery = (target: string | undefined, name: string) =>
  queryOptions({
    queryKey: clusterKey(target, 'node', name),
    queryFn: () => call('cluster.node', { params: { name }, query: { target } }),
  });
