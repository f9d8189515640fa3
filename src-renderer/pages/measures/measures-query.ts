import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Reads the platform's self-assessment. */
export const measuresQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'measures'),
    queryFn: () => call('intelligence.measures', { query: { target } }),
  });
