import type { Run, RunFamily, RunKind } from '#shared/api/runs.ts';
import { counted } from '#shared/text.ts';

export const kindLabels: Readonly<Record<RunKind, string>> = {
  workflow: 'Workflow',
  job: 'Scheduled job',
  'app-agent': 'App agent',
  session: 'Session',
};

export const familyLabels: Readonly<Record<RunFamily, string | undefined>> = {
  review: 'Review',
  governance: 'Governance',
  agent: 'Agent',
  other: undefined,
};

const eventLabels: Readonly<Record<string, string>> = {
  pull_request: 'Pull request',
  pull_request_target: 'Pull request',
  push: 'Push',
  schedule: 'Schedule',
  workflow_dispatch: 'Manual',
  workflow_run: 'Another workflow',
  repository_dispatch: 'Dispatch',
  release: 'Release',
  merge_group: 'Merge queue',
  issue_comment: 'Comment',
  issues: 'Issue',
};

/** Describes what triggered a run, such as `Pull request #42`; the name of any other event is shown as it is. */
export function startedBy({ event, pull_request: pull }: Run): string {
  if (event === undefined) return pull === undefined ? '' : `Pull request #${pull}`;
  const label = eventLabels[event] ?? event;
  return pull === undefined ? label : `${label} #${pull}`;
}

/** The repository and number of a workflow run in its id, such as `workflow:harbour:8123`. */
export function workflowRunOf(id: string): { readonly repo: string; readonly runId: number } | undefined {
  const [, repo, runId] = /^workflow:([A-Za-z0-9._-]+):(\d{1,15})$/.exec(id) ?? [];
  return repo === undefined ? undefined : { repo, runId: Number(runId) };
}

/** Runs in words. */
export const runsLabel = (count: number): string => counted(count, 'run');
