import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Platform } from '#shared/api/system.ts';
import { platformQuery } from './queries.ts';
import { useReading } from './reading.tsx';

/** How often the platform is read while the page is visible, in milliseconds; sooner while it does not answer. */
const everyMs = 30_000;
const everyMsWhileSilent = 5_000;

/** What the console is attached to, kept fresh. */
export function usePlatform(): UseQueryResult<Platform> {
  const { every } = useReading();
  return useQuery({
    ...platformQuery,
    refetchInterval: (query) => every(query.state.status === 'error' ? everyMsWhileSilent : everyMs),
  });
}
