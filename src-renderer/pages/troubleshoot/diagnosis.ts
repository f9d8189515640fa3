import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { diagnosisProgress, type Report, report as reportShape } from '#shared/api/troubleshoot.ts';
import { CallFailed, call, pathOf } from '../../core/api.ts';
import { type DiagnosisRun, keptRuns } from './diagnosis-runs.ts';
import { begun, type DiagnosisWork, withProgress } from './diagnosis-work.ts';

const keyOf = (part: 'report' | 'work' | 'runs', target: string) => ['troubleshoot', part, target] as const;

/** How far the diagnosis of a target is, or was when it was stopped. Written by the diagnosis, never read. */
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
      const report = await followDiagnosis(target, signal, (data) => {
        const progress = diagnosisProgress.safeParse(data);
        if (!progress.success) return false;
        work = withProgress(work, progress.data);
        client.setQueryData<DiagnosisWork>(workKey, work);
        return true;
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

/** Follows a diagnosis to its report. `onProgress` answers false for what it does not understand. Throws `CallFailed`. */
function followDiagnosis(
  target: string,
  signal: AbortSignal,
  onProgress: (data: unknown) => boolean,
): Promise<Report> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`${pathOf('troubleshoot.run')}?${new URLSearchParams({ target })}`);
    let heard = false;
    const fail = (label: string) => {
      events.close();
      reject(new CallFailed('Unavailable', label, 200));
    };
    signal.addEventListener('abort', () => {
      events.close();
      reject(signal.reason);
    });
    events.addEventListener('progress', ({ data }) => {
      heard = true;
      if (!onProgress(parsed(data))) fail('The progress of the diagnosis was not understood.');
    });
    events.addEventListener('report', ({ data }) => {
      const result = reportShape.safeParse(parsed(data));
      if (!result.success) return fail('The report of the diagnosis was not understood.');
      events.close();
      resolve(result.data);
    });
    events.addEventListener('error', () => {
      const refused = events.readyState === EventSource.CLOSED && !heard;
      // An event source would ask again by itself, and the diagnosis would start from the beginning.
      events.close();
      if (signal.aborted) return;
      if (!refused) {
        return fail(
          heard
            ? 'The console ended the diagnosis before its report.'
            : 'The console did not begin the diagnosis. Is it still running?',
        );
      }
      // An event source does not tell why it was refused; a plain call does.
      call('troubleshoot.run', { query: { target } }).then(resolve, reject);
    });
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
