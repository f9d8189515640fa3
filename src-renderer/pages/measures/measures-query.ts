import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type MeasuresAnswer = CallAnswer<RouteOf<'intelligence.measures'>>;

/** Reads the platform's self-assessment. */
export const measuresQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'measures'),
    queryFn: () => call('intelligence.measures', { query: { target } }),
  });
