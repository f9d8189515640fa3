import { patternsOf } from '../../../src-main/features/troubleshoot/catalogue/check-symptoms.ts';
import type { Clause, Symptom } from '../../../src-shared/api/symptoms.ts';
import { mostSteps, stepsOf } from './pattern-cost.ts';

/**
 * Returns a sentence for each pattern of a symptom that could run away on a line made to be slow, or that cannot be proved
 * not to. The catalogue ships with the program: what a test proves of it holds wherever it is read.
 */
export function patternFaults({ look_for, unless }: Pick<Symptom, 'look_for' | 'unless'>): string[] {
  return [...clauseFaults('look_for', look_for), ...clauseFaults('unless', unless)];
}

function clauseFaults(list: string, clauses: readonly Clause[]): string[] {
  return clauses.flatMap((clause, index) =>
    patternsOf(clause).flatMap(({ field, source }) => {
      const why = slowness(source);
      return why === undefined ? [] : [`${list}.${index}.${field} ${why}.`];
    }),
  );
}

function slowness(source: string): string | undefined {
  try {
    const steps = stepsOf(source);
    return steps <= mostSteps
      ? undefined
      : `may take ${Math.ceil(steps / 1_000_000)} million steps on one line, and ${mostSteps / 1_000_000} million are allowed: bound its repetitions`;
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be judged';
  }
}
