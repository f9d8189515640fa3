import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type ComplianceAnswer = CallAnswer<RouteOf<'intelligence.compliance'>>;

/** Reads every control with its evidence. */
export const complianceQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'compliance'),
    queryFn: () => call('intelligence.compliance', { query: { target } }),
  });
