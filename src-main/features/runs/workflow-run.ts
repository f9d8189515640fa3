import type { Run, WorkflowChoice } from '#shared/api/runs.ts';
import { compareText } from '#shared/text.ts';
import type { WorkflowRun } from '../../sources/code-host/index.ts';

/** A workflow run as a row of the lists. `now` in epoch ms. */
export function workflowRow(run: WorkflowRun, now: number): Run {
  return {
    id: `workflow:${run.repo}:${run.id}`,
    kind: 'workflow',
    family: run.family,
    repo: run.repo,
    name: run.name,
    title: run.title,
    ...status(run, now),
    url: run.htmlUrl,
    run_id: run.id,
    attempt: run.attempt,
    event: run.event,
    branch: run.branch,
    sha: run.sha,
    actor: run.actor,
    pull_request: run.pullRequests[0],
  };
}

/**
 * Returns whether a run stands in a list of agent runs: every run but those of other workflows, unless these are asked
 * for.
 */
export function isChosen({ family }: Pick<Run, 'family'>, workflows: WorkflowChoice | undefined): boolean {
  if (workflows === 'all') return true;
  return (family === 'other') === (workflows === 'other');
}

/** Returns the state of a workflow run and its start, in the same form in every list. */
export function status(
  run: WorkflowRun,
  now: number,
): Pick<Run, 'state' | 'detail' | 'started' | 'took_seconds'> {
  const end = isOver(run) ? Date.parse(run.updatedAt) : now;
  return {
    state: run.state,
    detail: run.detail,
    // Written one way, whatever way it came: rows are ordered by it.
    started: new Date(run.startedAt ?? run.createdAt).toISOString(),
    took_seconds: run.startedAt === undefined ? undefined : seconds(Date.parse(run.startedAt), end),
  };
}

/** True for a run that has ended, however it did. */
export function isOver({ state }: Pick<WorkflowRun, 'state'>): boolean {
  return state === 'success' || state === 'failure' || state === 'cancelled' || state === 'skipped';
}

/** Whole seconds from one moment to another in epoch ms; clocks differ, and nothing takes less than none. */
export function seconds(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) / 1000));
}

/** Newest first; runs of the same moment in the order of their ids, so that the order is always the same one. */
export function newestFirst<R extends Pick<Run, 'started' | 'id'>>(runs: readonly R[]): R[] {
  return runs.toSorted((a, b) => compareText(b.started, a.started) || compareText(a.id, b.id));
}
