import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type DashboardAnswer = CallAnswer<RouteOf<'cluster.dashboard'>>;
export type RunsAnswer = CallAnswer<RouteOf<'runs.list'>>;

/** Tracked workloads, instances, and what needs a person. */
export const dashboardQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'dashboard'),
    queryFn: () => call('cluster.dashboard', { query: { target } }),
  });

/** The mesh CAs, for how many there are and when the first expires. */
export const securityQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'security'),
    queryFn: () => call('cluster.security', { query: { target } }),
  });

/** Runs begun since a moment, the newest 1,000 of them: the most that one answer has. */
export const recentRunsQuery = (target: string | undefined, since: string) =>
  queryOptions({
    queryKey: ['runs', target, 'overview', since],
    queryFn: () => call('runs.list', { query: { target, since, limit: '1000' } }),
  });

/** Reads the person's own sessions. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await call('sessions.list')).items,
});
