import type { DiagnosisProgress, Report } from '#shared/api/troubleshoot.ts';
import type { Cluster, OpenTarget } from '../../sources/cluster/index.ts';

/** The troubleshooter's current knowledge of a cluster, available without waiting. */
export type Diagnosed = {
  /** Result of the last diagnosis; undefined before the first. */
  readonly last: { readonly report: Report; readonly at: number } | undefined;
  readonly running: boolean;
};

/**
 * Returns what was last found in a target, without waiting; never throws. Begins a diagnosis in the background when that
 * is older than `oldest` (ms), or when there was none. A bundle, which does not change, is diagnosed once.
 */
export type LastDiagnosis = (target: OpenTarget, oldest: number) => Diagnosed;

/** An event sent to the caller, in order; the report is the last. */
export type RunEvent =
  | { readonly event: 'progress'; readonly data: DiagnosisProgress }
  | { readonly event: 'report'; readonly data: Report };

type Run = {
  readonly ending: AbortController;
  readonly report: Promise<Report>;
  readonly listeners: Set<() => void>;
  readonly progressState: {
    /** The newest one; what was found so far is kept in it. */
    progress: DiagnosisProgress | undefined;
    ended: boolean;
    /** True when no caller waits for it any longer. */
    givenUp: boolean;
  };
  callers: number;
  /** Begun without anybody asking for it: what has not changed is not read again. */
  readonly background: boolean;
};

export type DiagnosisRuns = {
  /** Begins a diagnosis, or joins the one of this target that runs. Ends when the signal aborts. */
  follow(target: OpenTarget, signal: AbortSignal): AsyncGenerator<RunEvent>;
  readonly last: LastDiagnosis;
  /** Settles when no diagnosis is running: its reads must not outlive their source. */
  settled(): Promise<void>;
};

export type RunOptions = {
  /** Epoch ms. */
  readonly now: () => number;
  /** Ends what runs in the background. */
  readonly closing: AbortSignal;
};

type Diagnose = (
  target: OpenTarget,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: DiagnosisProgress) => void;
    readonly background: boolean;
  },
) => Promise<Report>;

/**
 * Delay between an incidental request and the start of a diagnosis in the background, in ms: the visible page
 * comes first.
 */
const backgroundAfter = 5000;
/** Longest time a diagnosis may take in the background, in ms; its report is what was found by then. */
const backgroundFor = 60_000;

/**
 * Runs one diagnosis at a time for each cluster: it reads a lot, and all callers meanwhile want the same one.
 */
export function createDiagnosisRuns(diagnose: Diagnose, { now, closing }: RunOptions): DiagnosisRuns {
  const running = new WeakMap<Cluster, Run>();
  const unsettled = new Set<Promise<unknown>>();
  const reports = new WeakMap<Cluster, NonNullable<Diagnosed['last']>>();
  /** Start of the last diagnosis in the background, whether or not it succeeded. */
  const tried = new WeakMap<Cluster, number>();

  const begin = (target: OpenTarget, background: boolean): Run => {
    const ending = new AbortController();
    const listeners = new Set<() => void>();
    const progressState: Run['progressState'] = { progress: undefined, ended: false, givenUp: false };
    const wake = (): void => {
      for (const listener of listeners) listener();
    };
    const report = diagnose(target, {
      background,
      signal: ending.signal,
      onProgress(progress) {
        const findings = progress.findings ?? progressState.progress?.findings;
        progressState.progress = { ...progress, ...(findings === undefined ? {} : { findings }) };
        wake();
      },
    }).finally(() => {
      progressState.ended = true;
      unsettled.delete(report);
      if (running.get(target.cluster)?.report === report) running.delete(target.cluster);
      wake();
    });
    unsettled.add(report);
    report.then(
      // One that was given up says less than the one before it.
      (made) => {
        if (made.source !== 'unavailable' && !progressState.givenUp)
          reports.set(target.cluster, { report: made, at: now() });
      },
      // Whoever follows awaits it; when nobody is left its failure is nobody's.
      () => undefined,
    );
    const run: Run = { ending, listeners, report, progressState, callers: 0, background };
    running.set(target.cluster, run);
    return run;
  };

  /** Runs a diagnosis that no caller follows, within its time limit. */
  const inBackground = (target: OpenTarget): void => {
    if (running.has(target.cluster) || closing.aborted) return;
    const run = begin(target, true);
    run.callers += 1;
    const stop = (): void => run.ending.abort();
    const limit = setTimeout(stop, backgroundFor);
    limit.unref();
    closing.addEventListener('abort', stop);
    const end = (): void => {
      clearTimeout(limit);
      closing.removeEventListener('abort', stop);
      run.callers -= 1;
    };
    run.report.then(end, end);
  };

  /** The one that somebody asked for; one in the background, which reads less, gives way to it. */
  const toFollow = (target: OpenTarget): Run => {
    const found = running.get(target.cluster);
    if (found === undefined) return begin(target, false);
    if (!found.background) return found;
    found.progressState.givenUp = true;
    found.ending.abort();
    return begin(target, false);
  };

  return {
    async *follow(target, signal) {
      const run = toFollow(target);
      run.callers += 1;
      let wake = (): void => undefined;
      const listener = (): void => wake();
      run.listeners.add(listener);
      signal.addEventListener('abort', listener);
      try {
        let sent: DiagnosisProgress | undefined;
        while (!signal.aborted) {
          const changed = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const { progress } = run.progressState;
          if (progress !== undefined && progress !== sent) {
            const { findings, ...step } = progress;
            // What this caller has been told is not told again with every step.
            yield { event: 'progress', data: findings === sent?.findings ? step : progress };
            sent = progress;
            continue;
          }
          if (run.progressState.ended) {
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
        if (run.callers === 0 && !run.progressState.ended) {
          run.progressState.givenUp = true;
          run.ending.abort();
          if (running.get(target.cluster) === run) running.delete(target.cluster);
        }
      }
    },
    last(target, oldest) {
      const { cluster } = target;
      const last = reports.get(cluster);
      const since = Math.max(
        last?.at ?? Number.NEGATIVE_INFINITY,
        tried.get(cluster) ?? Number.NEGATIVE_INFINITY,
      );
      const old = cluster.takenAt === undefined || last === undefined ? now() - since > oldest : false;
      if (old && !running.has(cluster)) {
        tried.set(cluster, now());
        setTimeout(() => inBackground(target), backgroundAfter).unref();
      }
      return { last, running: running.has(cluster) };
    },
    async settled() {
      await Promise.allSettled([...unsettled]);
    },
  };
}
