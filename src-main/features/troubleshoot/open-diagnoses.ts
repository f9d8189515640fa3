import type { Symptom } from '#shared/api/symptoms.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import { diagnose } from './diagnose.ts';
import { createLogMemory, type LogMemory } from './logs/log-memory.ts';
import { createDiagnosisRuns, type DiagnosisRuns, type RunOptions } from './runs.ts';

/** The diagnoses of a console. `catalogue` is read when it is first needed. */
export function openDiagnoses(
  options: RunOptions & { readonly catalogue: () => readonly Symptom[] },
): DiagnosisRuns {
  const { catalogue, now } = options;
  const memories = new WeakMap<Cluster, LogMemory>();
  return createDiagnosisRuns(
    // A catalogue that cannot be read fails the diagnosis, not who asks for it in passing.
    async (target, request) => {
      const memory = memories.get(target.cluster) ?? createLogMemory();
      memories.set(target.cluster, memory);
      return diagnose(target, { ...request, catalogue: catalogue(), now, memory });
    },
    options,
  );
}
