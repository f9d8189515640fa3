import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditFilter } from '#shared/api/audit.ts';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';

/** A page of the chain as the console gave it. */
export type AuditPage = CallAnswer<RouteOf<'audit.list'>>;
/** Pages loaded so far, newest first. Page parameters are cursors; the newest page has ''. */
export type RecordPages = InfiniteData<AuditPage, string>;

const pageSize = '200';

/** The records under a filter, page by page towards the oldest. A record never changes: what was read stays read. */
export const recordsQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'records', filter],
    queryFn: ({ pageParam }) =>
      call('audit.list', {
        query: { ...filter, limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page: AuditPage) => page.next_cursor,
    staleTime: (query) => (query.state.data === undefined ? 0 : 'static'),
  });

/** The newest page again, to see what was written since and what the console says of the chain now. */
export const newestQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', 'newest', filter],
    queryFn: () => call('audit.list', { query: { ...filter, limit: pageSize } }),
  });

/** One record in full. */
export const recordQuery = (seq: number) =>
  queryOptions({
    queryKey: ['audit', 'record', seq],
    queryFn: () => call('audit.record', { params: { seq: String(seq) } }),
  });

/** The pages read so far with what the newest page has beyond them. A page that does not reach them starts anew. */
export function withNewest(known: RecordPages, newest: AuditPage): RecordPages {
  const top = known.pages.find(({ items }) => items.length > 0)?.items[0];
  if (top === undefined) {
    return newest.items.length === 0 ? known : { pages: [newest], pageParams: [''] };
  }
  const fresh = newest.items.filter(({ seq }) => seq > top.seq);
  if (fresh.length === 0) return known;
  const reaches = newest.next_cursor === undefined || newest.items.some(({ seq }) => seq === top.seq);
  if (!reaches) return { pages: [newest], pageParams: [''] };
  return {
    pages: [{ ...newest, items: fresh }, ...known.pages],
    pageParams: ['', ...known.pageParams],
  };
}
