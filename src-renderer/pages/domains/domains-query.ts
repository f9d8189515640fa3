import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';

export type DomainsAnswer = CallAnswer<RouteOf<'dataGovernance.domains'>>;

/** Data domains, clustered from the registry of connections. */
export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: () => call('dataGovernance.domains'),
});
