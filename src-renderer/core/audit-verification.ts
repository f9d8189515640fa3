import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AuditVerification } from '#shared/api/audit.ts';
import { CallFailed } from './call-route.ts';
import { isRefusal } from './events/read-stream.ts';
import { follow } from './follow.ts';

/** Progress of a walk of the audit chain. Times in epoch milliseconds. */
export type WalkProgress = {
  readonly checked: number;
  /** Records there are; 0 until the console has said. */
  readonly total: number;
  readonly startedAt: number;
  readonly at: number;
  /** True when the person stopped it. */
  readonly stopped: boolean;
};

const progressKey = ['audit', 'walk'] as const;

/** Progress of the walk, or its last progress if it stopped. Written by the walk, never fetched. */
export const walkProgressQuery = queryOptions<WalkProgress | undefined>({
  queryKey: progressKey,
  enabled: false,
  gcTime: Number.POSITIVE_INFINITY,
});

/**
 * A walk of the whole chain. It runs only when asked for, and its result stays until the next: leaving the audit page
 * ends a walk that still runs, because nobody would see what it finds.
 */
export const verificationQuery = queryOptions({
  queryKey: ['audit', 'verification'],
  queryFn: async ({ client, signal }): Promise<AuditVerification> => {
    const startedAt = Date.now();
    const tell = (checked: number, total: number) =>
      client.setQueryData<WalkProgress>(progressKey, {
        checked,
        total,
        startedAt,
        at: Date.now(),
        stopped: false,
      });
    tell(0, 0);
    return walkChain(signal, tell);
  },
  gcTime: Number.POSITIVE_INFINITY,
  staleTime: 0,
  enabled: false,
});

/** Walks the chain now. What goes wrong is in the query's state. */
export async function startVerification(client: QueryClient): Promise<void> {
  await client.prefetchQuery(verificationQuery);
  // The console remembers what the walk found; and a walk that was refused says so on the page that asked.
  await client.invalidateQueries({ queryKey: ['audit', 'newest'] });
}

/** Stops a walk that runs; what was found before it stays. */
export function stopVerification(client: QueryClient): void {
  client.cancelQueries({ queryKey: verificationQuery.queryKey });
  client.setQueryData<WalkProgress>(progressKey, (walk) =>
    walk === undefined ? undefined : { ...walk, at: Date.now(), stopped: true },
  );
}

/** Follows the walk's own events to its result. Throws `CallFailed` when it is refused, or ends without one. */
async function walkChain(
  signal: AbortSignal,
  tell: (checked: number, total: number) => void,
): Promise<AuditVerification> {
  let checked = 0;
  const last = await follow(
    'audit.verify',
    {},
    {
      signal,
      on: {
        progress(progress) {
          checked = progress.checked;
          tell(checked, progress.total);
        },
      },
      isLast: ({ event }) => event === 'result',
      // A walk that is asked for again starts from the first record.
      reconnects: false,
    },
  ).catch((error: unknown) => {
    if (signal.aborted || isRefusal(error)) throw error;
  });
  if (last?.event === 'result') return last.data;
  throw new CallFailed(
    'Unavailable',
    checked === 0
      ? 'The console did not start the verification.'
      : `The console stopped the verification after ${checked.toLocaleString('en')} records.`,
    200,
  );
}
