import type { LineageStep, StepState } from '#shared/api/delivery.ts';

/**
 * The step a commit has not passed: the last one it reached, or the one behind it; undefined when it runs. Agents that
 * did not look stop nothing: a commit that was built went past them.
 */
export function stoppedAt(steps: readonly LineageStep[]): LineageStep | undefined {
  const merged = steps.find(({ step }) => step === 'merged');
  if (merged !== undefined && merged.state !== 'done') return merged;
  const reached = steps.findLastIndex(({ state }) => state !== 'not_reached' && state !== 'not_read');
  const last = steps[reached];
  if (last !== undefined && last.state !== 'done') return last;
  return steps.slice(reached + 1).find(({ step }) => step !== 'agents');
}

/** Clauses for the location of a commit, by step and state. */
const descriptions: Readonly<
  Record<LineageStep['step'], Readonly<Record<Exclude<StepState, 'done'>, string>>>
> = {
  merged: {
    moving: 'In review, not merged',
    failed: 'Closed without a merge',
    not_reached: 'Not on the default branch',
    not_read: 'Merge not read',
  },
  agents: {
    moving: 'Merged, agents are looking at it',
    failed: 'Stopped at the agents',
    not_reached: 'Merged, no agent saw it',
    not_read: 'Merged; agents not read',
  },
  built: {
    moving: 'Merged, being built',
    failed: 'Stopped at the build',
    not_reached: 'Merged, not built',
    not_read: 'Merged; build not read',
  },
  registry: {
    moving: 'Built, on its way to the registry',
    failed: 'Built, not in the registry',
    not_reached: 'Built, not in the registry',
    not_read: 'Built; registry not read',
  },
  rolled: {
    moving: 'In the registry, being rolled out',
    failed: 'Stopped at the rollout',
    not_reached: 'In the registry, not rolled out',
    not_read: 'In the registry; rollout not read',
  },
  running: {
    moving: 'Rolled out, starting',
    failed: 'Rolled out, not running',
    not_reached: 'Rolled out, not running',
    not_read: 'Rolled out; pods not read',
  },
};

/** Returns the location of a commit in its delivery, as one clause. */
export function whereOf(steps: readonly LineageStep[]): string {
  const stopped = stoppedAt(steps);
  if (stopped === undefined || stopped.state === 'done') return 'Running';
  const [rolled, running] = [steps.at(-2), steps.at(-1)];
  if (rolled?.state === 'moving' && running?.parts !== undefined) {
    const done = running.parts.filter(({ state }) => state === 'done').length;
    return `Running in ${done} of ${running.parts.length} workloads`;
  }
  const part = stopped.parts?.find(({ state }) => state === 'failed');
  if (stopped.step === 'agents' && part !== undefined) return `Stopped at ${withinSentence(part.name)}`;
  return descriptions[stopped.step][stopped.state];
}

/** A name inside a sentence: `Security review` loses its capital, `SAST` keeps its own. */
function withinSentence(name: string): string {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
