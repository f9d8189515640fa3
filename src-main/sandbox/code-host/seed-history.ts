import { commit, commitId, pull } from './builders.ts';
import { chance } from './seed-runs.ts';
import type { SeedChange, SeedPlatform } from './seed-schema.ts';
import type { SandboxCommit, SandboxPull } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** One change with its commits and its pull request, before its runs. */
export type MadeChange = {
  readonly change: SeedChange;
  /** Times it was opened and merged; both in epoch ms. */
  readonly openedAt: number;
  readonly mergedAt: number | undefined;
  readonly head: SandboxCommit;
  /** On the default branch; absent while it is open. */
  readonly merge: SandboxCommit | undefined;
  readonly pull: SandboxPull;
};

/**
 * Returns the time each change was merged, or opened while it is open: by its age, or spread over working
 * hours of the days before the last one that has an age.
 */
export function timesOf(spec: SeedPlatform, now: number): number[] {
  const aged = spec.changes.findLastIndex(({ age }) => age !== undefined);
  const from = spec.changes[aged]?.age ?? 0;
  const left = spec.changes.length - aged - 1;
  const stride = (spec.days * day - from) / Math.max(left, 1);
  return spec.changes.map(({ age, title }, index) => {
    if (age !== undefined) return now - age;
    const about = now - from - stride * (index - aged) + stride * 0.6 * (chance(spec.name, title) - 0.5);
    return workingHour(about, chance(title, 'hour'));
  });
}

/** A moment between 8 and 17 UTC on the day of `at`, or on the Friday before a weekend. */
function workingHour(at: number, share: number): number {
  const midnight = at - (at % day);
  const weekday = new Date(midnight).getUTCDay();
  const back = weekday === 6 ? 1 : weekday === 0 ? 2 : 0;
  return midnight - back * day + 8 * hour + share * 9 * hour;
}

/** Commits and pull requests of a repository's changes, newest first as they are given. */
export function makeChanges(
  repo: string,
  changes: readonly SeedChange[],
  times: readonly number[],
  author: (change: SeedChange) => string,
): MadeChange[] {
  let parent = commitId(repo, 'first');
  const oldestFirst = changes
    .map((change, index) => ({ change, at: times[index] ?? 0 }))
    .toSorted((a, b) => a.at - b.at);
  return oldestFirst.map(({ change, at }, index) => {
    const { title, open } = change;
    const number = index + 1;
    const mergedAt = open ? undefined : at;
    const openedAt = open ? at : at - (40 + 160 * chance(repo, title)) * minute;
    const by = author(change);
    const head = commit({
      sha: commitId(repo, title, 'head'),
      parents: [parent],
      message: title,
      author: by,
      at: openedAt - 3 * minute,
    });
    const merge =
      mergedAt === undefined
        ? undefined
        : commit({
            sha: commitId(repo, title, 'merge'),
            parents: [parent],
            message: `${title} (#${number})`,
            author: by,
            at: mergedAt,
          });
    if (merge !== undefined) parent = merge.sha;
    const request = pull({
      number,
      title,
      body: `${title}.`,
      author: by,
      branch: branchOf(title),
      headSha: head.sha,
      state: open ? 'open' : 'closed',
      createdAt: openedAt,
      updatedAt: mergedAt ?? openedAt,
      mergedAt,
      mergeSha: merge?.sha,
    });
    return { change, openedAt, mergedAt, head, merge, pull: request };
  });
}

function branchOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/-$/, '');
}
