import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type HarnessAnswer = CallAnswer<RouteOf<'intelligence.harness'>>;

/** Reads what fails, with its next step. */
export const harnessQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'harness'),
    queryFn: () => call('intelligence.harness', { query: { target } }),
  });
