import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { clusterKey } from '../../app/cluster-target.ts';

/** When the agents run, and what the person may change of it. */
export const schedulesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'schedules'),
    queryFn: () => call('fleet.schedules', { query: { target } }),
  });
