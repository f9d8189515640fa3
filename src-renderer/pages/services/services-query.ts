import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Services of the cluster the address names, or of the chosen one. */
export const servicesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'services'),
    queryFn: () => call('cluster.services', { query: { target } }),
  });
