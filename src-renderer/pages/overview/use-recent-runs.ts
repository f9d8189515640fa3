import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import { useNow } from '../../core/use-now.ts';
import { type RunsAnswer, recentRunsQuery } from './overview-queries.ts';

const hourMs = 3_600_000;
const hours = 24;

/** Refresh interval of the runs, in milliseconds. */
const everyMs = 30_000;

/** Runs of the last 24 hours, this one included. */
export type RecentRuns = {
  readonly query: UseQueryResult<RunsAnswer>;
  /** Start of the first hour, in epoch milliseconds. */
  readonly since: number;
  readonly hours: number;
  readonly hourMs: number;
};

/** Reads the runs of whole hours, so that the question stays the same for an hour. */
export function useRecentRuns(): RecentRuns {
  const { every } = useReading();
  const target = useClusterTarget();
  const now = useNow(60_000);
  const since = (Math.floor(now / hourMs) - hours + 1) * hourMs;
  const query = useQuery({
    ...recentRunsQuery(target, new Date(since).toISOString()),
    refetchInterval: every(everyMs),
  });
  return { query, since, hours, hourMs };
}
