/**
 * The data the sandbox code host answers from: plain data that a test may change at any time; the next read
 * sees it. All times are epoch milliseconds; logins ending in `[bot]` are bots.
 */
export type World = {
  readonly app: { readonly id: number; readonly slug: string; readonly name: string };
  /** The first is the console's own. */
  organisations: Organisation[];
};

export type Organisation = {
  readonly login: string;
  readonly installation: SandboxInstallation;
  repositories: SandboxRepository[];
};

export type SandboxInstallation = {
  readonly id: number;
  selection: 'all' | 'selected';
  /** Such as `{ actions: 'read' }`; a read without its permission is refused as the code host does. */
  permissions: Record<string, 'read' | 'write'>;
  suspendedAt?: number;
  /** True once it was uninstalled: its tokens are worthless and it is no longer shown. */
  deleted?: boolean;
  /** Slug of the App it is of, where that is not ours: we cannot see it, but its tokens are real. */
  otherApp?: string;
};

export type SandboxRepository = {
  readonly id: number;
  name: string;
  description: string;
  topics: string[];
  language: string;
  archived: boolean;
  /** False for one that the installation was not given: it is 404 then. */
  installed: boolean;
  defaultBranch: string;
  createdAt: number;
  updatedAt: number;
  /** Absent for a repository that nothing was ever pushed to. */
  pushedAt: number | undefined;
  /** In any order; `parents` makes the graph. */
  commits: SandboxCommit[];
  /** Commit at the head of each branch. */
  branches: Record<string, string>;
  tags: Record<string, string>;
  issues: SandboxIssue[];
  pulls: SandboxPull[];
  statuses: SandboxStatus[];
  runs: SandboxRun[];
  /** Text by path; the same at every commit. */
  files: Record<string, string>;
  /** Commits whose image is in the registry, and since when. */
  images: { sha: string; pushedAt: number }[];
};

export type SandboxCommit = {
  readonly sha: string;
  parents: string[];
  message: string;
  author: string;
  at: number;
};

export type SandboxIssue = {
  readonly number: number;
  title: string;
  body: string;
  author: string;
  labels: string[];
  /** One of the organisation's issue types, such as `Brief`. */
  type: string | undefined;
  state: 'open' | 'closed';
  createdAt: number;
  updatedAt: number;
  closedAt: number | undefined;
};

export type SandboxPull = {
  readonly number: number;
  title: string;
  body: string;
  author: string;
  branch: string;
  base: string;
  headSha: string;
  state: 'open' | 'closed';
  draft: boolean;
  createdAt: number;
  updatedAt: number;
  mergedAt: number | undefined;
  /** The commit on the base branch that merged it. */
  mergeSha: string | undefined;
  comments: { author: string; body: string; path: string; line: number; at: number }[];
  reviews: {
    author: string;
    state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
    body: string;
    at: number;
  }[];
};

/** A commit status; of one context the newest counts. */
export type SandboxStatus = {
  sha: string;
  context: string;
  state: 'pending' | 'success' | 'failure' | 'error';
  description: string;
  /** In full, or from `/` on below the repository's page. */
  url: string | undefined;
  at: number;
};

export type RunStatus = 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending';
export type RunConclusion =
  | 'success'
  | 'failure'
  | 'cancelled'
  | 'skipped'
  | 'neutral'
  | 'timed_out'
  | 'action_required'
  | 'startup_failure'
  | 'stale';

export type SandboxRun = {
  readonly id: number;
  /** The workflow's name and file. */
  name: string;
  path: string;
  title: string;
  event: string;
  branch: string;
  sha: string;
  actor: string;
  status: RunStatus;
  /** Null until it is completed. */
  conclusion: RunConclusion | null;
  number: number;
  attempt: number;
  createdAt: number;
  startedAt: number;
  updatedAt: number;
  /** Its check suite; the jobs are that suite's check runs. */
  checkSuite: number;
  jobs: SandboxJob[];
  logs: 'kept' | 'expired';
};

export type SandboxJob = {
  readonly id: number;
  name: string;
  status: RunStatus;
  conclusion: RunConclusion | null;
  startedAt: number;
  completedAt: number | undefined;
  /** Summary of its check run. */
  summary: string;
  annotations: SandboxAnnotation[];
  /** Its log; defaults to a few lines that fit the conclusion. */
  log: SandboxLog | undefined;
};

export type SandboxAnnotation = {
  path: string;
  line: number;
  endLine: number;
  level: 'notice' | 'warning' | 'failure';
  title: string;
  message: string;
};

/** A job's log as a description: the lines are made when they are asked for, always the same. */
export type SandboxLog = {
  /** Lines of work between the set-up and the end. */
  lines: number;
  /** Lines that say why it failed, before the last ones. */
  failure: string[];
};
