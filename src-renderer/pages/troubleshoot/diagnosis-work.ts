import type { DiagnosisProgress, Finding } from '#shared/api/troubleshoot.ts';

/** One step of a diagnosis, in its own unit. */
export type DiagnosisStep = {
  readonly name: string;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
};

/** Progress of a diagnosis, or its last progress if it was stopped. */
export type DiagnosisWork = {
  /** In the order they began. */
  readonly steps: readonly DiagnosisStep[];
  /** Name of the step under way; undefined until the console has told of one. */
  readonly now: string | undefined;
  /** Findings so far. */
  readonly findings: readonly Finding[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** True when the person stopped it. */
  readonly stopped: boolean;
};

/** A diagnosis that has just begun. */
export const begun = (startedAt: number): DiagnosisWork => ({
  steps: [],
  now: undefined,
  findings: [],
  startedAt,
  stopped: false,
});

/** The work after one more event. A finding that is told again takes the place of what was told before. */
export function withProgress(work: DiagnosisWork, progress: DiagnosisProgress): DiagnosisWork {
  const { step: name, done, total, findings = [] } = progress;
  const step: DiagnosisStep = { name, done, total };
  const known = work.steps.some((before) => before.name === name);
  const previous = new Map(findings.map((finding) => [finding.id, finding]));
  const kept = work.findings.map((before) => previous.get(before.id) ?? before);
  const keptIds = new Set(kept.map(({ id }) => id));
  return {
    ...work,
    steps: known ? work.steps.map((before) => (before.name === name ? step : before)) : [...work.steps, step],
    now: name,
    findings: [...kept, ...findings.filter(({ id }) => !keptIds.has(id))],
  };
}
