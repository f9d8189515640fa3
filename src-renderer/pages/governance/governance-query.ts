import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type GovernanceAnswer = CallAnswer<RouteOf<'estate.governance'>>;
export type FindingsAnswer = CallAnswer<RouteOf<'dataGovernance.findings'>>;

/** Ownership, credentials and posture of namespaces. */
export const governanceQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'governance'),
    queryFn: () => call('estate.governance', { query: { target } }),
  });

/** Findings of the data-governance agent. */
export const findingsQuery = queryOptions({
  queryKey: ['data-governance-findings'],
  queryFn: () => call('dataGovernance.findings', { query: {} }),
});
