import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { Reading } from '#shared/api/reading.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { createFindingsReader } from './findings.ts';
import { jobRuns } from './job-runs.ts';
import { olderRunsGap, type RecentRuns, recentRuns } from './recent-runs.ts';
import { oneReview, reviewDetail, reviewList } from './reviews.ts';
import { type RunListParts, runList } from './run-list.ts';
import { createRunLogs } from './run-log.ts';
import { isChosen, newestFirst, workflowRow } from './workflow-run.ts';

type RunRouteId = Extract<RouteId, `runs.${string}` | `reviews.${string}`>;

const pullRequestEvents = ['pull_request', 'pull_request_target'];

export type RunParts = RunListParts & {
  /** The cluster whose Jobs are listed. */
  readonly targetOf: OpenTargetOf;
};

/** The routes of agent runs and reviews. */
export function runHandlers(parts: RunParts): Handlers<RunRouteId> {
  const { codeHost, now, targetOf } = parts;
  const reviews = { codeHost, now, findings: createFindingsReader(codeHost) };
  const runLog = createRunLogs(codeHost);

  return {
    'runs.list': ({ query }, { caller }) =>
      runList(parts, query, async () => jobRuns(await targetOf(query.target, caller), now)),

    'runs.agentRuns': async ({ query: { repo, workflows } }) => {
      const { repos, ...reading } = await recentRuns(codeHost, now, repo);
      return {
        items: repos.map(({ repository, runs }) => ({
          repo: repository.name,
          url: repository.htmlUrl,
          runs: newestFirst(
            runs
              .filter((run) => pullRequestEvents.includes(run.event) && isChosen(run, workflows))
              .map((run) => workflowRow(run, now())),
          ),
        })),
        ...readingOf(reading, olderRunsGap({ repos })),
      };
    },

    'runs.governance': async ({ query: { repo } }) => {
      const { repos, ...reading } = await recentRuns(codeHost, now, repo);
      const runs = repos.flatMap((read) => read.runs.filter(({ family }) => family === 'governance'));
      return {
        items: newestFirst(runs.map((run) => workflowRow(run, now()))),
        ...readingOf(reading, olderRunsGap({ repos })),
      };
    },

    'runs.logs': ({ query: { repo, run_id } }, call) => runLog(repo, run_id, call.signal),

    'reviews.list': ({ query: { repo } }) => reviewList(reviews, repo),
    'reviews.one': ({ params, query: { repo } }) => oneReview(reviews, params, repo),
    'reviews.detail': ({ params, query: { repo } }) => reviewDetail(reviews, params, repo),
  };
}

/** The reading of a list of runs, with gaps that are its own. */
function readingOf(
  { source, readAt, unmeasured }: Pick<RecentRuns, 'source' | 'readAt' | 'unmeasured'>,
  gaps: readonly string[],
): Reading {
  const all = [...unmeasured, ...gaps];
  return { source, complete: all.length === 0, read_at: new Date(readAt).toISOString(), unmeasured: all };
}
