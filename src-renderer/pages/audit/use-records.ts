import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { AuditFilter, AuditItem, AuditVerdict } from '#shared/api/audit.ts';
import { useReading } from '../../core/reading.tsx';
import { newestQuery, type RecordPages, recordsQuery, withNewest } from './audit-queries.ts';

/** Refresh interval of the newest page while the page is visible, in milliseconds. */
const everyMs = 10_000;

/** The list as far as it was read. */
export type Records = {
  /** Newest first. */
  readonly items: readonly AuditItem[];
  readonly verdict: AuditVerdict | undefined;
  /** True until the first page under this filter is read. */
  readonly pending: boolean;
  /** True while the rows are those of the filter before. */
  readonly outdated: boolean;
  /** Error of the first read. */
  readonly error: Error | null;
  /** Error of the last refresh; the rows stay. */
  readonly notReadAgain: Error | null;
  readonly complete: boolean;
  readonly unmeasured: readonly string[];
  readonly older: 'more' | 'reading' | 'failed' | 'none';
  readOlder(): void;
  retry(): void;
};

/** Reads the records under a filter, older ones as they are asked for, newer ones as they are written. */
export function useRecords(filter: AuditFilter): Records {
  const client = useQueryClient();
  const { every } = useReading();
  const records = useInfiniteQuery({ ...recordsQuery(filter), placeholderData: keepPreviousData });
  const first = records.isPlaceholderData ? undefined : records.data?.pages[0];
  const newest = useQuery({
    ...newestQuery(filter),
    enabled: first !== undefined,
    refetchInterval: every(everyMs),
    ...(first !== undefined && { initialData: first, initialDataUpdatedAt: records.dataUpdatedAt }),
  });
  const seen = newest.data;
  useEffect(() => {
    if (seen === undefined) return;
    client.setQueryData<RecordPages>(recordsQuery(filter).queryKey, (known) =>
      known === undefined ? known : withNewest(known, seen),
    );
  }, [client, filter, seen]);
  const items = useMemo(() => records.data?.pages.flatMap((page) => page.items) ?? [], [records.data]);
  const latest = seen ?? records.data?.pages[0];
  const { fetchNextPage, refetch } = records;
  return {
    items,
    verdict: latest?.verdict,
    pending: records.isPending,
    outdated: records.isPlaceholderData,
    error: records.data === undefined ? records.error : null,
    notReadAgain: newest.error,
    complete: latest?.complete ?? true,
    unmeasured: latest?.unmeasured ?? [],
    older: olderState(records),
    readOlder: () => void fetchNextPage({ cancelRefetch: false }),
    retry: () => void refetch(),
  };
}

function olderState(records: {
  isFetchNextPageError: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
}): Records['older'] {
  if (records.isFetchingNextPage) return 'reading';
  if (records.isFetchNextPageError) return 'failed';
  return records.hasNextPage ? 'more' : 'none';
}
