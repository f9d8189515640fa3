import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** The mesh CA of each namespace, and every other certificate. */
export const certificatesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'security'),
    queryFn: () => call('cluster.security', { query: { target } }),
  });
