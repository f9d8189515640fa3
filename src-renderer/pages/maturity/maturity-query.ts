import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type MaturityAnswer = CallAnswer<RouteOf<'intelligence.maturity'>>;

/** Reads the five dimensions of maturity. */
export const maturityQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'maturity'),
    queryFn: () => call('intelligence.maturity', { query: { target } }),
  });
