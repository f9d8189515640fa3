import type { RouteOf } from '#shared/api/index.ts';
import type { Reading } from '#shared/api/reading.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { counted } from '#shared/text.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { type RecentRuns, recentRuns } from '../runs/index.ts';
import {
  type CommitPath,
  type CommitPathParts,
  type CommitPathRequest,
  commitPathOf,
} from './commit-path.ts';
import { deliveringWorkflows, undecided } from './delivering.ts';
import { findCommit } from './find-commit.ts';
import { type Known, short } from './lineage-steps.ts';
import { type Shipped, shippedBy } from './shipped.ts';
import { gatherUnread, type Unread } from './unread.ts';

type Answer = RouteAnswer<RouteOf<'delivery.lineage'>>;

/** Number of images read at a time. */
const workers = 4;

/**
 * Deadline for starting a read, in ms: later images are not read, so that a slow code host does not delay the
 * page.
 */
const allBegunWithin = 8_000;

export type LineageParts = CommitPathParts & {
  /** Host of the registry, with its port. */
  readonly registryHost: string;
};

/** `GET /api/lineage`: the way of each image's newest commit. Never throws; what was not read is in `unmeasured`. */
export async function lineage(parts: LineageParts, repo: string | undefined): Promise<Answer> {
  const { codeHost, now } = parts;
  const recent = await recentRuns(codeHost, now, repo);
  const notRead = [...recent.unmeasured, ...undecided(recent)];
  const delivering = new Set(deliveringWorkflows(recent).map(({ repository }) => repository.name));
  const chosen = recent.repos.filter(({ repository }) => delivering.has(repository.name));
  if (chosen.length === 0) return { images: [], ...reading(recent, notRead) };
  const imageOf = await imageNames(codeHost, parts.registryHost);
  if (!imageOf.ok) return { images: [], ...reading(recent, [...notRead, imageOf.reason]) };

  const unread = gatherUnread();
  const deadline = AbortSignal.timeout(allBegunWithin);
  const paths = await inParallel(chosen, workers, async ({ repository, runs }): Promise<CommitPath[]> => {
    const { name, defaultBranch } = repository;
    if (deadline.aborted) {
      unread.add('The way was not read for', name, 'the code host was too slow to answer');
      return [];
    }
    const read = await codeHost.commit(name, defaultBranch);
    const head = unread.known('The newest commit was', name, read);
    if (!head.ok) return [];
    const requested = { repository, runs, commit: head.value, head, image: imageOf.value(name) };
    return [await commitPathOf(parts, requested, unread)];
  });
  return {
    images: paths.flat().map(({ image }) => image),
    ...reading(recent, [...notRead, ...unread.sentences()]),
  };
}

/** `GET /api/lineage?sha=`: whether that commit shipped, in each repository that has it. Never throws. */
export async function lineageOfCommit(
  parts: LineageParts,
  sha: string,
  repo: string | undefined,
): Promise<Answer> {
  const { codeHost, now } = parts;
  const recent = await recentRuns(codeHost, now, repo);
  if (recent.source === 'unavailable')
    return { sha, shipped: 'unknown', images: [], ...reading(recent, recent.unmeasured) };
  const { found, requests: requested, unmeasured } = await findCommit(codeHost, recent, sha, repo);
  const [first] = found;
  if (first === undefined) {
    const answer = `No repository that was read has a commit ${short(sha)}; ${counted(requested, 'repository was', 'repositories were')} asked for it.`;
    const notRead = [...recent.unmeasured, ...unmeasured];
    return { sha, shipped: 'unknown', answer, images: [], ...reading(recent, notRead) };
  }
  const imageOf = await imageNames(codeHost, parts.registryHost);
  if (!imageOf.ok) {
    const answer = `${short(sha)} is in ${first.repository.name}, but its image was not looked for.`;
    return { sha, shipped: 'unknown', answer, images: [], ...reading(recent, [imageOf.reason]) };
  }
  const unread = gatherUnread();
  const notRead = new Set(unmeasured);
  const paths = await inParallel(found, workers, async ({ repository, commit }) => {
    const { name, defaultBranch } = repository;
    const [own, read] = await Promise.all([
      recentRuns(codeHost, now, name),
      codeHost.commit(name, defaultBranch),
    ]);
    for (const sentence of own.unmeasured) notRead.add(sentence);
    const head = unread.known('The newest commit was', name, read);
    const [runs] = own.repos;
    const requested = { repository, runs: runs?.runs, commit, head, image: imageOf.value(name) };
    return followed(parts, requested, await commitPathOf(parts, requested, unread), unread);
  });
  return {
    sha: found.length === 1 ? first.commit.sha : sha,
    ...inOneAnswer(sha, paths),
    images: paths.map(({ image }) => image),
    ...reading(recent, [...notRead, ...unread.sentences()]),
  };
}

/** The way of what a commit became where its pull request was merged as another one (squashed or rebased). */
async function followed(
  parts: LineageParts,
  requested: CommitPathRequest,
  path: CommitPath,
  unread: Unread,
): Promise<CommitPath> {
  const { commit, repository } = requested;
  if (path.mergeSha === undefined || path.mergeSha === commit.sha) return path;
  const read = await parts.codeHost.commit(repository.name, path.mergeSha);
  const merged = unread.known('The commit it was merged as was', repository.name, read);
  if (!merged.ok) return path;
  return {
    ...(await commitPathOf(parts, { ...requested, commit: merged.value }, unread)),
    became: commit.sha,
  };
}

function inOneAnswer(sha: string, paths: readonly CommitPath[]): Shipped {
  const answers = paths.map(shippedBy);
  const [first, ...others] = answers;
  if (first !== undefined && others.length === 0) return first;
  const same = first !== undefined && others.every(({ shipped }) => shipped === first.shipped);
  const names = paths.map(({ image }) => image.repo).join(', ');
  return {
    shipped: same ? first.shipped : 'unknown',
    answer: `${paths.length} repositories have a commit ${short(sha)} (${names}): choose one by name.`,
  };
}

/**
 * Returns the names of a repository's image: registry, organisation and repository, in lower case as OCI
 * requires.
 */
async function imageNames(
  codeHost: CodeHost,
  registryHost: string,
): Promise<Known<(repo: string) => string>> {
  const installation = await codeHost.installation();
  if (!installation.ok) {
    const reason = `The images were not looked for, because the organisation was not read: ${installation.reason}.`;
    return { ok: false, reason };
  }
  const prefix = `${registryHost}/${installation.value.org.toLowerCase()}`;
  return { ok: true, value: (repo) => `${prefix}/${repo.toLowerCase()}` };
}

function reading({ source, readAt }: RecentRuns, unmeasured: readonly string[]): Reading {
  return {
    source,
    complete: unmeasured.length === 0,
    read_at: new Date(readAt).toISOString(),
    unmeasured: [...unmeasured],
  };
}
