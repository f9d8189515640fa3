import { commitId, numberOf } from './builders.ts';
import {
  nodeId,
  type Rendering,
  repositoryApi,
  repositoryJson,
  repositoryPage,
  time,
  userJson,
} from './render-basics.ts';
import type { Organisation, SandboxIssue, SandboxPull, SandboxRepository } from './world.ts';

function labelJson(api: string, name: string) {
  const id = numberOf('label', name);
  return {
    id,
    node_id: nodeId('Label', id),
    url: `${api}/labels/${encodeURIComponent(name)}`,
    name,
    description: null,
    color: commitId('label', name).slice(0, 6),
    default: false,
  };
}

/** An issue type of the organisation. */
function typeJson(name: string) {
  const id = numberOf('issue type', name);
  const made = '2026-01-12T09:00:00Z';
  return {
    id,
    node_id: nodeId('IssueType', id),
    name,
    description: null,
    color: 'blue',
    is_enabled: true,
    created_at: made,
    updated_at: made,
  };
}

/** Fields that issues and pull requests share in the list of issues. */
function numberedJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  item: SandboxIssue | SandboxPull,
  labels: readonly string[],
) {
  const api = repositoryApi(rendering, org, repo);
  const url = `${api}/issues/${item.number}`;
  const id = numberOf('issue', repo.name, item.number);
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    id,
    node_id: nodeId('Issue', id),
    number: item.number,
    title: item.title,
    user: userJson(rendering, item.author),
    labels: labels.map((label) => labelJson(api, label)),
    state: item.state,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: 0,
    created_at: time(item.createdAt),
    updated_at: time(item.updatedAt),
    author_association: 'MEMBER',
    active_lock_reason: null,
    body: item.body === '' ? null : item.body,
    closed_by: null,
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: item.state === 'closed' ? 'completed' : null,
  };
}

export function issueJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  issue: SandboxIssue,
) {
  return {
    ...numberedJson(rendering, org, repo, issue, issue.labels),
    html_url: `${repositoryPage(rendering, org, repo)}/issues/${issue.number}`,
    closed_at: issue.closedAt === undefined ? null : time(issue.closedAt),
    type: issue.type === undefined ? null : typeJson(issue.type),
  };
}

