import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Model cards, and where each of the models runs now. */
export const modelsQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'models'),
    queryFn: () => call('fleet.models', { query: { target } }),
  });
