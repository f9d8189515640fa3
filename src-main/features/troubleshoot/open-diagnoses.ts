import type { Symptom } from '#shared/api/symptoms.ts';
import { diagnose } from './diagnose.ts';
import { createDiagnosisRuns, type DiagnosisRuns, type RunOptions } from './runs.ts';

/** The diagnoses of a console. `catalogue` is read when it is first needed. */
export function openDiagnoses(
  options: RunOptions & { readonly catalogue: () => readonly Symptom[] },
): DiagnosisRuns {
  const { catalogue, now } = options;
  return createDiagnosisRuns(
    // A catalogue that cannot be read fails the diagnosis, not who asks for it in passing.
    async (target, request) => diagnose(target, { ...request, catalogue: catalogue(), now }),
    options,
  );
}
