import { createHash } from 'node:crypto';
import { type Answer, json, notFound, paged, problem, type RepositoryCall } from './answer.ts';
import { commitAt, compare, pullsWith } from './history.ts';
import { commitJson, fullRepositoryJson, repositoryApi, repositoryPage } from './render-basics.ts';
import {
  fullPullJson,
  issueJson,
  pullAsIssueJson,
  pullCommentsJson,
  pullJson,
  pullReviewsJson,
} from './render-pulls.ts';
import { combinedStatusJson, statusesOf } from './render-runs.ts';
import type { SandboxIssue, SandboxPull } from './world.ts';

/** An operation within a repository, for an installation with the permission. */
export type RepositoryOperation = {
  /** On what follows `/repos/{owner}/{repo}`. */
  readonly pattern: RegExp;
  readonly permission: string;
  /** Page of the code host's documentation. */
  readonly docs: string;
  readonly answer: (call: RepositoryCall) => Answer;
};

/** Lists within a repository are linked to by its number, as the code host does. */
export function listAddress({ rendering, repo, path }: RepositoryCall): string {
  return `${rendering.url}/repositories/${repo.id}${path.replace(/^\/repos\/[^/]+\/[^/]+/, '')}`;
}

function list<T>(
  call: RepositoryCall,
  items: readonly T[],
  body: (shown: readonly T[], total: number) => unknown,
): Answer {
  const { shown, headers } = paged(call, items, listAddress(call));
  return { ...json(body(shown, items.length)), headers };
}

function issues(call: RepositoryCall): Answer {
  const { rendering, org, repo, query } = call;
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const type = query.get('type');
  const wanted = (item: SandboxIssue | SandboxPull, has: readonly string[]): boolean =>
    (state === 'all' || item.state === state) &&
    labels.every((label) => has.some((own) => own.toLowerCase() === label.toLowerCase()));
  const found = [
    ...repo.issues
      .filter((issue) => wanted(issue, issue.labels))
      .filter((issue) => type === null || type === '*' || (issue.type ?? 'none') === type)
      .map((item) => ({ item, body: () => issueJson(rendering, org, repo, item) })),
    ...repo.pulls
      .filter((pull) => wanted(pull, []) && (type === null || type === 'none'))
      .map((item) => ({ item, body: () => pullAsIssueJson(rendering, org, repo, item) })),
  ];
  const by = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const turn = query.get('direction') === 'asc' ? 1 : -1;
  found.sort((a, b) => turn * (a.item[by] - b.item[by] || a.item.number - b.item.number));
  return list(call, found, (shown) => shown.map(({ body }) => body()));
}

function commit(call: RepositoryCall): Answer {
  const { rendering, org, repo, names } = call;
  const docs = 'rest/commits/commits#get-a-commit';
  if (repo.commits.length === 0) return problem(409, 'Git Repository is empty.', docs);
  const found = commitAt(repo, names[0] ?? '');
  if (found === undefined) return problem(422, `No commit found for SHA: ${names[0]}`, docs);
  return json({
    ...commitJson(rendering, org, repo, found),
    stats: { total: 0, additions: 0, deletions: 0 },
    files: [],
  });
}

function status(call: RepositoryCall): Answer {
  const { rendering, org, repo, names } = call;
  const found = commitAt(repo, names[0] ?? '');
  if (found === undefined)
    return notFound('rest/commits/statuses#get-the-combined-status-for-a-specific-reference');
  return list(call, statusesOf(repo, found.sha), (shown) =>
    combinedStatusJson(rendering, org, repo, found.sha, shown),
  );
}

function comparison(call: RepositoryCall): Answer {
  const { rendering, org, repo, names } = call;
  const docs = 'rest/commits/commits#compare-two-commits';
  const basehead = names[0] ?? '';
  const [baseName, headName] = basehead.split('...').map((name) => name.replace(`${org.login}:`, ''));
  const base = commitAt(repo, baseName ?? '');
  const head = commitAt(repo, headName ?? '');
  if (base === undefined || head === undefined) return notFound(docs);
  const found = compare(repo, base, head);
  if (found === undefined)
    return problem(404, `No common ancestor between ${baseName} and ${headName}.`, docs);
  const page = repositoryPage(rendering, org, repo);
  const web = `${page}/compare/${basehead}`;
  const { shown, headers } = paged(call, found.ahead, listAddress(call));
  return {
    ...json({
      url: `${repositoryApi(rendering, org, repo)}/compare/${basehead}`,
      html_url: web,
      permalink_url: `${page}/compare/${org.login}:${base.sha.slice(0, 7)}...${org.login}:${head.sha.slice(0, 7)}`,
      diff_url: `${web}.diff`,
      patch_url: `${web}.patch`,
      base_commit: commitJson(rendering, org, repo, base),
      merge_base_commit: commitJson(rendering, org, repo, found.mergeBase),
      status: found.status,
      ahead_by: found.ahead.length,
      behind_by: found.behindBy,
      total_commits: found.ahead.length,
      commits: shown.map((entry) => commitJson(rendering, org, repo, entry)),
      files: [],
    }),
    headers,
  };
}

