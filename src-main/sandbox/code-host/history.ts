import type { SandboxCommit, SandboxPull, SandboxRepository } from './world.ts';

/** The commit behind a branch, tag, full id or short id of at least 7 characters. */
export function commitAt(repo: SandboxRepository, ref: string): SandboxCommit | undefined {
  const name = ref.replace(/^refs\//, '').replace(/^(?:heads|tags)\//, '');
  const sha =
    repo.branches[name] ?? repo.tags[name] ?? (ref === 'HEAD' ? repo.branches[repo.defaultBranch] : ref);
  const exact = repo.commits.find((commit) => commit.sha === sha);
  if (exact !== undefined || sha === undefined || !/^[0-9a-f]{7,39}$/.test(sha)) return exact;
  const started = repo.commits.filter((commit) => commit.sha.startsWith(sha));
  return started.length === 1 ? started[0] : undefined;
}

/** Ids of a commit and everything before it. */
function historyOf(repo: SandboxRepository, sha: string): Set<string> {
  const parents = new Map(repo.commits.map((commit) => [commit.sha, commit.parents]));
  const seen = new Set<string>();
  const open = [sha];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next) || !parents.has(next)) continue;
    seen.add(next);
    open.push(...(parents.get(next) ?? []));
  }
  return seen;
}

export type Comparison = {
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical';
  /** Commits in `head` that are not in `base`, oldest first. */
  readonly ahead: readonly SandboxCommit[];
  readonly behindBy: number;
  readonly mergeBase: SandboxCommit;
};

/** Compares `head` with `base`; undefined when they have nothing in common. */
export function compare(
  repo: SandboxRepository,
  base: SandboxCommit,
  head: SandboxCommit,
): Comparison | undefined {
  const baseHistory = historyOf(repo, base.sha);
  const headHistory = historyOf(repo, head.sha);
  const common = repo.commits
    .filter(({ sha }) => baseHistory.has(sha) && headHistory.has(sha))
    // The newest common one: of a child and its parent made in the same second, the child.
    .toSorted((a, b) => b.at - a.at || historyOf(repo, b.sha).size - historyOf(repo, a.sha).size);
  const [mergeBase] = common;
  if (mergeBase === undefined) return undefined;
  const ahead = repo.commits
    .filter(({ sha }) => headHistory.has(sha) && !baseHistory.has(sha))
    .toSorted((a, b) => a.at - b.at);
  const behindBy = baseHistory.size - common.length;
  const status =
    ahead.length === 0 ? (behindBy === 0 ? 'identical' : 'behind') : behindBy === 0 ? 'ahead' : 'diverged';
  return { status, ahead, behindBy, mergeBase };
}

/**
 * Pull requests of a commit: in the default branch the merged one that brought it, elsewhere the open and merged ones
 * whose branch has it (https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit).
 */
export function pullsWith(repo: SandboxRepository, ref: string): SandboxPull[] {
  const byBranch = repo.pulls.filter((pull) => pull.branch === ref);
  if (byBranch.length > 0) return byBranch;
  const commit = commitAt(repo, ref);
  if (commit === undefined) return [];
  const head = repo.branches[repo.defaultBranch];
  const main = head === undefined ? new Set<string>() : historyOf(repo, head);
  if (main.has(commit.sha))
    return repo.pulls.filter(
      (pull) =>
        pull.mergedAt !== undefined &&
        (pull.mergeSha === commit.sha || (pull.headSha === commit.sha && pull.mergeSha !== undefined)),
    );
  return repo.pulls.filter((pull) => {
    if (pull.state === 'closed' && pull.mergedAt === undefined) return false;
    return historyOf(repo, pull.headSha).has(commit.sha) && !main.has(commit.sha);
  });
}
