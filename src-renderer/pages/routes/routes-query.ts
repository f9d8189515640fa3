import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Routes into the cluster the address names, or into the chosen one, and the console's own `/studio/`. */
export const routesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'routes'),
    queryFn: () => call('cluster.routes', { query: { target } }),
  });
