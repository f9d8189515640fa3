import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';

export type GitopsAnswer = CallAnswer<RouteOf<'delivery.gitops'>>;

/** Everything that is delivered and whether the newest revision is, or of one repository that is not read unasked. */
export const gitopsQuery = (target: string | undefined, repo?: string) =>
  queryOptions({
    queryKey: ['gitops', target, repo ?? ''],
    queryFn: () => call('delivery.gitops', { query: { target, repo } }),
  });
