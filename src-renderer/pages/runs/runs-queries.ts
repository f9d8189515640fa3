import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import type { Run } from '#shared/api/runs.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import type { RunFilter } from './run-filter.ts';

/** A page of the list as the console gave it. */
export type RunsPage = CallAnswer<RouteOf<'runs.list'>>;
/** Pages loaded so far, newest first. Page parameters are cursors; the newest page has ''. */
export type RunPages = InfiniteData<RunsPage, string>;

const limit = '200';

/** The runs under a filter, page by page towards the oldest. */
export const runsQuery = (target: string | undefined, filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ['runs', target, 'pages', filter],
    queryFn: ({ pageParam }) =>
      call('runs.list', {
        query: { ...filter, target, limit, ...(pageParam !== '' && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page: RunsPage) => page.next_cursor,
    // Read again through the newest page only: it holds what still changes.
    staleTime: (query) => (query.state.data === undefined ? 0 : 'static'),
  });

/** The newest page again, to see what began and ended since. */
export const newestQuery = (target: string | undefined, filter: RunFilter) =>
  queryOptions({
    queryKey: ['runs', target, 'newest', filter],
    queryFn: () => call('runs.list', { query: { ...filter, target, limit } }),
  });

/** True when a run stands below another in the list, which goes by its begin and then by its id. */
const isBelow = (run: Run, other: Run): boolean =>
  run.started === other.started ? run.id > other.id : Date.parse(run.started) < Date.parse(other.started);

/**
 * The pages read so far with the newest page in the place of what it covers. When it does not reach what was known, the
 * list starts anew with it; one that could not be read leaves the known runs as they were.
 */
export function withNewest(known: RunPages, newest: RunsPage): RunPages {
  const alone: RunPages = { pages: [newest], pageParams: [''] };
  const runs = known.pages.flatMap(({ items }) => items);
  if (newest.source === 'unavailable') return runs.length === 0 ? alone : known;
  const last = newest.items.at(-1);
  if (newest.next_cursor === undefined || last === undefined || known.pages.length < 2) return alone;
  const covered = new Set(newest.items.map(({ id }) => id));
  if (!runs.some(({ id }) => covered.has(id))) return alone;
  const [, ...older] = known.pages;
  const rest = older.map((page) => ({
    ...page,
    items: page.items.filter((run) => !covered.has(run.id) && isBelow(run, last)),
  }));
  // Runs of the first page that newer ones pushed out of it.
  const pushed = known.pages[0]?.items.filter((run) => !covered.has(run.id) && isBelow(run, last)) ?? [];
  return {
    pages: [{ ...newest, items: [...newest.items, ...pushed] }, ...rest],
    pageParams: known.pageParams,
  };
}
