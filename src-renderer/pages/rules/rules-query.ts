import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';

export type RulesAnswer = CallAnswer<RouteOf<'rulesRecon.read'>>;

/** Reads business rules as declared, against what was observed. */
export const rulesQuery = (tenant: string | undefined) =>
  queryOptions({
    queryKey: ['rules-recon', tenant ?? null],
    queryFn: () => call('rulesRecon.read', { query: { tenant } }),
  });
