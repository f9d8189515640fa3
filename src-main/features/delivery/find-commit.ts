import { counted } from '#shared/text.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { CodeHost, Commit, Repository } from '../../sources/code-host/index.ts';
import { byLastPush, type RecentRuns, repositoriesRead } from '../runs/index.ts';
import { gatherUnread } from './unread.ts';

const workers = 4;

export type FoundCommit = { readonly repository: Repository; readonly commit: Commit };

export type CommitSearch = {
  readonly found: readonly FoundCommit[];
  /** Number of repositories that answered whether they have it. */
  readonly requests: number;
  /** Lookups that were not made, one sentence each. */
  readonly unmeasured: readonly string[];
};

/**
 * Looks for a commit, by its full or shortened id, in the repositories it may be in: those with a run on it when there are
 * any, the most recently pushed otherwise, or the one named. Never throws.
 */
export async function findCommit(
  codeHost: CodeHost,
  { repos, known }: RecentRuns,
  sha: string,
  only: string | undefined,
): Promise<CommitSearch> {
  const withRuns = repos.filter(({ runs }) => runs.some((run) => run.sha.startsWith(sha)));
  const candidates =
    withRuns.length > 0
      ? withRuns.map(({ repository }) => repository)
      : byLastPush(known.filter(({ name, empty }) => (only === undefined ? !empty : name === only)));
  const chosen = candidates.slice(0, repositoriesRead);
  const unmeasured: string[] = [];
  if (candidates.length > chosen.length) {
    const left = candidates.length - chosen.length;
    unmeasured.push(
      `The commit was not looked for in ${counted(left, 'repository', 'repositories')}: the ${repositoriesRead} most recently pushed are asked; choose one by name to ask it.`,
    );
  }
  const unread = gatherUnread();
  let requests = 0;
  const found = await inParallel(chosen, workers, async (repository): Promise<FoundCommit[]> => {
    const read = await codeHost.commit(repository.name, sha);
    if (!read.ok && read.kind !== 'not-found') {
      unread.add('The commit was not looked for in', repository.name, read.reason);
      return [];
    }
    requests += 1;
    // A branch or tag may have such a name, too.
    return read.ok && read.value.sha.startsWith(sha) ? [{ repository, commit: read.value }] : [];
  });
  return { found: found.flat(), requests, unmeasured: [...unmeasured, ...unread.sentences()] };
}
