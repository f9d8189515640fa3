import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** The inference plane as deployed. */
export const inferenceQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'inference'),
    queryFn: () => call('fleet.inference', { query: { target } }),
  });
