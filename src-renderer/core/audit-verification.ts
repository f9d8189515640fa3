import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AuditVerification, auditProgress, auditVerification } from '#shared/api/audit.ts';
import { CallFailed, pathOf } from './api.ts';

/** How far a walk of the audit chain is. Times in epoch milliseconds. */
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

/** How far the walk is, or was when it stopped. Written by the walk, never read from the console. */
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

/** Follows the walk's own events to its result. Throws `CallFailed` when they end without one. */
function walkChain(
  signal: AbortSignal,
  tell: (checked: number, total: number) => void,
): Promise<AuditVerification> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(pathOf('audit.verify'));
    let checked = 0;
    const fail = (label: string) => {
      events.close();
      reject(new CallFailed('Unavailable', label, 200));
    };
    signal.addEventListener('abort', () => {
      events.close();
      reject(signal.reason);
    });
    events.addEventListener('progress', ({ data }) => {
      const progress = auditProgress.safeParse(parsed(data));
      if (!progress.success) return fail('The progress of the walk was not understood.');
      checked = progress.data.checked;
      tell(checked, progress.data.total);
    });
    events.addEventListener('result', ({ data }) => {
      const result = auditVerification.safeParse(parsed(data));
      if (!result.success) return fail('The result of the walk was not understood.');
      events.close();
      resolve(result.data);
    });
    // An event source would ask again by itself, and the walk would start from the first record.
    events.addEventListener('error', () =>
      fail(
        checked === 0
          ? 'The console did not begin the walk.'
          : `The console ended the walk after ${checked.toLocaleString('en')} records.`,
      ),
    );
  });
}

function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
