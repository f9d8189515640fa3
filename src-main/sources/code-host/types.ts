import type { AgentCaller } from '#shared/api/handler.ts';
import type { RunFamily, RunState } from '#shared/api/runs.ts';

/** The result of a read of the code host: a value, or why there is none. A read never throws. */
export type Read<T> = Got<T> | NotRead;

export type Got<T> = {
  readonly ok: true;
  readonly value: T;
  /** Time the code host answered, epoch ms. */
  readonly readAt: number;
  /** True when nothing was asked for it: it was read a moment ago, or could not be read again. */
  readonly cached: boolean;
  /**
   * The reason an older answer was used, when it is older than its kind may be; a clause like
   * `NotRead.reason`.
   */
  readonly stale?: string;
};

export type NotRead = {
  readonly ok: false;
  /**
   * - `unset`: this console is attached to no code host. `unavailable`: it did not answer, or not so that it could be used.
   * - `refused`: it answered that we may not. `not-found`: it answered that there is no such thing.
   * - `quota`: not asked, because what is left is for the agent fleet, or because it told us to wait.
   */
  readonly kind: 'unset' | 'unavailable' | 'refused' | 'not-found' | 'quota';
  /** A clause for the person, without a full stop: `the code host answered 502`. */
  readonly reason: string;
};

export type Installation = {
  readonly id: number;
  /** Login of the organisation. */
  readonly org: string;
  readonly app: { readonly id: number; readonly slug: string };
  readonly repositories: 'all' | 'selected';
  readonly permissions: Readonly<Record<string, string>>;
};

export type Repository = {
  readonly name: string;
  readonly description: string;
  readonly htmlUrl: string;
  readonly updatedAt: string;
  readonly pushedAt: string | undefined;
  readonly defaultBranch: string;
  readonly topics: readonly string[];
  readonly archived: boolean;
  /** True when nothing was ever pushed to it. */
  readonly empty: boolean;
};

export type RepositoryList = {
  readonly items: readonly Repository[];
  /** True when there are more than the ten pages that are walked (CON-195). */
  readonly truncated: boolean;
  readonly total: number;
};

/** One page of a list, and whether another follows. */
export type Page<T> = { readonly items: readonly T[]; readonly more: boolean };

/** Issues that are asked for; pages from 1. */
export type IssueQuery = {
  readonly state: 'open' | 'closed';
  readonly label: string;
  readonly page: number;
};

/** An issue. Times RFC 3339. */
export type Issue = {
  readonly number: number;
  readonly title: string;
  readonly htmlUrl: string;
  readonly state: 'open' | 'closed';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly type: string | undefined;
  readonly labels: readonly string[];
};

/** A commit's newest status of each context. */
export type CommitStatuses = {
  readonly sha: string;
  readonly statuses: Page<{
    readonly context: string;
    readonly state: 'pending' | 'success' | 'failure' | 'error';
    readonly description: string;
    readonly url: string | undefined;
  }>;
};

/** A workflow run. Times RFC 3339. */
export type WorkflowRun = {
  readonly id: number;
  readonly repo: string;
  /** The workflow's name, such as `Security review`. */
  readonly name: string;
  readonly title: string;
  /** The workflow's file, such as `.github/workflows/review-security.yml`. */
  readonly path: string;
  readonly family: RunFamily;
  /** Type of a review, such as `security`. */
  readonly reviewType: string | undefined;
  readonly event: string;
  readonly branch: string | undefined;
  readonly sha: string;
  readonly state: RunState;
  readonly detail: string | undefined;
  readonly attempt: number;
  readonly createdAt: string;
  /** Start of the current attempt; absent while it has not begun. */
  readonly startedAt: string | undefined;
  /** Time of its last change: its end, once it has ended. */
  readonly updatedAt: string;
  readonly htmlUrl: string;
  readonly actor: string | undefined;
  /** Open pull requests of its head; none once they are merged. */
  readonly pullRequests: readonly number[];
  readonly checkSuite: number | undefined;
  /** Time of the commit it ran on. */
  readonly committedAt: string | undefined;
};

export type CheckRun = {
  readonly id: number;
  readonly name: string;
  readonly annotations: number;
  readonly summary: string;
};

export type Annotation = {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
};

