import { z } from 'zod';
import type { RunState } from '#shared/api/runs.ts';
import type { ApiRequest } from './conditional-reads.ts';
import { perPage, type RepositoryName } from './repository-requests.ts';
import type { Annotation, CheckRun, Page, WorkflowRun } from './types.ts';
import { workflowFamily } from './workflow-names.ts';

const runShape = z.object({
  id: z.number().int(),
  name: z.string().nullish(),
  display_title: z.string(),
  path: z.string(),
  event: z.string(),
  head_branch: z.string().nullable(),
  head_sha: z.string(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  run_attempt: z.number().int().optional(),
  created_at: z.iso.datetime({ offset: true }),
  run_started_at: z.string().nullish(),
  updated_at: z.iso.datetime({ offset: true }),
  html_url: z.string(),
  actor: z.object({ login: z.string() }).nullish(),
  pull_requests: z.array(z.object({ number: z.number().int() })).nullish(),
  check_suite_id: z.number().int().optional(),
  head_commit: z.object({ timestamp: z.string() }).nullish(),
});
const runsShape = z.object({ workflow_runs: z.array(runShape) });

/** Runs change from second to second while somebody watches them; a 304 is free. In ms. */
const runsFresh = 10_000;

const runsRoute = 'GET /repos/{owner}/{repo}/actions/runs';

/** A repository's newest runs. */
export function runsRequest(name: RepositoryName): ApiRequest<z.infer<typeof runsShape>, Page<WorkflowRun>> {
  return {
    route: runsRoute,
    parameters: { ...name, per_page: perPage },
    shape: runsShape,
    fresh: runsFresh,
    keep: ({ workflow_runs }, more) => ({
      items: workflow_runs.map((run) => workflowRun(name.repo, run)),
      more,
    }),
  };
}

/** The newest runs on one commit. */
export function runsOfCommitRequest(
  name: RepositoryName,
  head_sha: string,
): ApiRequest<z.infer<typeof runsShape>, readonly WorkflowRun[]> {
  return {
    route: runsRoute,
    parameters: { ...name, per_page: perPage, head_sha },
    shape: runsShape,
    fresh: runsFresh,
    keep: ({ workflow_runs }) => workflow_runs.map((run) => workflowRun(name.repo, run)),
  };
}

/** One run. */
export function runRequest(
  name: RepositoryName,
  run_id: number,
): ApiRequest<z.infer<typeof runShape>, WorkflowRun> {
  return {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
    parameters: { ...name, run_id },
    shape: runShape,
    fresh: runsFresh,
    keep: (run) => workflowRun(name.repo, run),
  };
}

function workflowRun(repo: string, run: z.infer<typeof runShape>): WorkflowRun {
  const { state, detail } = runStateOf(run.status, run.conclusion);
  const began = state !== 'queued' && state !== 'waiting';
  return {
    id: run.id,
    repo,
    name: run.name ?? run.path.split('/').at(-1) ?? run.path,
    title: run.display_title,
    path: run.path,
    ...workflowFamily(run.path),
    event: run.event,
    branch: run.head_branch ?? undefined,
    sha: run.head_sha,
    state,
    detail,
    attempt: run.run_attempt ?? 1,
    createdAt: moment(run.created_at),
    startedAt: began ? moment(run.run_started_at ?? run.created_at) : undefined,
    updatedAt: moment(run.updated_at),
    htmlUrl: run.html_url,
    actor: run.actor?.login,
    pullRequests: (run.pull_requests ?? []).map(({ number }) => number),
    checkSuite: run.check_suite_id,
    committedAt: run.head_commit == null ? undefined : moment(run.head_commit.timestamp),
  };
}

/** Times as we write them, also where the code host names another zone. */
function moment(time: string): string {
  return new Date(time).toISOString();
}

/** Status and conclusion (https://docs.github.com/rest/actions/workflow-runs) in the product's words. */
function runStateOf(
  status: string | null,
  conclusion: string | null,
): { state: RunState; detail: string | undefined } {
  if (conclusion === null) {
    switch (status) {
      case 'in_progress':
        return { state: 'running', detail: undefined };
      case 'waiting':
        return { state: 'waiting', detail: 'waits for an approval' };
      default:
        return { state: 'queued', detail: undefined };
    }
  }
  switch (conclusion) {
    case 'success':
      return { state: 'success', detail: undefined };
    case 'failure':
      return { state: 'failure', detail: undefined };
    case 'timed_out':
      return { state: 'failure', detail: 'ran out of time' };
    case 'startup_failure':
      return { state: 'failure', detail: 'could not start' };
    case 'action_required':
      return { state: 'waiting', detail: 'needs approval at the code host' };
    case 'cancelled':
      return { state: 'cancelled', detail: undefined };
    case 'stale':
      return { state: 'cancelled', detail: 'given up by the code host' };
    case 'neutral':
      return { state: 'skipped', detail: 'ended neither well nor badly' };
    default:
      return { state: 'skipped', detail: undefined };
  }
}

const checkRunsShape = z.object({
  check_runs: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      output: z.object({ annotations_count: z.number().int(), summary: z.string().nullable() }),
    }),
  ),
});

/** Check runs of a check suite, which is one workflow run. */
export function checkRunsRequest(
  repository: RepositoryName,
  check_suite_id: number,
): ApiRequest<z.infer<typeof checkRunsShape>, readonly CheckRun[]> {
  return {
    route: 'GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs',
    parameters: { ...repository, check_suite_id, per_page: perPage },
    shape: checkRunsShape,
    fresh: runsFresh,
    keep: ({ check_runs }) =>
      check_runs.map(({ id, name, output }) => ({
        id,
        name,
        annotations: output.annotations_count,
        summary: output.summary ?? '',
      })),
  };
}

const annotationsShape = z.array(
  z.object({
    path: z.string(),
    start_line: z.number().int(),
    end_line: z.number().int(),
    annotation_level: z.string().nullable(),
    title: z.string().nullable(),
    message: z.string().nullable(),
  }),
);

/** The first hundred annotations of a check run. */
export function annotationsRequest(
  name: RepositoryName,
  check_run_id: number,
): ApiRequest<z.infer<typeof annotationsShape>, readonly Annotation[]> {
  return {
    route: 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
    parameters: { ...name, check_run_id, per_page: perPage },
    shape: annotationsShape,
    fresh: runsFresh,
    keep: (annotations) =>
      annotations.map((annotation) => ({
        path: annotation.path,
        line: annotation.start_line,
        endLine: annotation.end_line,
        level: levelOf(annotation.annotation_level),
        title: annotation.title ?? '',
        message: annotation.message ?? '',
      })),
  };
}

function levelOf(level: string | null): Annotation['level'] {
  return level === 'failure' || level === 'warning' ? level : 'notice';
}
