import type { ObjectRef } from '../../../src-shared/api/cluster.ts';
import type { Finding } from '../../../src-shared/api/troubleshoot.ts';
import type { ExpectedCase, Problem } from './expected.ts';

/** The findings of one bundle compared with its actual problems. */
export type Outcome = {
  readonly right: readonly Finding[];
  /** Told, and not so. */
  readonly wrong: readonly Finding[];
  /** So, and not told. */
  readonly missed: readonly Problem[];
};

/** Each problem is found by one finding of its symptom on its object; a finding that is no problem's is wrong. */
export function compared(
  findings: readonly Finding[],
  { expects, arguable }: Pick<ExpectedCase, 'expects' | 'arguable'>,
  notScored: ReadonlySet<string>,
): Outcome {
  const scored = findings.filter(({ symptom }) => !notScored.has(symptom));
  const right = scored.filter((finding) => expects.some((problem) => isOf(finding, problem)));
  return {
    right,
    wrong: scored.filter(
      (finding) => !right.includes(finding) && !arguable.some((problem) => isOf(finding, problem)),
    ),
    missed: expects.filter(
      (problem) => !scored.some((finding) => isOf(finding, problem) || isExplainedBy(finding, problem)),
    ),
  };
}

/** What follows from a cause is told with it. */
function isExplainedBy({ explains, objects }: Finding, { symptom, object }: Problem): boolean {
  return (
    explains.includes(symptom) && (object === undefined || objects.some((one) => nameOf(one) === object))
  );
}

function isOf({ symptom, objects }: Finding, problem: Problem): boolean {
  if (symptom !== problem.symptom) return false;
  return problem.object === undefined || objects.some((object) => nameOf(object) === problem.object);
}

/** `Kind/namespace/name`, without a namespace `Kind/name`. */
export function nameOf({ kind, namespace, name }: ObjectRef): string {
  return namespace === undefined || namespace === '' ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}
