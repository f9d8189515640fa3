import { commitId, numberOf } from './builders.ts';
import {
  headCommitJson,
  minimalRepositoryJson,
  nodeId,
  type Rendering,
  repositoryApi,
  repositoryPage,
  time,
  userJson,
} from './render-basics.ts';
import { minimalPullJson } from './render-pulls.ts';
import type { Organisation, SandboxJob, SandboxRepository, SandboxRun, SandboxStatus } from './world.ts';

/** Pull requests that are open on a run's branch; merged ones are not named, as at the code host. */
function openPulls(repo: SandboxRepository, run: SandboxRun) {
  return repo.pulls.filter(
    (pull) => pull.state === 'open' && (pull.branch === run.branch || pull.headSha === run.sha),
  );
}

export function runJson(rendering: Rendering, org: Organisation, repo: SandboxRepository, run: SandboxRun) {
  const api = repositoryApi(rendering, org, repo);
  const url = `${api}/actions/runs/${run.id}`;
  const workflow = numberOf('workflow', repo.name, run.path);
  const repository = minimalRepositoryJson(rendering, org, repo);
  const head = repo.commits.find(({ sha }) => sha === run.sha);
  const actor = userJson(rendering, run.actor);
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('WorkflowRun', run.id),
    head_branch: run.branch,
    head_sha: run.sha,
    path: run.path,
    display_title: run.title,
    run_number: run.number,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: workflow,
    check_suite_id: run.checkSuite,
    check_suite_node_id: nodeId('CheckSuite', run.checkSuite),
    url,
    html_url: `${repositoryPage(rendering, org, repo)}/actions/runs/${run.id}`,
    pull_requests: openPulls(repo, run).map((pull) => minimalPullJson(rendering, org, repo, pull)),
    created_at: time(run.createdAt),
    updated_at: time(run.updatedAt),
    actor,
    run_attempt: run.attempt,
    referenced_workflows: [],
    run_started_at: time(run.startedAt),
    triggering_actor: actor,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${run.checkSuite}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt === 1 ? null : `${url}/attempts/${run.attempt - 1}`,
    workflow_url: `${api}/actions/workflows/${workflow}`,
    head_commit: head === undefined ? null : headCommitJson(head),
    repository,
    head_repository: repository,
  };
}

/** A job of a run, as the check run of its check suite. */
export function checkRunJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  run: SandboxRun,
  job: SandboxJob,
) {
  const url = `${repositoryApi(rendering, org, repo)}/check-runs/${job.id}`;
  const page = `${repositoryPage(rendering, org, repo)}/actions/runs/${run.id}/job/${job.id}`;
  return {
    id: job.id,
    name: job.name,
    node_id: nodeId('CheckRun', job.id),
    head_sha: run.sha,
    external_id: commitId('job', job.id).slice(0, 32),
    url,
    html_url: page,
    details_url: page,
    status: job.status,
    conclusion: job.conclusion,
    started_at: time(job.startedAt),
    completed_at: job.completedAt === undefined ? null : time(job.completedAt),
    output: {
      title: null,
      summary: job.summary === '' ? null : job.summary,
      text: null,
      annotations_count: job.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.checkSuite },
    app: null,
    pull_requests: openPulls(repo, run).map((pull) => minimalPullJson(rendering, org, repo, pull)),
  };
}

export function annotationsJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  run: SandboxRun,
  job: SandboxJob,
) {
  const page = repositoryPage(rendering, org, repo);
  return job.annotations.map((annotation) => ({
    path: annotation.path,
    blob_href: `${page}/blob/${run.sha}/${annotation.path}`,
    start_line: annotation.line,
    start_column: null,
    end_line: annotation.endLine,
    end_column: null,
    annotation_level: annotation.level,
    title: annotation.title,
    message: annotation.message,
    raw_details: null,
  }));
}

/** The newest status of each context of a commit, newest first. */
export function statusesOf(repo: SandboxRepository, sha: string): SandboxStatus[] {
  const newest = new Map<string, SandboxStatus>();
  for (const status of repo.statuses.filter((entry) => entry.sha === sha).toSorted((a, b) => a.at - b.at)) {
    newest.delete(status.context);
    newest.set(status.context, status);
  }
  return [...newest.values()].reverse();
}

export function combinedStatusJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  sha: string,
  shown: readonly SandboxStatus[],
) {
  const all = statusesOf(repo, sha);
  const api = repositoryApi(rendering, org, repo);
  const failed = all.some(({ state }) => state === 'failure' || state === 'error');
  const pending = all.length === 0 || all.some(({ state }) => state === 'pending');
  return {
    state: failed ? 'failure' : pending ? 'pending' : 'success',
    statuses: shown.map((status) => {
      const id = numberOf('status', sha, status.context, status.at);
      return {
        url: `${api}/statuses/${sha}`,
        avatar_url: `${rendering.url}/_sandbox/avatars/${rendering.world.app.id}`,
        id,
        node_id: nodeId('StatusContext', id),
        state: status.state,
        description: status.description === '' ? null : status.description,
        target_url: status.url?.startsWith('/')
          ? `${repositoryPage(rendering, org, repo)}${status.url}`
          : (status.url ?? null),
        context: status.context,
        created_at: time(status.at),
        updated_at: time(status.at),
      };
    }),
    sha,
    total_count: all.length,
    repository: minimalRepositoryJson(rendering, org, repo),
    commit_url: `${api}/commits/${sha}`,
    url: `${api}/commits/${sha}/status`,
  };
}
