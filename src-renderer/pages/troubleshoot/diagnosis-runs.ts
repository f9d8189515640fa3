import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Finding, NotChecked } from '#shared/api/troubleshoot.ts';

/** Result of a diagnosis, kept as long as the window is open. */
export type DiagnosisRun = {
  /** Time its report arrived, in epoch milliseconds; also its key. */
  readonly at: number;
  readonly findings: readonly Finding[];
};

/** Runs kept of a target. */
const mostRuns = 8;

/** The runs with a new one, the newest first. */
export const keptRuns = (before: readonly DiagnosisRun[], run: DiagnosisRun): readonly DiagnosisRun[] =>
  [run, ...before].slice(0, mostRuns);

/** The run that the newest is compared to: the one chosen while it is kept, else the one before. */
export const comparedRun = (
  [, ...earlier]: readonly DiagnosisRun[],
  chosen: number | undefined,
): DiagnosisRun | undefined => earlier.find(({ at }) => at === chosen) ?? earlier[0];

/** Returns the time of the first run that no longer had a finding (epoch ms); undefined while the newest has it, or none did. */
export function goneSince(runs: readonly DiagnosisRun[], id: string): number | undefined {
  const last = runs.findIndex(({ findings }) => findings.some((finding) => finding.id === id));
  return last > 0 ? runs[last - 1]?.at : undefined;
}

/** Difference between two runs. */
export type RunDifference = {
  /** Ids of what was not there before. */
  readonly added: ReadonlySet<string>;
  /** Findings that are gone. `checked` is false if the later run could not look for them. */
  readonly gone: readonly { readonly finding: Finding; readonly checked: boolean }[];
};

const isSame = (a: ObjectRef, b: ObjectRef): boolean =>
  a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;

/** Compares by id, which is the same in every run. */
export function runDifference(
  before: readonly Finding[],
  now: readonly Finding[],
  notChecked: readonly NotChecked[],
): RunDifference {
  const beforeIds = new Set(before.map(({ id }) => id));
  const nowIds = new Set(now.map(({ id }) => id));
  const wasUnseen = ({ symptom, objects }: Finding): boolean =>
    notChecked.some(
      ({ symptoms, whole_of = [] }) =>
        symptoms.includes(symptom) &&
        (objects.length === 0 || !objects.every((object) => whole_of.some((each) => isSame(each, object)))),
    );
  return {
    added: new Set([...nowIds].filter((id) => !beforeIds.has(id))),
    gone: before
      .filter(({ id }) => !nowIds.has(id))
      .map((finding) => ({ finding, checked: !wasUnseen(finding) })),
  };
}
