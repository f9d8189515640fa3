import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Run } from '#shared/api/runs.ts';
import type { SourceQuery } from '../../components/answer-view.tsx';
import { isUnderWay } from '../../components/run-state.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import type { RunFilter } from './run-filter.ts';
import { newestQuery, type RunPages, type RunsPage, runsQuery, withNewest } from './runs-queries.ts';

/** Refresh interval of the newest page while the page is visible, in milliseconds; shorter while something runs. */
const everyMs = 60_000;
const everyMsWhileRunning = 15_000;

/** The list as far as it was read. */
export type Runs = {
  /** Newest first. */
  readonly items: readonly Run[];
  /** Last answer about the list as a whole. */
  readonly query: SourceQuery<RunsPage>;
  /** Time the newest page was read, in this machine's epoch ms. */
  readonly readAt: number;
  /** True while the rows are those of the filter before. */
  readonly outdated: boolean;
  readonly older: 'more' | 'reading' | 'failed' | 'none';
  readOlder(): void;
};

/** Reads the runs under a filter, older ones as they are asked for, and what changes as it does. */
export function useRuns(filter: RunFilter): Runs {
  const client = useQueryClient();
  const { every } = useReading();
  const target = useClusterTarget();
  const pages = useInfiniteQuery({ ...runsQuery(target, filter), placeholderData: keepPreviousData });
  const first = pages.isPlaceholderData ? undefined : pages.data?.pages[0];
  const newest = useQuery({
    ...newestQuery(target, filter),
    enabled: first !== undefined,
    refetchInterval: (query) => {
      const runs = query.state.data?.items.some(({ state }) => isUnderWay(state)) === true;
      return every(runs ? everyMsWhileRunning : everyMs);
    },
    ...(first !== undefined && { initialData: first, initialDataUpdatedAt: pages.dataUpdatedAt }),
  });
  const seen = newest.data;
  useEffect(() => {
    if (seen === undefined) return;
    client.setQueryData<RunPages>(runsQuery(target, filter).queryKey, (known) =>
      known === undefined ? known : withNewest(known, seen),
    );
  }, [client, target, filter, seen]);
  const items = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  const { fetchNextPage, refetch } = pages;
  const latest = seen ?? pages.data?.pages[0];
  // Runs that were read stay on the page when a later reading fails, under where they came from and why it failed.
  const from = pages.data?.pages[0]?.source;
  const kept = latest?.source === 'unavailable' && items.length > 0 && from !== undefined;
  const data = kept ? { ...latest, source: from } : latest;
  return {
    items,
    query: {
      data,
      error: pages.data === undefined ? pages.error : newest.error,
      isFetching: pages.isFetching || newest.isFetching,
      refetch: () => void (pages.data === undefined ? refetch() : newest.refetch()),
    },
    readAt: newest.dataUpdatedAt || pages.dataUpdatedAt,
    outdated: pages.isPlaceholderData,
    older: pages.isFetchingNextPage
      ? 'reading'
      : pages.isFetchNextPageError
        ? 'failed'
        : pages.hasNextPage
          ? 'more'
          : 'none',
    readOlder: () => void fetchNextPage({ cancelRefetch: false }),
  };
}
