import type { DiagnosisProgress, Report } from '#shared/api/troubleshoot.ts';
import type { Cluster, OpenTarget } from '../../sources/cluster/index.ts';

/** What a caller is told, in order; the report is the last. */
export type Told =
  | { readonly event: 'progress'; readonly data: DiagnosisProgress }
  | { readonly event: 'report'; readonly data: Report };

type Run = {
  readonly ending: AbortController;
  readonly report: Promise<Report>;
  readonly listeners: Set<() => void>;
  readonly told: {
    /** The newest one; what was found so far is kept in it. */
    progress: DiagnosisProgress | undefined;
    ended: boolean;
  };
  callers: number;
};

export type DiagnosisRuns = {
  /** Begins a diagnosis, or joins the one of this target that runs. Ends when the signal aborts. */
  follow(target: OpenTarget, signal: AbortSignal): AsyncGenerator<Told>;
};

type Diagnose = (
  target: OpenTarget,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: DiagnosisProgress) => void },
) => Promise<Report>;

/** One diagnosis at a time for each cluster: it reads much, and whoever asks meanwhile wants the same. */
export function createDiagnosisRuns(diagnose: Diagnose): DiagnosisRuns {
  const running = new WeakMap<Cluster, Run>();

  const begin = (target: OpenTarget): Run => {
    const ending = new AbortController();
    const listeners = new Set<() => void>();
    const told: Run['told'] = { progress: undefined, ended: false };
    const wake = (): void => {
      for (const listener of listeners) listener();
    };
    const report = diagnose(target, {
      signal: ending.signal,
      onProgress(progress) {
        const findings = progress.findings ?? told.progress?.findings;
        told.progress = { ...progress, ...(findings === undefined ? {} : { findings }) };
        wake();
      },
    }).finally(() => {
      told.ended = true;
      if (running.get(target.cluster)?.report === report) running.delete(target.cluster);
      wake();
    });
    // Whoever follows awaits it; when nobody is left its failure is nobody's.
    report.catch(() => undefined);
    const run = { ending, listeners, report, told, callers: 0 };
    running.set(target.cluster, run);
    return run;
  };

  return {
    async *follow(target, signal) {
      const run = running.get(target.cluster) ?? begin(target);
      run.callers += 1;
      let wake = (): void => undefined;
      const listener = (): void => wake();
      run.listeners.add(listener);
      signal.addEventListener('abort', listener);
      try {
        let told: DiagnosisProgress | undefined;
        while (!signal.aborted) {
          const changed = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const { progress } = run.told;
          if (progress !== undefined && progress !== told) {
            const { findings, ...step } = progress;
            // What this caller has been told is not told again with every step.
            yield { event: 'progress', data: findings === told?.findings ? step : progress };
            told = progress;
            continue;
          }
          if (run.told.ended) {
            yield { event: 'report', data: await run.report };
            return;
          }
          await changed;
        }
      } finally {
        run.listeners.delete(listener);
        signal.removeEventListener('abort', listener);
        run.callers -= 1;
        // Nobody waits for it any more.
        if (run.callers === 0 && !run.told.ended) {
          run.ending.abort();
          if (running.get(target.cluster) === run) running.delete(target.cluster);
        }
      }
    },
  };
}
