import type { ReviewComment } from '#shared/api/runs.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { CodeHost, PullComment, WorkflowRun } from '../../sources/code-host/index.ts';

/** Pull requests of one commit whose comments are read. */
const mostPulls = 3;

export type Comments = {
  readonly comments: readonly ReviewComment[];
  /** The first pull request of the reviewed commit. */
  readonly pullRequest: number | undefined;
  /** Gaps in the comments, one sentence each. */
  readonly unmeasured: readonly string[];
};

/** Reads the comments on the reviewed change from the code host, oldest first. Never throws. */
export async function readComments(codeHost: CodeHost, run: WorkflowRun): Promise<Comments> {
  const unmeasured: string[] = [];
  const pulls = await pullsOf(codeHost, run);
  if (typeof pulls === 'string') {
    return {
      comments: [],
      pullRequest: undefined,
      unmeasured: [`The pull request of ${run.sha.slice(0, 7)} was not read: ${pulls}.`],
    };
  }
  const read = await inParallel(pulls.slice(0, mostPulls), mostPulls, async (number) => ({
    number,
    comments: await codeHost.pullComments(run.repo, number),
  }));
  const comments: ReviewComment[] = [];
  for (const { number, comments: got } of read) {
    if (!got.ok) unmeasured.push(`What was posted on pull request ${number} was not read: ${got.reason}.`);
    else {
      if (got.stale !== undefined)
        unmeasured.push(`What was posted on pull request ${number} is older: ${got.stale}.`);
      comments.push(...got.value.filter(saysSomething).map(commentOf));
    }
  }
  return {
    comments: comments.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    pullRequest: pulls[0],
    unmeasured,
  };
}

/** Numbers of the pull requests of the reviewed commit, or why they were not read. */
async function pullsOf(codeHost: CodeHost, run: WorkflowRun): Promise<readonly number[] | string> {
  if (run.pullRequests.length > 0) return run.pullRequests;
  // A run names none any more once they are merged.
  const pulls = await codeHost.pullsOf(run.repo, run.sha);
  return pulls.ok ? pulls.value.map(({ number }) => number) : pulls.reason;
}

/**
 * Returns whether a review has content. A verdict without text counts only if it approves or requests changes: the code
 * host creates an empty one around comments on lines.
 */
function saysSomething({ body, verdict }: PullComment): boolean {
  return body.trim() !== '' || (verdict !== undefined && verdict !== 'COMMENTED');
}

function commentOf({ author, bot, body, htmlUrl, at, path, line, verdict }: PullComment): ReviewComment {
  return {
    kind: verdict === undefined ? 'comment' : 'verdict',
    author,
    agent: bot,
    verdict: verdict?.toLowerCase(),
    path,
    line,
    body,
    url: htmlUrl,
    at: new Date(at).toISOString(),
  };
}
