import { inParallel } from '../../base/in-parallel.ts';
import {
  byDeadline,
  type CodeHost,
  type NotRead,
  type Page,
  type Read,
  type Repository,
  type WorkflowRun,
} from '../../sources/code-host/index.ts';
import { chooseRepositories } from './choose-repositories.ts';

/** Number of repositories read at a time. */
const workers = 4;

/**
 * Deadline in ms: what has not answered by then is reported as not read, so that an unresponsive code host
 * does not delay the page.
 */
const allReadWithin = 8_000;

const tooSlow: NotRead = { ok: false, kind: 'unavailable', reason: 'the code host was too slow to answer' };

export type RepositoryRuns = {
  readonly repository: Repository;
  readonly runs: readonly WorkflowRun[];
  /** Whether the repository has runs that are older than those, which are not read. */
  readonly hasOlder: boolean;
  /** Reason an older answer is shown, a clause. */
  readonly stale: string | undefined;
};

export type RecentRuns = {
  /** `github`, or `unavailable` when the repositories could not be listed or none of them could be read. */
  readonly source: string;
  readonly complete: boolean;
  /** Login of the organisation; undefined when it was not read. */
  readonly org: string | undefined;
  /** The oldest of the reads, epoch ms. */
  readonly readAt: number;
  readonly unmeasured: readonly string[];
  readonly repos: readonly RepositoryRuns[];
  /** All repositories that can be requested by name. */
  readonly known: readonly Repository[];
};

/**
 * Reads the newest runs of the most active repositories, or of the requested one: the one read behind every
 * page about runs and delivery. Never throws; what was not read is in `unmeasured`, one sentence each.
 */
export async function recentRuns(codeHost: CodeHost, now: () => number, only?: string): Promise<RecentRuns> {
  const [installation, list] = await Promise.all([codeHost.installation(), codeHost.repositories()]);
  const org = installation.ok ? installation.value.org : undefined;
  if (!list.ok) {
    const unmeasured = [`The repositories were not read: ${list.reason}.`];
    return { source: 'unavailable', complete: false, org, readAt: now(), unmeasured, repos: [], known: [] };
  }
  const choice = chooseRepositories(list, only, 'Runs');
  const { chosen } = choice;
  const unmeasured = [...choice.unmeasured];
  const deadline = AbortSignal.timeout(allReadWithin);
  const read = await inParallel(chosen, workers, async (repository) => ({
    repository,
    runs: await byDeadline<Read<Page<WorkflowRun>>>(deadline, tooSlow, () =>
      codeHost.workflowRuns(repository.name),
    ),
  }));
  const repos: RepositoryRuns[] = [];
  const unread: { name: string; reason: string }[] = [];
  const stale: { name: string; reason: string }[] = [];
  let readAt = list.readAt;
  for (const { repository, runs } of read) {
    const { name } = repository;
    if (!runs.ok) {
      unread.push({ name, reason: runs.reason });
      continue;
    }
    if (runs.stale !== undefined) stale.push({ name, reason: runs.stale });
    readAt = Math.min(readAt, runs.readAt);
    repos.push({ repository, runs: runs.value.items, hasOlder: runs.value.more, stale: runs.stale });
  }
  unmeasured.push(...sentences(unread, (names, reason) => `Runs of ${names} were not read: ${reason}.`));
  unmeasured.push(...sentences(stale, (names, reason) => `Runs of ${names} are older ones: ${reason}.`));
  return {
    source: chosen.length > 0 && repos.length === 0 ? 'unavailable' : codeHost.source,
    complete: unmeasured.length === 0,
    org,
    readAt,
    unmeasured,
    repos,
    known: list.value.items,
  };
}

/**
 * Says of which repositories runs since `since` (epoch ms) may be missing, because only their newest hundred are read; one sentence, or
 * none.
 */
export function olderRunsGap({ repos }: Pick<RecentRuns, 'repos'>, since = 0): string[] {
  const cut = repos.filter(
    ({ hasOlder, runs }) => hasOlder && runs.every(({ createdAt }) => Date.parse(createdAt) > since),
  );
  const byCount = Map.groupBy(cut, ({ runs }) => runs.length);
  return [...byCount].map(([count, group]) => {
    const names = group.map(({ repository }) => repository.name);
    return `Only the newest ${count} runs of ${new Intl.ListFormat('en-GB').format(names)} were read; older ones were not.`;
  });
}

/**
 * Returns one sentence for each reason, with all it applies to: an unreachable code host is reported once,
 * not twelve times.
 */
function sentences(
  about: readonly { readonly name: string; readonly reason: string }[],
  sentence: (names: string, reason: string) => string,
): string[] {
  const byReason = Map.groupBy(about, ({ reason }) => reason);
  return [...byReason].map(([reason, group]) =>
    sentence(new Intl.ListFormat('en-GB').format(group.map(({ name }) => name)), reason),
  );
}
