import type { AgentConfig } from '#shared/api/code-host.ts';
import type { Reading } from '#shared/api/reading.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { CodeHost, Repository } from '../../sources/code-host/index.ts';
import { chooseRepositories } from '../runs/index.ts';

/** Number of repositories read at a time. */
const workers = 4;

/**
 * Deadline for starting a read, in ms: later repositories are not read, so that a slow code host does not
 * delay the page.
 */
const allBegunWithin = 8_000;

/** A file of the platform in one repository, at the head of its default branch. */
export type PlatformFile = {
  readonly repo: string;
  /** URL of the file at that commit. */
  readonly url: string;
  /** The commit it was read at. */
  readonly commit: string | undefined;
  /** `none`: the repository has no such file; `unread`: it may have one. */
  readonly state: AgentConfig['file'];
  /** Where it was read. */
  readonly text?: string;
};

export type PlatformFileSearch = {
  /** Path in every repository. */
  readonly path: string;
  /** What the files hold, such as `Settings of agents`, for sentences. */
  readonly what: string;
  /** The one repository to read. */
  readonly only?: string | undefined;
};

type FileRead = {
  readonly file: PlatformFile;
  readonly readAt?: number;
  readonly unmeasured: readonly string[];
};

/** Reads one file of every repository at its head. Never throws; what was not read is in `unmeasured`. */
export async function readPlatformFiles(
  codeHost: CodeHost,
  now: () => number,
  { path, what, only }: PlatformFileSearch,
): Promise<{ readonly files: readonly PlatformFile[]; readonly reading: Reading }> {
  const list = await codeHost.repositories();
  if (!list.ok) {
    const reading = {
      source: 'unavailable',
      complete: false,
      read_at: new Date(now()).toISOString(),
      unmeasured: [`The repositories were not read: ${list.reason}.`],
    };
    return { files: [], reading };
  }
  const choice = chooseRepositories(list, only, what);
  const deadline = AbortSignal.timeout(allBegunWithin);
  const read = await inParallel(choice.chosen, workers, (repository) =>
    deadline.aborted
      ? unread(path, repository, undefined, 'the code host was too slow to answer')
      : readFile(codeHost, path, repository),
  );
  const unmeasured = [...choice.unmeasured, ...read.flatMap((one) => one.unmeasured)];
  return {
    files: read.map(({ file }) => file),
    reading: {
      source: codeHost.source,
      complete: unmeasured.length === 0,
      read_at: new Date(
        Math.min(list.readAt, ...read.map(({ readAt }) => readAt ?? list.readAt)),
      ).toISOString(),
      unmeasured,
    },
  };
}

/** The file at the head of the default branch: the commit first, so that the answer names what it was read from. */
async function readFile(codeHost: CodeHost, path: string, repository: Repository): Promise<FileRead> {
  const { name, defaultBranch } = repository;
  const head = await codeHost.commit(name, defaultBranch);
  if (!head.ok) return unread(path, repository, undefined, head.reason);
  const { sha } = head.value;
  const unmeasured = head.stale === undefined ? [] : [`The head of ${name} is an older one: ${head.stale}.`];
  const file = await codeHost.file(name, path, sha);
  const { readAt } = head;
  const base = fileOf(path, repository, sha);
  if (file.ok) return { file: { ...base, state: 'read', text: file.value }, readAt, unmeasured };
  if (file.kind === 'not-found') return { file: { ...base, state: 'none' }, readAt, unmeasured };
  return unread(path, repository, sha, file.reason);
}

async function unread(
  path: string,
  repository: Repository,
  sha: string | undefined,
  reason: string,
): Promise<FileRead> {
  return {
    file: { ...fileOf(path, repository, sha), state: 'unread' },
    unmeasured: [`${path} of ${repository.name} was not read: ${reason}.`],
  };
}

function fileOf(path: string, { name, htmlUrl, defaultBranch }: Repository, commit: string | undefined) {
  const at = commit ?? defaultBranch.split('/').map(encodeURIComponent).join('/');
  return { repo: name, url: `${htmlUrl}/blob/${at}/${path}`, commit };
}
