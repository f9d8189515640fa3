import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type DataLineageAnswer = CallAnswer<RouteOf<'dataLineage.read'>>;

/** Declared topology, and the data flows that apps observed. */
export const dataLineageQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'data-lineage'),
    queryFn: () => call('dataLineage.read', { query: { target } }),
  });
