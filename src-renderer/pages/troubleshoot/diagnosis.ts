import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DiagnosisProgress, Report } from '#shared/api/troubleshoot.ts';
import { CallFailed } from '../../core/call-route.ts';
import { isRefusal } from '../../core/events/read-stream.ts';
import { follow } from '../../core/follow.ts';
import { type DiagnosisRun, keptRuns } from './diagnosis-runs.ts';
import { begun, type DiagnosisWork, withProgress } from './diagnosis-work.ts';

const keyOf = (part: 'report' | 'work' | 'runs', target: string) => ['troubleshoot', part, target] as const;

/**
 * Progress of a target's diagnosis, or its last progress if it was stopped. Written by the diagnosis, never fetched.
 */
export const workQuery = (target: string) =>
  queryOptions<DiagnosisWork | undefined>({
    queryKey: keyOf('work', target),
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** The last diagnoses of a target, the newest first. They live as long as the window. */
export const runsQuery = (target: string) =>
  queryOptions<readonly DiagnosisRun[] | undefined>({
    queryKey: keyOf('runs', target),
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });

/**
 * The diagnosis of a target. It is long work, so nothing but the person or an old report starts it again: its key is not of
 * those that a change in the cluster reads anew. Leaving the page ends one that runs.
 */
export const diagnosisQuery = (target: string) =>
  queryOptions({
    queryKey: keyOf('report', target),
    queryFn: async ({ client, signal }): Promise<Report> => {
      const workKey = keyOf('work', target);
      let work = begun(Date.now());
      client.setQueryData<DiagnosisWork>(workKey, work);
      const report = await followDiagnosis(target, signal, (progress) => {
        work = withProgress(work, progress);
        client.setQueryData<DiagnosisWork>(workKey, work);
      });
      if (report.source !== 'unavailable') {
        const run = { at: Date.now(), findings: report.findings };
        client.setQueryData<readonly DiagnosisRun[]>(keyOf('runs', target), (before = []) =>
          keptRuns(before, run),
        );
      }
      return report;
    },
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Stops a diagnosis that runs; what was found before it stays. */
export function stopDiagnosis(client: QueryClient, target: string): void {
  client.cancelQueries({ queryKey: keyOf('report', target) });
  client.setQueryData<DiagnosisWork>(keyOf('work', target), (work) =>
    work === undefined ? undefined : { ...work, stopped: true },
  );
}

/** Follows a diagnosis to its report. Throws `CallFailed` when it is refused, or ends without one. */
async function followDiagnosis(
  target: string,
  signal: AbortSignal,
  onProgress: (progress: DiagnosisProgress) => void,
): Promise<Report> {
  let heard = false;
  const last = await follow(
    'troubleshoot.run',
    { query: { target } },
    {
      signal,
      on: {
        progress(progress) {
          heard = true;
          onProgress(progress);
        },
      },
      isLast: ({ event }) => event === 'report',
      // A diagnosis that is asked for again starts from the beginning.
      reconnects: false,
    },
  ).catch((error: unknown) => {
    if (signal.aborted || isRefusal(error)) throw error;
  });
  if (last?.event === 'report') return last.data;
  throw new CallFailed(
    'Unavailable',
    heard
      ? 'The console ended the diagnosis before its report.'
      : 'The console did not start the diagnosis. Is it still running?',
    200,
  );
}
