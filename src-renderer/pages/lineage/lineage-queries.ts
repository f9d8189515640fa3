import { queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';

export type LineageAnswer = CallAnswer<RouteOf<'delivery.lineage'>>;

/** Every image and how far its newest commit is; with a repository only its own. */
export const imagesQuery = (target: string | undefined, repo: string | undefined) =>
  queryOptions({
    queryKey: ['lineage', target, 'images', repo],
    queryFn: () => call('delivery.lineage', { query: { target, repo } }),
  });

/** Reads how far one commit got. Without a repository, all repositories known to the console are searched. */
export const shippedQuery = (target: string | undefined, sha: string, repo: string | undefined) =>
  queryOptions({
    queryKey: ['lineage', target, 'commit', sha, repo],
    queryFn: () => call('delivery.lineage', { query: { target, sha, repo } }),
  });
