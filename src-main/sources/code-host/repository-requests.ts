import { z } from 'zod';
import type { ApiRequest } from './conditional-reads.ts';
import type { Commit, CommitStatuses, Issue, IssueQuery, Page, Repository } from './types.ts';

/** A repository's owner and name. */
export type RepositoryName = { readonly owner: string; readonly repo: string };

const minute = 60_000;
export const perPage = 100;

const repositoryShape = z.object({
  name: z.string(),
  description: z.string().nullable(),
  html_url: z.string(),
  updated_at: z.iso.datetime({ offset: true }),
  pushed_at: z.string().nullable(),
  default_branch: z.string(),
  topics: z.array(z.string()).optional(),
  archived: z.boolean(),
  size: z.number(),
});

const repositoriesShape = z.object({ total_count: z.number().int(), repositories: z.array(repositoryShape) });

/** One page of the installation's repositories. */
export function repositoriesRequest(
  page: number,
): ApiRequest<z.infer<typeof repositoriesShape>, Page<Repository> & { readonly total: number }> {
  return {
    route: 'GET /installation/repositories',
    parameters: { per_page: perPage, page },
    shape: repositoriesShape,
    fresh: minute,
    keep: ({ total_count, repositories }, more) => ({
      total: total_count,
      more,
      items: repositories.map((repository) => ({
        name: repository.name,
        description: repository.description ?? '',
        htmlUrl: repository.html_url,
        updatedAt: new Date(repository.updated_at).toISOString(),
        pushedAt: repository.pushed_at ?? undefined,
        defaultBranch: repository.default_branch,
        topics: repository.topics ?? [],
        archived: repository.archived,
        empty: repository.size === 0,
      })),
    }),
  };
}

const issueShape = z.object({
  number: z.number().int(),
  title: z.string(),
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  created_at: z.string(),
  updated_at: z.iso.datetime({ offset: true }),
  type: z.object({ name: z.string() }).nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  pull_request: z.unknown().optional(),
});

/** Open or closed issues with a label; GitHub lists pull requests among them, which are left out here. */
export function issuesRequest(
  { owner, repo }: RepositoryName,
  { state, label: labels, page }: IssueQuery,
): ApiRequest<z.infer<typeof issueShape>[], Page<Issue>> {
  return {
    route: 'GET /repos/{owner}/{repo}/issues',
    parameters: { owner, repo, state, labels, per_page: perPage, page },
    shape: z.array(issueShape),
    fresh: minute,
    requests: 1,
    keep: (issues, more) => ({
      more,
      items: issues
        .filter(({ pull_request }) => pull_request === undefined)
        .map((issue) => ({
          number: issue.number,
          title: issue.title,
          htmlUrl: issue.html_url,
          state: issue.state,
          createdAt: issue.created_at,
          updatedAt: new Date(issue.updated_at).toISOString(),
          type: issue.type?.name,
          labels: issue.labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))),
        })),
    }),
  };
}

const statusesShape = z.object({
  sha: z.string(),
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.enum(['pending', 'success', 'failure', 'error']),
      description: z.string().nullable(),
      target_url: z.string().nullable(),
    }),
  ),
});

/** The newest status of each context of a commit. */
export function statusesRequest(
  { owner, repo }: RepositoryName,
  ref: string,
  page: number,
): ApiRequest<z.infer<typeof statusesShape>, CommitStatuses> {
  return {
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/status',
    parameters: { owner, repo, ref, per_page: perPage, page },
    shape: statusesShape,
    fresh: minute,
    requests: 1,
    keep: ({ sha, statuses }, more) => ({
      sha,
      statuses: {
        more,
        items: statuses.map(({ context, state, description, target_url }) => ({
          context,
          state,
          description: description ?? '',
          url: target_url ?? undefined,
        })),
      },
    }),
  };
}

const commitShape = z.object({
  sha: z.string(),
  html_url: z.string(),
  author: z.object({ login: z.string() }).partial().nullish(),
  commit: z.object({
    message: z.string(),
    author: z.object({ name: z.string().optional() }).nullish(),
    committer: z.object({ date: z.string().optional() }).nullish(),
  }),
});

/** A commit by its id, a branch or a tag. */
export function commitRequest(
  { owner, repo }: RepositoryName,
  ref: string,
): ApiRequest<z.infer<typeof commitShape>, Commit> {
  return {
    route: 'GET /repos/{owner}/{repo}/commits/{ref}',
    parameters: { owner, repo, ref, per_page: 1 },
    shape: commitShape,
    // A full id is what it is; a branch moves.
    fresh: /^[0-9a-f]{40}$/.test(ref) ? Number.POSITIVE_INFINITY : minute / 2,
    keep: ({ sha, html_url, author, commit }) => ({
      sha,
      htmlUrl: html_url,
      message: commit.message,
      author: author?.login ?? commit.author?.name,
      at: new Date(commit.committer?.date ?? 0).toISOString(),
    }),
  };
}

const comparisonShape = z.object({ status: z.enum(['diverged', 'ahead', 'behind', 'identical']) });

/** Returns whether `sha` is in the history of `head`. */
export function containsRequest(
  { owner, repo }: RepositoryName,
  sha: string,
  head: string,
): ApiRequest<z.infer<typeof comparisonShape>, boolean> {
  return {
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    parameters: { owner, repo, basehead: `${sha}...${head}`, per_page: 1 },
    shape: comparisonShape,
    fresh: /^[0-9a-f]{40}$/.test(head) ? Number.POSITIVE_INFINITY : minute,
    keep: ({ status }) => status === 'ahead' || status === 'identical',
  };
}

const fileShape = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() });

/** A text file at a commit. GitHub gives the content of files up to 1 MB this way. */
export function fileRequest(
  { owner, repo }: RepositoryName,
  path: string,
  sha: string,
): ApiRequest<z.infer<typeof fileShape>, string> {
  return {
    route: 'GET /repos/{owner}/{repo}/contents/{path}',
    parameters: { owner, repo, path, ref: sha },
    shape: fileShape,
    fresh: Number.POSITIVE_INFINITY,
    keep: ({ content }) => Buffer.from(content, 'base64').toString('utf8'),
  };
}
