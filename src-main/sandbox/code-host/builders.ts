import { createHash } from 'node:crypto';
import type {
  Organisation,
  SandboxAnnotation,
  SandboxCommit,
  SandboxIssue,
  SandboxJob,
  SandboxPull,
  SandboxRepository,
  SandboxRun,
  SandboxStatus,
  World,
} from './world.ts';

/** A commit id that is always the same for the same words. */
export function commitId(...parts: readonly (string | number)[]): string {
  return createHash('sha1').update(parts.join('\n')).digest('hex');
}

/** A positive number that is always the same for the same words; below 2^31, as the code host's ids of most kinds are. */
export function numberOf(...parts: readonly (string | number)[]): number {
  return 1 + (Number.parseInt(commitId(...parts).slice(0, 12), 16) % 2_000_000_000);
}

/** Permissions the console reads with (docs/code-host.md). */
const consolePermissions = {
  actions: 'read',
  checks: 'read',
  contents: 'read',
  issues: 'read',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
} as const;

/** The App and organisation of the sandbox, known before the seed is read. */
export const sandboxApp = { id: 118_204, slug: 'northgate-console', name: 'Northgate Console' } as const;
export const sandboxInstallation = 52_730_416;

/** A world of one organisation, the console's own; further ones may be pushed to `organisations`. */
export function world(repositories: SandboxRepository[], more: Partial<World> = {}): World {
  return {
    app: { ...sandboxApp },
    organisations: [organisation({ login: 'northgate', id: sandboxInstallation, repositories })],
    ...more,
  };
}

/** An organisation that installed the App, for all its repositories. */
export function organisation(given: {
  login: string;
  id?: number;
  repositories?: SandboxRepository[];
}): Organisation {
  return {
    login: given.login,
    installation: {
      id: given.id ?? numberOf('installation', given.login),
      selection: 'all',
      permissions: { ...consolePermissions },
    },
    repositories: given.repositories ?? [],
  };
}

/** 2026-11-02, so that what a test does not name has a time at all. */
const someTime = Date.UTC(2026, 10, 2, 9);

/** A repository with one commit on `main`, `commitId(name)`, unless commits are given: then the last one is the head. */
export function repository(given: Partial<SandboxRepository> & { name: string }): SandboxRepository {
  const { name } = given;
  const defaultBranch = given.defaultBranch ?? 'main';
  const commits = given.commits ?? [commit({ sha: commitId(name), message: `Start ${name}` })];
  const head = commits.at(-1);
  const at = head?.at ?? someTime;
  return {
    id: numberOf('repository', name),
    description: '',
    topics: [],
    language: 'TypeScript',
    archived: false,
    installed: true,
    defaultBranch,
    createdAt: Math.min(someTime, at) - 90 * 86_400_000,
    updatedAt: at,
    pushedAt: head === undefined ? undefined : at,
    commits,
    branches: head === undefined ? {} : { [defaultBranch]: head.sha },
    tags: {},
    issues: [],
    pulls: [],
    statuses: [],
    runs: [],
    files: {},
    images: [],
    ...given,
  };
}

export function commit(given: Partial<SandboxCommit> & { sha: string }): SandboxCommit {
  return { parents: [], message: 'Change', author: 'mira', at: someTime, ...given };
}

/** An open issue labelled `studio`, unless told otherwise. */
export function issue(given: Partial<SandboxIssue> & { number: number }): SandboxIssue {
  const createdAt = given.createdAt ?? someTime;
  return {
    title: `Issue ${given.number}`,
    body: '',
    author: 'mira',
    labels: ['studio'],
    type: undefined,
    state: 'open',
    createdAt,
    updatedAt: createdAt,
    closedAt: given.state === 'closed' ? createdAt : undefined,
    ...given,
  };
}

/** An open pull request into `main`. */
export function pull(given: Partial<SandboxPull> & { number: number }): SandboxPull {
  const createdAt = given.createdAt ?? someTime;
  const branch = given.branch ?? `change-${given.number}`;
  return {
    title: `Change ${given.number}`,
    body: '',
    author: 'mira',
    branch,
    base: 'main',
    headSha: commitId('pull', given.number, branch),
    state: 'open',
    draft: false,
    createdAt,
    updatedAt: createdAt,
    mergedAt: undefined,
    mergeSha: undefined,
    comments: [],
    reviews: [],
    ...given,
  };
}

/** A completed push run of `.github/workflows/build.yml` with one job, unless told otherwise. */
export function run(given: Partial<SandboxRun> & { id: number; sha: string }): SandboxRun {
  const { id } = given;
  const conclusion = given.conclusion ?? null;
  const status = given.status ?? (given.conclusion === null ? 'in_progress' : 'completed');
  const ended = status === 'completed' ? (conclusion ?? 'success') : null;
  const createdAt = given.createdAt ?? someTime;
  const startedAt = given.startedAt ?? createdAt;
  const updatedAt = given.updatedAt ?? startedAt + 180_000;
  return {
    name: 'Build',
    path: '.github/workflows/build.yml',
    title: `Run ${id}`,
    event: 'push',
    branch: 'main',
    actor: 'mira',
    number: id % 10_000,
    attempt: 1,
    checkSuite: id + 1_000_000_000,
    jobs: [
      job({
        id: id + 2_000_000_000,
        status,
        conclusion: ended,
        startedAt,
        completedAt: ended === null ? undefined : updatedAt,
      }),
    ],
    logs: 'kept',
    ...given,
    createdAt,
    startedAt,
    updatedAt,
    status,
    conclusion: ended,
  };
}

/** A successful `platform/ci`, unless told otherwise. */
export function status(given: Partial<SandboxStatus> & { sha: string }): SandboxStatus {
  return {
    context: 'platform/ci',
    state: 'success',
    description: '',
    url: undefined,
    at: someTime,
    ...given,
  };
}

export function job(given: Partial<SandboxJob> & { id: number }): SandboxJob {
  const startedAt = given.startedAt ?? someTime;
  return {
    name: 'build',
    status: 'completed',
    conclusion: 'success',
    startedAt,
    completedAt: startedAt + 180_000,
    summary: '',
    annotations: [],
    log: undefined,
    ...given,
  };
}

export function annotation(given: Partial<SandboxAnnotation> & { path: string }): SandboxAnnotation {
  const line = given.line ?? 1;
  return { line, endLine: line, level: 'warning', title: 'Finding', message: 'Look at this.', ...given };
}
