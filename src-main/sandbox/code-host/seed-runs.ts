import { annotation, job, numberOf, run } from './builders.ts';
import type { Outcome, SeedFinding } from './seed-schema.ts';
import type { RunConclusion, RunStatus, SandboxJob, SandboxLog, SandboxRun } from './world.ts';

const minute = 60_000;
const day = 86_400_000;
/** Time the seed's repositories keep logs. */
const logsKept = 30 * day;

export type RunSpec = {
  readonly repo: string;
  /** Stable key of the run, unique in its repository: its number is derived from it. */
  readonly key: string;
  /** File name without its ending, such as `review-security`. */
  readonly workflow: string;
  readonly name: string;
  readonly title: string;
  readonly event: string;
  readonly branch: string;
  readonly sha: string;
  readonly actor: string;
  /** Scheduled start, epoch ms. */
  readonly from: number;
  readonly minutes: number;
  readonly outcome: Outcome;
  readonly jobs?: readonly string[];
  readonly findings?: readonly SeedFinding[];
  readonly log?: SandboxLog | undefined;
};

/** A number from 0 to 1 that is always the same for the same words. */
export function chance(...parts: readonly (string | number)[]): number {
  return numberOf('chance', ...parts) / 2_000_000_000;
}

/** A run as it stands at `now`: what would end later still runs, whatever its outcome is to be. */
export function seedRun(spec: RunSpec, now: number): SandboxRun {
  const { outcome, minutes } = spec;
  const id = 17_000_000_000 + numberOf('run', spec.repo, spec.workflow, spec.key);
  const unfinished = outcome === 'running' || outcome === 'queued' || outcome === 'waiting';
  // What goes on was begun a moment ago, however long its change has been there.
  const createdAt = unfinished ? Math.max(spec.from, now - Math.max(2, minutes * 0.6) * minute) : spec.from;
  const attempt = outcome === 'flaky' ? 2 : 1;
  const startedAt = createdAt + (attempt === 2 ? 14 * minute : 0);
  const ends = startedAt + minutes * minute;
  const runs = outcome === 'running' || (!unfinished && ends > now);
  const status: RunStatus = runs
    ? 'in_progress'
    : outcome === 'queued' || outcome === 'waiting'
      ? outcome
      : 'completed';
  const conclusion = status === 'completed' ? conclusionOf(outcome) : null;
  const updatedAt = status === 'completed' ? ends : Math.min(now, startedAt + minute / 2);
  const jobs = jobsOf(spec, { id, status, conclusion, startedAt, updatedAt });
  return run({
    id,
    sha: spec.sha,
    name: spec.name,
    path: `.github/workflows/${spec.workflow}.yml`,
    title: spec.title,
    event: spec.event,
    branch: spec.branch,
    actor: spec.actor,
    status,
    conclusion,
    number: 1 + (numberOf('number', spec.repo, spec.workflow, spec.key) % 900),
    attempt,
    createdAt,
    startedAt,
    updatedAt,
    checkSuite: 30_000_000_000 + numberOf('suite', id),
    jobs,
    logs: now - updatedAt > logsKept ? 'expired' : 'kept',
  });
}

type RunState = Pick<SandboxRun, 'id' | 'status' | 'conclusion' | 'startedAt' | 'updatedAt'>;

/** Jobs one after the other: where the first does not end well, the others are skipped. */
function jobsOf(spec: RunSpec, run: RunState): SandboxJob[] {
  const { jobs: names = ['build'], findings = [] } = spec;
  const broken = run.conclusion === 'failure' || run.conclusion === 'timed_out';
  const each = (run.updatedAt - run.startedAt) / (broken ? 1 : names.length);
  const found = run.conclusion === null ? [] : findings;
  return names.map((name, index): SandboxJob => {
    const last = index === names.length - 1;
    const skipped = broken && index > 0;
    // Of a run under way only the last job still is; those before it ended well.
    const waits = run.conclusion === null && run.status !== 'in_progress';
    const stands =
      last || broken || waits ? run : { status: 'completed' as const, conclusion: 'success' as const };
    const startedAt = skipped ? run.updatedAt : run.startedAt + each * index;
    return job({
      id: 40_000_000_000 + numberOf('job', run.id, name),
      name,
      status: stands.status,
      conclusion: skipped ? 'skipped' : stands.conclusion,
      startedAt,
      completedAt: stands.conclusion === null ? undefined : skipped ? startedAt : startedAt + each,
      summary: index === 0 && run.conclusion !== null ? summaryOf(found) : '',
      annotations:
        index === 0 ? found.map(({ end, ...one }) => annotation({ ...one, endLine: end ?? one.line })) : [],
      log: index === 0 ? spec.log : undefined,
    });
  });
}

function conclusionOf(outcome: Outcome): RunConclusion {
  switch (outcome) {
    case 'failure':
    case 'cancelled':
    case 'timed_out':
      return outcome;
    default:
      return 'success';
  }
}

/** Returns a check run's summary in one line. */
export function summaryOf(findings: readonly SeedFinding[]): string {
  if (findings.length === 0) return 'No findings.';
  const of = (level: SeedFinding['level'], word: string): string[] => {
    const count = findings.filter((found) => found.level === level).length;
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`];
  };
  const parts = [...of('failure', 'error'), ...of('warning', 'warning'), ...of('notice', 'note')];
  return `${parts.join(', ')}.`;
}
