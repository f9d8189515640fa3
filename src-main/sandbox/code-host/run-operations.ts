import { type Answer, json, notFound, paged, problem, type RepositoryCall } from './answer.ts';
import { annotationsJson, checkRunJson, runJson } from './render-runs.ts';
import { listAddress, type RepositoryOperation } from './repository-operations.ts';
import type { SandboxRun } from './world.ts';

/** A filtered list of runs ends here, as at the code host. */
const mostFiltered = 1000;

function runs(call: RepositoryCall): Answer {
  const { rendering, org, repo, query } = call;
  const equal = (name: string, value: string): boolean => {
    const wanted = query.get(name);
    return wanted === null || wanted === '' || wanted === value;
  };
  const status = query.get('status');
  const found = repo.runs
    .filter(
      (run) =>
        equal('event', run.event) &&
        equal('branch', run.branch) &&
        equal('head_sha', run.sha) &&
        equal('actor', run.actor) &&
        equal('check_suite_id', String(run.checkSuite)) &&
        (status === null || status === run.status || status === run.conclusion),
    )
    .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  const filtered = found.length < repo.runs.length;
  const reachable = filtered ? found.slice(0, mostFiltered) : found;
  const { shown, headers } = paged(call, reachable, listAddress(call));
  return {
    ...json({
      total_count: found.length,
      workflow_runs: shown.map((run) => withoutPulls(call, runJson(rendering, org, repo, run))),
    }),
    headers,
  };
}

function withoutPulls<T extends { pull_requests: unknown[] }>({ query }: RepositoryCall, run: T): T {
  return query.get('exclude_pull_requests') === 'true' ? { ...run, pull_requests: [] } : run;
}

const runDocs = 'rest/actions/workflow-runs';

function oneRun(call: RepositoryCall, answer: (run: SandboxRun) => Answer): Answer {
  const run = call.repo.runs.find(({ id }) => String(id) === call.names[0]);
  return run === undefined ? notFound(`${runDocs}#get-a-workflow-run`) : answer(run);
}

/** `archive`: a short-lived address of a run's log archive. */
export function runOperations(
  archive: (repo: RepositoryCall['repo'], run: SandboxRun) => string,
): readonly RepositoryOperation[] {
  return [
    { pattern: /^\/actions\/runs$/, permission: 'actions', docs: runDocs, answer: runs },
    {
      pattern: /^\/actions\/runs\/(\d+)$/,
      permission: 'actions',
      docs: runDocs,
      answer: (call) =>
        oneRun(call, (run) => json(withoutPulls(call, runJson(call.rendering, call.org, call.repo, run)))),
    },
    {
      pattern: /^\/actions\/runs\/(\d+)\/logs$/,
      permission: 'actions',
      docs: `${runDocs}#download-workflow-run-logs`,
      answer: (call) =>
        oneRun(call, (run) => {
          const docs = `${runDocs}#download-workflow-run-logs`;
          if (run.logs === 'expired') return problem(410, 'Server Error', docs);
          // There is no archive before the run has ended.
          if (run.status !== 'completed') return notFound(docs);
          return { status: 302, body: '', type: 'text/html', headers: { location: archive(call.repo, run) } };
        }),
    },
    {
      pattern: /^\/check-suites\/(\d+)\/check-runs$/,
      permission: 'checks',
      docs: 'rest/checks/runs#list-check-runs-in-a-check-suite',
      answer: (call) => {
        const { rendering, org, repo, names, query } = call;
        const run = repo.runs.find(({ checkSuite }) => String(checkSuite) === names[0]);
        if (run === undefined) return notFound('rest/checks/runs#list-check-runs-in-a-check-suite');
        const name = query.get('check_name');
        const status = query.get('status');
        const jobs = run.jobs.filter(
          (job) => (name === null || job.name === name) && (status === null || job.status === status),
        );
        const { shown, headers } = paged(call, jobs, listAddress(call));
        const check_runs = shown.map((job) => checkRunJson(rendering, org, repo, run, job));
        return { ...json({ total_count: jobs.length, check_runs }), headers };
      },
    },
    {
      pattern: /^\/check-runs\/(\d+)\/annotations$/,
      permission: 'checks',
      docs: 'rest/checks/runs#list-check-run-annotations',
      answer: (call) => {
        const { rendering, org, repo, names } = call;
        for (const run of repo.runs) {
          const job = run.jobs.find(({ id }) => String(id) === names[0]);
          if (job === undefined) continue;
          const found = annotationsJson(rendering, org, repo, run, job);
          const { shown, headers } = paged(call, found, listAddress(call));
          return { ...json(shown), headers };
        }
        return notFound('rest/checks/runs#list-check-run-annotations');
      },
    },
  ];
}
