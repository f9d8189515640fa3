import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Reads the agents' schedules, and what the person may change of them. */
export const schedulesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'schedules'),
    queryFn: () => call('fleet.schedules', { query: { target } }),
  });
