import { commitId, numberOf } from './builders.ts';
import type { Organisation, SandboxCommit, SandboxRepository, World } from './world.ts';

/** The context every answer is rendered with: this code host's address and its world. */
export type Rendering = {
  /** Address of the API, without a trailing slash; web pages are below it, too. */
  readonly url: string;
  readonly world: World;
};

/** The code host's timestamps have no fraction of a second. */
export function time(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Opaque in the API; made like the code host's older ones. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64');
}

export function userJson({ url, world }: Rendering, login: string) {
  const id = numberOf('user', login);
  const api = `${url}/users/${encodeURIComponent(login)}`;
  const bot = login.endsWith('[bot]');
  const page = bot ? `${url}/apps/${login.slice(0, -'[bot]'.length)}` : `${url}/${login}`;
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `${url}/_sandbox/avatars/${id}`,
    gravatar_id: '',
    url: api,
    html_url: page,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: bot ? 'Bot' : world.organisations.some((org) => org.login === login) ? 'Organization' : 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}

/** A person's name and address as they are written into commits. */
function signature(login: string): { name: string; email: string } {
  const name = login.replace(/\[bot\]$/, '');
  return {
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    email: `${numberOf('user', login)}+${name}@users.noreply.northgate.example`,
  };
}

const repositoryLinks = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
} as const;

/** A repository as other answers carry it. */
export function minimalRepositoryJson(rendering: Rendering, org: Organisation, repo: SandboxRepository) {
  const api = repositoryApi(rendering, org, repo);
  const links = Object.entries(repositoryLinks).map(([name, end]) => [name, `${api}${end}`]);
  return {
    id: repo.id,
    node_id: nodeId('Repository', repo.id),
    name: repo.name,
    full_name: `${org.login}/${repo.name}`,
    private: true,
    owner: userJson(rendering, org.login),
    html_url: repositoryPage(rendering, org, repo),
    description: repo.description === '' ? null : repo.description,
    fork: false,
    url: api,
    ...(Object.fromEntries(links) as Record<keyof typeof repositoryLinks, string>),
  };
}

/** A repository as lists of repositories have it. */
export function repositoryJson(rendering: Rendering, org: Organisation, repo: SandboxRepository) {
  const page = repositoryPage(rendering, org, repo);
  const open = repo.issues.filter(({ state }) => state === 'open').length;
  const openPulls = repo.pulls.filter(({ state }) => state === 'open').length;
  return {
    ...minimalRepositoryJson(rendering, org, repo),
    created_at: time(repo.createdAt),
    updated_at: time(repo.updatedAt),
    // Of a repository that nothing was pushed to, the code host names its creation.
    pushed_at: time(repo.pushedAt ?? repo.createdAt),
    git_url: `${page.replace(/^https?:/, 'git:')}.git`,
    ssh_url: `git@code-host.invalid:${org.login}/${repo.name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    homepage: null,
    // Kilobytes, of all that was ever pushed; zero for an empty repository.
    size: repo.commits.length * 12,
    stargazers_count: 0,
    watchers_count: 0,
    language: repo.commits.length === 0 ? null : repo.language,
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: repo.archived,
    disabled: false,
    open_issues_count: open + openPulls,
    license: null,
    allow_forking: false,
    is_template: false,
    web_commit_signoff_required: false,
    topics: repo.topics,
    visibility: 'private',
    forks: 0,
    open_issues: open + openPulls,
    watchers: 0,
    default_branch: repo.defaultBranch,
    permissions: { admin: false, maintain: false, push: false, triage: false, pull: true },
  };
}

export function fullRepositoryJson(rendering: Rendering, org: Organisation, repo: SandboxRepository) {
  return {
    ...repositoryJson(rendering, org, repo),
    temp_clone_token: null,
    organization: userJson(rendering, org.login),
    network_count: 0,
    subscribers_count: 3,
  };
}

export function repositoryApi({ url }: Rendering, org: Organisation, repo: SandboxRepository): string {
  return `${url}/repos/${org.login}/${repo.name}`;
}

export function repositoryPage({ url }: Rendering, org: Organisation, repo: SandboxRepository): string {
  return `${url}/${org.login}/${repo.name}`;
}

/** Id of a commit's tree; nothing reads trees. */
function treeId(sha: string): string {
  return commitId('tree', sha);
}

/** A commit as runs carry it. */
export function headCommitJson(commit: SandboxCommit) {
  const person = signature(commit.author);
  return {
    id: commit.sha,
    tree_id: treeId(commit.sha),
    message: commit.message,
    timestamp: time(commit.at),
    author: person,
    committer: person,
  };
}

export function commitJson(
  rendering: Rendering,
  org: Organisation,
  repo: SandboxRepository,
  commit: SandboxCommit,
) {
  const api = repositoryApi(rendering, org, repo);
  const page = repositoryPage(rendering, org, repo);
  const written = { ...signature(commit.author), date: time(commit.at) };
  const user = userJson(rendering, commit.author);
  const tree = treeId(commit.sha);
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    commit: {
      author: written,
      committer: written,
      message: commit.message,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: user,
    committer: user,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
  };
}
