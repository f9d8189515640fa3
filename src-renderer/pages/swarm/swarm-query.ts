import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type SwarmAnswer = CallAnswer<RouteOf<'intelligence.swarm'>>;
export type SwarmDays = '1' | '7' | '28';

/** Reads the fleet's health, its runs and their durations. */
export const swarmQuery = (target: string | undefined, days: SwarmDays) =>
  queryOptions({
    queryKey: clusterKey(target, 'swarm', days),
    queryFn: () => call('intelligence.swarm', { query: { target, days } }),
  });
