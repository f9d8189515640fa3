import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';

export type JudgementAnswer = CallAnswer<RouteOf<'judgement.findings'>>;
export type VerdictFilter = 'confirmed' | 'rejected' | 'undecided' | 'none';

/** Reads submitted findings, each with the judge agent's newest verdict. */
export const judgementQuery = (verdict: VerdictFilter | undefined) =>
  queryOptions({
    queryKey: ['judgement', verdict ?? null],
    queryFn: () => call('judgement.findings', { query: { verdict } }),
  });
