import { useEffect, useRef } from 'react';
import { formatCount } from '../../components/format-quantity.ts';
import { announce } from '../../core/announce.ts';
import type { Diagnosis } from './use-diagnosis.ts';

/** Says to a screen reader what the strip shows: the step of a diagnosis, and how it ended. */
export function useDiagnosisNews({ running, work, report, error }: Diagnosis): void {
  const step = running ? (work?.now ?? 'Diagnosing') : undefined;
  const isStopped = work?.stopped === true;
  const found = report?.findings.length ?? 0;
  const ran = useRef(false);
  useEffect(() => {
    if (step !== undefined) announce(step);
    else if (ran.current) announce(endLabel(isStopped, error !== null, found));
    ran.current = step !== undefined;
  }, [step, isStopped, error, found]);
}

function endLabel(isStopped: boolean, isFailed: boolean, found: number): string {
  if (isStopped) return 'Diagnosis stopped';
  return isFailed ? 'Diagnosis failed' : `Diagnosis done: ${formatCount(found, 'finding')}`;
}
