import { counted } from '#shared/text.ts';
import type { Got, Repository, RepositoryList } from '../../sources/code-host/index.ts';

/** Number of repositories read by default, the most recently pushed first; others are read when named. */
export const repositoriesRead = 20;

/** Repositories in the order in which something last happened. */
export function byLastPush(repositories: readonly Repository[]): Repository[] {
  return repositories.toSorted((a, b) => (b.pushedAt ?? '').localeCompare(a.pushedAt ?? ''));
}

/**
 * Returns which repositories of a list to read: the most recently pushed ones, or the one that is named; and
 * what that leaves out.
 */
export function chooseRepositories(
  list: Got<RepositoryList>,
  only: string | undefined,
  /** The kind of data read from each, such as `Runs`. */
  what: string,
): { readonly chosen: readonly Repository[]; readonly unmeasured: readonly string[] } {
  const { items, truncated } = list.value;
  const unmeasured: string[] = [];
  if (list.stale !== undefined) unmeasured.push(`The list of repositories is an older one: ${list.stale}.`);
  if (truncated) unmeasured.push('The list of repositories was cut short: there are more than 1,000.');
  const candidates = byLastPush(
    items.filter(({ name, archived, empty }) => (only === undefined ? !archived && !empty : name === only)),
  );
  if (only !== undefined && candidates.length === 0)
    unmeasured.push(`${only} was not read: it is not among the repositories of the App's installation.`);
  const chosen = candidates.slice(0, repositoriesRead);
  const left = candidates.length - chosen.length;
  if (left > 0) {
    unmeasured.push(
      `${what} of ${counted(left, 'repository', 'repositories')} were not read: those of the ${repositoriesRead} most recently pushed are; choose one by name to read it.`,
    );
  }
  return { chosen, unmeasured };
}
