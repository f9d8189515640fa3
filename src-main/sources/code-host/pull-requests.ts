import { z } from 'zod';
import type { ApiRequest } from './conditional-reads.ts';
import { perPage, type RepositoryName } from './repository-requests.ts';
import type { PullComment, PullRequest } from './types.ts';

const person = z.object({ login: z.string(), type: z.string().optional() }).nullish();

const pullsShape = z.array(
  z.object({
    number: z.number().int(),
    title: z.string(),
    html_url: z.string(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({ sha: z.string() }),
    user: person,
  }),
);

/** In ms: what is said about a change is read while people look at it. */
const fresh = 20_000;

/** Pull requests a commit belongs to. */
export function pullsRequest(
  name: RepositoryName,
  commit_sha: string,
): ApiRequest<z.infer<typeof pullsShape>, readonly PullRequest[]> {
  return {
    route: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    parameters: { ...name, commit_sha, per_page: perPage },
    shape: pullsShape,
    fresh,
    keep: (pulls) =>
      pulls.map((pull) => ({
        number: pull.number,
        title: pull.title,
        htmlUrl: pull.html_url,
        state: pull.state,
        mergedAt: pull.merged_at == null ? undefined : new Date(pull.merged_at).toISOString(),
        headSha: pull.head.sha,
        // Of an open one it is the trial merge, which is on no branch.
        mergeSha: pull.merged_at == null ? undefined : (pull.merge_commit_sha ?? undefined),
        author: pull.user?.login,
      })),
  };
}

const commentsShape = z.array(
  z.object({
    user: person,
    body: z.string(),
    html_url: z.string(),
    created_at: z.iso.datetime({ offset: true }),
    path: z.string(),
    line: z.number().int().nullish(),
    original_line: z.number().int().nullish(),
  }),
);

/** Comments on lines of a pull request, oldest first. */
export function lineCommentsRequest(
  name: RepositoryName,
  pull_number: number,
): ApiRequest<z.infer<typeof commentsShape>, readonly PullComment[]> {
  return {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
    parameters: { ...name, pull_number, per_page: perPage },
    shape: commentsShape,
    fresh,
    keep: (comments) =>
      comments.map((comment) => ({
        ...authorOf(comment.user),
        body: comment.body,
        htmlUrl: comment.html_url,
        at: new Date(comment.created_at).toISOString(),
        path: comment.path,
        line: comment.line ?? comment.original_line ?? undefined,
        verdict: undefined,
      })),
  };
}

const verdictsShape = z.array(
  z.object({
    user: person,
    body: z.string(),
    state: z.string(),
    html_url: z.string(),
    submitted_at: z.iso.datetime({ offset: true }).optional(),
  }),
);

/** Verdicts on a pull request, oldest first; what was begun and not sent is left out. */
export function verdictsRequest(
  name: RepositoryName,
  pull_number: number,
): ApiRequest<z.infer<typeof verdictsShape>, readonly PullComment[]> {
  return {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    parameters: { ...name, pull_number, per_page: perPage },
    shape: verdictsShape,
    fresh,
    keep: (verdicts) =>
      verdicts.flatMap(({ user, body, state, html_url, submitted_at }) =>
        submitted_at === undefined || state === 'PENDING'
          ? []
          : {
              ...authorOf(user),
              body,
              htmlUrl: html_url,
              at: new Date(submitted_at).toISOString(),
              path: undefined,
              line: undefined,
              verdict: state,
            },
      ),
  };
}

function authorOf(user: z.infer<typeof person>): { author: string; bot: boolean } {
  return { author: user?.login ?? 'ghost', bot: user?.type === 'Bot' };
}
