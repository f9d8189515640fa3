import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type FinopsAnswer = CallAnswer<RouteOf<'fleet.finops'>>;

/** Reads the compute requested by owner. */
export const finopsQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'finops'),
    queryFn: () => call('fleet.finops', { query: { target } }),
  });
