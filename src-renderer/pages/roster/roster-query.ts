import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** The agents of the fleet and the inference tiers they think with. */
export const rosterQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'agents'),
    queryFn: () => call('fleet.agents', { query: { target } }),
  });
