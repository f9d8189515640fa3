import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Platform } from '#shared/api/system.ts';
import { platformQuery } from './queries.ts';
import { useReading } from './reading.tsx';

/** Refresh interval while the page is visible, in milliseconds; shorter while the platform does not answer. */
const everyMs = 30_000;
const everyMsWhileSilent = 5_000;

/** Reads the platform the console is attached to and keeps it fresh. */
export function usePlatform(): UseQueryResult<Platform> {
  const { every } = useReading();
  return useQuery({
    ...platformQuery,
    refetchInterval: (query) => every(query.state.status === 'error' ? everyMsWhileSilent : everyMs),
  });
}
