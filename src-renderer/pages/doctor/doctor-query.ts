import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type DoctorAnswer = CallAnswer<RouteOf<'fleet.doctor'>>;

/** The ops doctor: its CronJob, its last runs, and its tracking issue. */
export const doctorQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'doctor'),
    queryFn: () => call('fleet.doctor', { query: { target } }),
  });
