import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Control planes and instances of the cluster the address names, or of the chosen one. */
export const controlPlanesQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'control-planes'),
    queryFn: () => call('cluster.controlPlanes', { query: { target } }),
  });