export type PullRequest = {
  readonly number: number;
  readonly title: string;
  readonly htmlUrl: string;
  readonly state: 'open' | 'closed';
  readonly mergedAt: string | undefined;
  readonly headSha: string;
  /** The commit the default branch has of it, once merged: another one after a squash or a rebase. */
  readonly mergeSha: string | undefined;
  readonly author: string | undefined;
};

export type PullComment = {
  readonly author: string;
  readonly bot: boolean;
  readonly body: string;
  readonly htmlUrl: string;
  readonly at: string;
  readonly path: string | undefined;
  readonly line: number | undefined;
  /** Verdict of a review as a whole, such as `APPROVED`; absent for a comment on a line. */
  readonly verdict: string | undefined;
};

export type Commit = {
  readonly sha: string;
  readonly message: string;
  readonly author: string | undefined;
  readonly at: string;
  readonly htmlUrl: string;
};

/** Requests left in the current hour; `reset` in epoch ms. */
export type Quota = { readonly limit: number; readonly remaining: number; readonly reset: number };

/**
 * Settings of this console's App at the code host; read on every use, so that a change takes effect at once.
 */
export type CodeHostSettings = {
  readonly appId: string | undefined;
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string | undefined;
  /** The App's only installation when undefined. */
  readonly installationId: number | undefined;
  readonly apiUrl: URL;
  /** Requests an hour that are left to the agent fleet. */
  readonly reserve: number;
};

/** Checks the installation tokens that agents present (CON-172). */
export type AgentTokens = {
  /**
   * The App and installation behind a token of the console's organisation. Throws `NotSignedIn` for a token that the
   * code host does not vouch for, `Unavailable` when it cannot be asked.
   */
  verify(token: string): Promise<AgentCaller>;
};

/**
 * The code host, read as one installation of an App. Repositories are named without their owner, who is always the
 * installation's organisation. Every read keeps its answer and asks conditionally; a fresh answer is not asked for at all.
 */
export type CodeHost = AgentTokens & {
  /** Value of `source` in answers made from it. */
  readonly source: 'github';
  installation(): Promise<Read<Installation>>;
  /** All repositories of the installation, ten pages of a hundred at most. */
  repositories(): Promise<Read<RepositoryList>>;
  /** Newest first, a hundred a page; pull requests are left out. */
  issues(repo: string, query: IssueQuery): Promise<Read<Page<Issue>>>;
  /** A hundred contexts a page, from 1. */
  commitStatuses(repo: string, ref: string, page: number): Promise<Read<CommitStatuses>>;
  /** The newest hundred runs, newest first; `more` when there are older ones. */
  workflowRuns(repo: string): Promise<Read<Page<WorkflowRun>>>;
  workflowRun(repo: string, id: number): Promise<Read<WorkflowRun>>;
  /** Runs on exactly this commit, a hundred at most. */
  workflowRunsOf(repo: string, sha: string): Promise<Read<readonly WorkflowRun[]>>;
  checkRuns(repo: string, checkSuite: number): Promise<Read<readonly CheckRun[]>>;
  /** The first hundred. */
  annotations(repo: string, checkRun: number): Promise<Read<readonly Annotation[]>>;
  /** Pull requests whose head or merge is this commit. */
  pullsOf(repo: string, sha: string): Promise<Read<readonly PullRequest[]>>;
  /** Comments on lines and verdicts, oldest first. */
  pullComments(repo: string, number: number): Promise<Read<readonly PullComment[]>>;
  /** A commit by full or short id, branch or tag. */
  commit(repo: string, ref: string): Promise<Read<Commit>>;
  /** Returns whether `sha` is in the history of `head`. */
  contains(repo: string, sha: string, head: string): Promise<Read<boolean>>;
  /** A text file at a commit, 1 MB at most. */
  file(repo: string, path: string, sha: string): Promise<Read<string>>;
  /**
   * A run's log archive (zip) as it comes. Throws `NotFound` when it no longer exists, `Unavailable` otherwise.
   * Never kept; counts against the quota like any read.
   */
  runLogs(repo: string, runId: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** As last told by the code host, which is asked when it has not said yet; undefined when it has no quota or is not reached. */
  quota(): Promise<Quota | undefined>;
  /** Epoch ms until which the code host asked us to wait. */
  waitingUntil(): number | undefined;
  /** Signs in and asks for the quota, which costs none of it: the first read would wait for that. Never throws. */
  prepare(): Promise<void>;
  /** Ends what is under way. */
  close(): void;
};
