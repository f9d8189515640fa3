import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, type CallInput, call } from '../../core/api.ts';

export type DevexAnswer = CallAnswer<RouteOf<'delivery.devex'>>;
type DevexQuery = CallInput<RouteOf<'delivery.devex'>>['query'];
export type WindowDays = NonNullable<DevexQuery['days']>;

/** The windows there are, in days. */
export const windows: readonly WindowDays[] = ['7', '28', '90'];
export const usualWindow: WindowDays = '28';

/** The indicators of a window. Those of the window before stay in sight until they are read. */
export const devexQuery = (days: WindowDays, repo: string | undefined) =>
  queryOptions({
    queryKey: ['devex', days, repo],
    queryFn: () => call('delivery.devex', { query: { days, ...(repo !== undefined && { repo }) } }),
    placeholderData: keepPreviousData,
  });
