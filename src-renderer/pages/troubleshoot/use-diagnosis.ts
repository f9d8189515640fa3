import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Report } from '#shared/api/troubleshoot.ts';
import { diagnosisQuery, runsQuery, stopDiagnosis, workQuery } from './diagnosis.ts';
import type { DiagnosisRun } from './diagnosis-runs.ts';
import type { DiagnosisWork } from './diagnosis-work.ts';

/** Milliseconds for which a report of a live cluster is shown before a new one is made. */
const freshMs = 60_000;

const noRuns: readonly DiagnosisRun[] = [];

/** The target to diagnose. */
export type DiagnosedTarget = {
  readonly id: string;
  readonly name: string;
  /** True for a bundle: it does not change. */
  readonly fixed: boolean;
};

/** The diagnosis of one target as the page handles it. */
export type Diagnosis = {
  /** The last report; stays while a new one is made. */
  readonly report: Report | undefined;
  /** Time it arrived, in epoch milliseconds. */
  readonly reportedAt: number;
  readonly error: Error | null;
  readonly running: boolean;
  /** Its progress, or its last progress if it was stopped. */
  readonly work: DiagnosisWork | undefined;
  readonly runs: readonly DiagnosisRun[];
  readonly start: () => void;
  readonly stop: () => void;
};

/** Diagnoses a target, once when the page opens and again when asked; undefined diagnoses nothing. */
export function useDiagnosis(target: string | undefined, fixed: boolean): Diagnosis {
  const client = useQueryClient();
  const name = target ?? '';
  const {
    data: report,
    dataUpdatedAt: reportedAt,
    error,
    isFetching: running,
    refetch,
  } = useQuery({
    ...diagnosisQuery(name),
    enabled: target !== undefined,
    // What is in a bundle does not change.
    staleTime: fixed ? Number.POSITIVE_INFINITY : freshMs,
  });
  const { data: work } = useQuery(workQuery(name));
  const { data: runs = noRuns } = useQuery(runsQuery(name));
  const start = useCallback(() => void refetch(), [refetch]);
  const stop = useCallback(() => stopDiagnosis(client, name), [client, name]);
  return useMemo(
    () => ({ report, reportedAt, error, running, work, runs, start, stop }),
    [report, reportedAt, error, running, work, runs, start, stop],
  );
}
