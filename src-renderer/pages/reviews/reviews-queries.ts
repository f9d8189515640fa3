import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import type { Review } from '#shared/api/runs.ts';
import { type CallAnswer, call } from '../../core/api.ts';

export type ReviewsAnswer = CallAnswer<RouteOf<'reviews.list'>>;
export type ReviewAnswer = CallAnswer<RouteOf<'reviews.one'>>;

/** Running and past reviews, of one repository or of all that are read. */
export const reviewsQuery = (repo: string | undefined) =>
  queryOptions({
    queryKey: ['reviews', 'list', repo],
    queryFn: () => call('reviews.list', { query: repo === undefined ? {} : { repo } }),
  });

type Which = Pick<Review, 'type' | 'run_id' | 'repo'>;

const requested = ({ type, run_id, repo }: Which) => ({
  params: { type, runId: String(run_id) },
  query: { repo },
});

/** Reads the findings of one review. */
export const reviewQuery = (which: Which) =>
  queryOptions({
    queryKey: ['reviews', 'one', which.repo, which.type, which.run_id],
    queryFn: () => call('reviews.one', requested(which)),
  });

/** Reads the comments on the reviewed change on the code host. Only on request, as it costs more reads. */
export const detailQuery = (which: Which) =>
  queryOptions({
    queryKey: ['reviews', 'detail', which.repo, which.type, which.run_id],
    queryFn: () => call('reviews.detail', requested(which)),
    staleTime: 30_000,
  });