/** A commit's files beyond this are given without their content. */
const largestContent = 1024 * 1024;

function contents(call: RepositoryCall): Answer {
  const { rendering, org, repo, names, query, accept } = call;
  const docs = 'rest/repos/contents#get-repository-content';
  const ref = query.get('ref') ?? repo.defaultBranch;
  const path = names[0] ?? '';
  const text = repo.files[path];
  if (commitAt(repo, ref) === undefined) return problem(404, `No commit found for the ref ${ref}`, docs);
  if (text === undefined) return notFound(docs);
  if (accept.includes('.raw')) {
    return { status: 200, body: text, type: 'application/vnd.github.raw+json; charset=utf-8' };
  }
  const bytes = Buffer.from(text);
  const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const api = repositoryApi(rendering, org, repo);
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const url = `${api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const git = `${api}/git/blobs/${sha}`;
  const html = `${repositoryPage(rendering, org, repo)}/blob/${encodeURIComponent(ref)}/${encoded}`;
  const small = bytes.length <= largestContent;
  return json({
    name: path.split('/').at(-1),
    path,
    sha,
    size: bytes.length,
    url,
    html_url: html,
    git_url: git,
    download_url: html.replace('/blob/', '/raw/'),
    type: 'file',
    // The code host breaks it into lines of 60 characters.
    content: small ? bytes.toString('base64').replace(/(.{60})/g, '$1\n') : '',
    encoding: small ? 'base64' : 'none',
    _links: { self: url, git, html },
  });
}

function onePull(call: RepositoryCall, answer: (pull: SandboxPull) => Answer, docs: string): Answer {
  const pull = call.repo.pulls.find(({ number }) => String(number) === call.names[0]);
  return pull === undefined ? notFound(docs) : answer(pull);
}

const pullDocs = 'rest/pulls/pulls';

export const repositoryOperations: readonly RepositoryOperation[] = [
  {
    pattern: /^$/,
    permission: 'metadata',
    docs: 'rest/repos/repos#get-a-repository',
    answer: ({ rendering, org, repo }) => json(fullRepositoryJson(rendering, org, repo)),
  },
  { pattern: /^\/issues$/, permission: 'issues', docs: 'rest/issues/issues', answer: issues },
  {
    pattern: /^\/commits\/(.+)\/status$/,
    permission: 'statuses',
    docs: 'rest/commits/statuses',
    answer: status,
  },
  {
    pattern: /^\/commits\/(.+)\/pulls$/,
    permission: 'pull_requests',
    docs: 'rest/commits/commits#list-pull-requests-associated-with-a-commit',
    answer: (call) => {
      const { rendering, org, repo, names } = call;
      const ref = names[0] ?? '';
      const found = pullsWith(repo, ref);
      if (found.length === 0 && commitAt(repo, ref) === undefined)
        return problem(422, `No commit found for SHA: ${ref}`, pullDocs);
      return list(call, found, (shown) => shown.map((pull) => pullJson(rendering, org, repo, pull)));
    },
  },
  { pattern: /^\/commits\/(.+)$/, permission: 'contents', docs: 'rest/commits/commits', answer: commit },
  {
    pattern: /^\/compare\/(.+)$/,
    permission: 'contents',
    docs: 'rest/commits/commits#compare-two-commits',
    answer: comparison,
  },
  { pattern: /^\/contents\/(.+)$/, permission: 'contents', docs: 'rest/repos/contents', answer: contents },
  {
    pattern: /^\/pulls\/(\d+)$/,
    permission: 'pull_requests',
    docs: `${pullDocs}#get-a-pull-request`,
    answer: (call) =>
      onePull(call, (pull) => json(fullPullJson(call.rendering, call.org, call.repo, pull)), pullDocs),
  },
  {
    pattern: /^\/pulls\/(\d+)\/comments$/,
    permission: 'pull_requests',
    docs: 'rest/pulls/comments#list-review-comments-on-a-pull-request',
    answer: (call) =>
      onePull(
        call,
        (pull) => list(call, pullCommentsJson(call.rendering, call.org, call.repo, pull), (shown) => shown),
        'rest/pulls/comments',
      ),
  },
  {
    pattern: /^\/pulls\/(\d+)\/reviews$/,
    permission: 'pull_requests',
    docs: 'rest/pulls/reviews#list-reviews-for-a-pull-request',
    answer: (call) =>
      onePull(
        call,
        (pull) => list(call, pullReviewsJson(call.rendering, call.org, call.repo, pull), (shown) => shown),
        'rest/pulls/reviews',
      ),
  },
];
