import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

/** Reads what fails, with its next step. */
export const harnessQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'harness'),
    queryFn: () => call('intelligence.harness', { query: { target } }),
  });