/** A pull request as the list of issues has it. */
export function pullAsIssueJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  pull: SandboxPull,
) {
  const page = `${repositoryPage(rendering, org, repo)}/pull/${pull.number}`;
  return {
    ...numberedJson(rendering, org, repo, pull, []),
    html_url: page,
    closed_at: pull.state === 'closed' ? time(pull.mergedAt ?? pull.updatedAt) : null,
    type: null,
    draft: pull.draft,
    pull_request: {
      url: `${repositoryApi(rendering, org, repo)}/pulls/${pull.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: pull.mergedAt === undefined ? null : time(pull.mergedAt),
    },
  };
}

function end(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  at: { ref: string; sha: string },
) {
  return {
    label: `${org.login}:${at.ref}`,
    ...at,
    user: userJson(rendering, org.login),
    repo: repositoryJson(rendering, org, repo),
  };
}

/** A pull request as lists have it. */
export function pullJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  pull: SandboxPull,
) {
  const api = repositoryApi(rendering, org, repo);
  const url = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const page = `${repositoryPage(rendering, org, repo)}/pull/${pull.number}`;
  const id = numberOf('pull', repo.name, pull.number);
  const statuses = `${api}/statuses/${pull.headSha}`;
  return {
    url,
    id,
    node_id: nodeId('PullRequest', id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: userJson(rendering, pull.author),
    body: pull.body === '' ? null : pull.body,
    created_at: time(pull.createdAt),
    updated_at: time(pull.updatedAt),
    closed_at: pull.state === 'closed' ? time(pull.mergedAt ?? pull.updatedAt) : null,
    merged_at: pull.mergedAt === undefined ? null : time(pull.mergedAt),
    merge_commit_sha: pull.mergeSha ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pull.draft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    head: end(rendering, org, repo, { ref: pull.branch, sha: pull.headSha }),
    base: end(rendering, org, repo, { ref: pull.base, sha: baseOf(repo, pull) }),
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${api}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: 'MEMBER',
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** Returns the commit at which the pull request's branch left the base branch. */
function baseOf(repo: SandboxRepository, pull: SandboxPull): string {
  const head = repo.commits.find(({ sha }) => sha === pull.headSha);
  return head?.parents[0] ?? repo.branches[pull.base] ?? pull.headSha;
}

export function fullPullJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  pull: SandboxPull,
) {
  const merged = pull.mergedAt !== undefined;
  return {
    ...pullJson(rendering, org, repo, pull),
    merged,
    mergeable: merged ? null : true,
    rebaseable: merged ? null : true,
    mergeable_state: merged ? 'unknown' : 'clean',
    merged_by: merged ? userJson(rendering, pull.author) : null,
    comments: 0,
    review_comments: pull.comments.length,
    maintainer_can_modify: false,
    commits: 1,
    additions: 84,
    deletions: 12,
    changed_files: 4,
  };
}

/** A pull request as a run carries it. */
export function minimalPullJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  pull: SandboxPull,
) {
  const api = repositoryApi(rendering, org, repo);
  const repository = { id: repo.id, url: api, name: repo.name };
  return {
    url: `${api}/pulls/${pull.number}`,
    id: numberOf('pull', repo.name, pull.number),
    number: pull.number,
    head: { ref: pull.branch, sha: pull.headSha, repo: repository },
    base: { ref: pull.base, sha: baseOf(repo, pull), repo: repository },
  };
}

export function pullCommentsJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  pull: SandboxPull,
) {
  const api = repositoryApi(rendering, org, repo);
  const page = `${repositoryPage(rendering, org, repo)}/pull/${pull.number}`;
  return pull.comments
    .toSorted((a, b) => a.at - b.at)
    .map((comment) => {
      const id = numberOf('comment', repo.name, pull.number, comment.author, comment.at, comment.body);
      const url = `${api}/pulls/comments/${id}`;
      const html = `${page}#discussion_r${id}`;
      return {
        url,
        pull_request_review_id: null,
        id,
        node_id: nodeId('PullRequestReviewComment', id),
        diff_hunk: `@@ -${comment.line},3 +${comment.line},4 @@`,
        path: comment.path,
        commit_id: pull.headSha,
        original_commit_id: pull.headSha,
        user: userJson(rendering, comment.author),
        body: comment.body,
        created_at: time(comment.at),
        updated_at: time(comment.at),
        html_url: html,
        pull_request_url: `${api}/pulls/${pull.number}`,
        author_association: 'NONE',
        _links: {
          self: { href: url },
          html: { href: html },
          pull_request: { href: `${api}/pulls/${pull.number}` },
        },
        start_line: null,
        original_start_line: null,
        start_side: null,
        line: comment.line,
        original_line: comment.line,
        side: 'RIGHT',
        original_position: 4,
        position: 4,
        subject_type: 'line',
      };
    });
}

export function pullReviewsJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  pull: SandboxPull,
) {
  const url = `${repositoryApi(rendering, org, repo)}/pulls/${pull.number}`;
  const page = `${repositoryPage(rendering, org, repo)}/pull/${pull.number}`;
  return pull.reviews
    .toSorted((a, b) => a.at - b.at)
    .map((review) => {
      const id = numberOf('review', repo.name, pull.number, review.author, review.at);
      const html = `${page}#pullrequestreview-${id}`;
      return {
        id,
        node_id: nodeId('PullRequestReview', id),
        user: userJson(rendering, review.author),
        body: review.body,
        state: review.state,
        html_url: html,
        pull_request_url: url,
        author_association: 'NONE',
        _links: { html: { href: html }, pull_request: { href: url } },
        submitted_at: time(review.at),
        commit_id: pull.headSha,
      };
    });
}
