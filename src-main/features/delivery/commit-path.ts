import type { LineageImage } from '#shared/api/delivery.ts';
import type {
  CodeHost,
  Commit,
  PullRequest,
  Repository,
  WorkflowRun,
} from '../../sources/code-host/index.ts';
import type { Registry } from '../../sources/registry/index.ts';
import { delivers, newestOfEach, runsInAList } from './delivering.ts';
import { agentsStep, builtStep, type Known, mergedStep, registryStep } from './lineage-steps.ts';
import { type ReadRollout, rolloutOf } from './rollout.ts';
import type { Unread } from './unread.ts';
import { whereOf } from './where.ts';

export type CommitPathParts = {
  readonly codeHost: CodeHost;
  readonly registry: Registry;
  readonly rollout: ReadRollout;
  /** Epoch ms. */
  readonly now: () => number;
};

/** A request for the path of a commit, with what was read already. */
export type CommitPathRequest = {
  readonly repository: Repository;
  /** The repository's newest runs; undefined when they were not read. */
  readonly runs: readonly WorkflowRun[] | undefined;
  readonly commit: Commit;
  /** Head of the default branch. */
  readonly head: Known<Commit>;
  /** Without tag. */
  readonly image: string;
};

export type CommitPath = {
  readonly image: LineageImage;
  /** True when the pull request was merged, and the default branch has its change as another commit. */
  readonly mergedAsAnother: boolean;
  /** SHA of that other commit, where the code host reports it. */
  readonly mergeSha: string | undefined;
  /** The requested commit, when this is the path of the commit it was merged as. */
  readonly became?: string;
  /** True when the registry was read and has no image of it. */
  readonly noImage: boolean;
};

/**
 * The way of one commit from merge to running pod. Costs one read of the commit's pull requests and one of the registry;
 * more only where the newest runs do not reach back to the commit, or it is not the head. Never throws.
 */
export async function commitPathOf(
  parts: CommitPathParts,
  requested: CommitPathRequest,
  unread: Unread,
): Promise<CommitPath> {
  const { repository, commit, head, image } = requested;
  const [contained, pull, own] = await Promise.all([
    containedIn(parts.codeHost, requested, unread),
    pullOf(parts.codeHost, requested, unread),
    runsOn(parts.codeHost, requested, commit.sha, unread),
  ]);
  const agentRuns: Known<readonly WorkflowRun[]> =
    pull.ok && pull.value !== undefined
      ? await runsOn(parts.codeHost, requested, pull.value.headSha, unread)
      : { ok: true, value: [] };
  const merged = mergedStep({ commit, branch: repository.defaultBranch, contained, pull });
  const agents = agentsStep(pull, mapped(agentRuns, agentsOf));
  const build = await buildOf(parts.codeHost, requested, own, head, unread);
  const built = builtStep(commit.sha, build.carrier, build.runs);

  const tags = [build.carrier, `sha-${build.carrier.slice(0, 7)}`];
  const manifest = await parts.registry.manifest(image, tags);
  if (!manifest.ok) unread.add('The registry was not read for', repository.name, manifest.reason);
  const registry = registryStep(manifest, tags, built, parts.now());
  const { tag, digest } = (manifest.ok ? manifest.value : undefined) ?? {};
  const {
    rolled,
    running,
    unmeasured = [],
  } = await rolloutOf(
    parts.rollout,
    { image, repo: repository.name, sha: build.carrier, tag, digest },
    registry,
  );
  for (const sentence of unmeasured) unread.say(sentence);
  const steps = [merged, agents, built, registry, rolled, running];
  const mergedAsAnother = contained.ok && !contained.value && pull.ok && pull.value?.mergedAt !== undefined;
  return {
    mergedAsAnother,
    mergeSha: mergedAsAnother ? pull.value?.mergeSha : undefined,
    noImage: manifest.ok && manifest.value === undefined,
    image: {
      image,
      repo: repository.name,
      ...(tag === undefined ? {} : { tag }),
      ...(digest === undefined ? {} : { digest }),
      sha: commit.sha,
      title: commit.message.split('\n', 1)[0] ?? '',
      ...(commit.author === undefined ? {} : { author: commit.author }),
      steps,
      where: whereOf(steps),
    },
  };
}

async function containedIn(
  codeHost: CodeHost,
  { repository, commit, head }: CommitPathRequest,
  unread: Unread,
): Promise<Known<boolean>> {
  if (!head.ok) return head;
  if (head.value.sha === commit.sha) return { ok: true, value: true };
  return unread.known(
    'The comparison with the default branch was',
    repository.name,
    await codeHost.contains(repository.name, commit.sha, head.value.sha),
  );
}

/** The pull request that brought the commit: one that was merged before one that was not. */
async function pullOf(
  codeHost: CodeHost,
  { repository, commit }: CommitPathRequest,
  unread: Unread,
): Promise<Known<PullRequest | undefined>> {
  const read = await codeHost.pullsOf(repository.name, commit.sha);
  return mapped(unread.known('Pull requests were', repository.name, read), (pulls) => {
    const merged = pulls.find(({ mergedAt }) => mergedAt !== undefined);
    return merged ?? pulls.find(({ state }) => state === 'open') ?? pulls[0];
  });
}

/** Returns the runs on a commit: from the newest ones if those reach back to it, otherwise by a request. */
async function runsOn(
  codeHost: CodeHost,
  { repository, runs, commit }: CommitPathRequest,
  sha: string,
  unread: Unread,
): Promise<Known<readonly WorkflowRun[]>> {
  if (runs !== undefined) {
    const found = runs.filter((run) => run.sha === sha);
    const oldest = runs.at(-1);
    const reachesBack =
      oldest === undefined ||
      runs.length < runsInAList ||
      // The runs of a commit lie together, and none is older than the commit.
      (found.length > 0 && oldest.sha !== sha) ||
      (sha === commit.sha && oldest.createdAt < commit.at);
    if (reachesBack) return { ok: true, value: found };
  }
  const read = await codeHost.workflowRunsOf(repository.name, sha);
  return unread.known('Runs on one commit were', repository.name, read);
}

function agentsOf(runs: readonly WorkflowRun[]): WorkflowRun[] {
  return newestOfEach(
    runs.filter(
      ({ family, event }) =>
        family !== 'other' && (event === 'pull_request' || event === 'pull_request_target'),
    ),
  );
}

/**
 * The runs that built the commit: its own, or, where those did not end well, those of the newest commit that was built
 * and has it (`carrier`).
 */
async function buildOf(
  codeHost: CodeHost,
  { repository, runs, commit }: CommitPathRequest,
  own: Known<readonly WorkflowRun[]>,
  head: Known<Commit>,
  unread: Unread,
): Promise<{ carrier: string; runs: Known<readonly WorkflowRun[]> }> {
  const ofCommit = mapped(own, (all) => newestOfEach(all.filter((run) => delivers(repository, run))));
  const here = { carrier: commit.sha, runs: ofCommit };
  const isHead = head.ok && head.value.sha === commit.sha;
  if (isHead || (ofCommit.ok && endedWell(ofCommit.value))) return here;
  const delivering = runs?.filter((run) => delivers(repository, run)) ?? [];
  const later = [...Map.groupBy(delivering, ({ sha }) => sha)]
    .map(([sha, group]) => ({ sha, runs: newestOfEach(group) }))
    .find((group) => group.sha !== commit.sha && endedWell(group.runs));
  if (later === undefined) return here;
  const read = await codeHost.contains(repository.name, commit.sha, later.sha);
  const has = unread.known('The comparison with what was built last was', repository.name, read);
  return has.ok && has.value ? { carrier: later.sha, runs: { ok: true, value: later.runs } } : here;
}

function endedWell(runs: readonly WorkflowRun[]): boolean {
  const requested = runs.filter(({ state }) => state !== 'skipped');
  return requested.length > 0 && requested.every(({ state }) => state === 'success');
}

function mapped<T, R>(known: Known<T>, map: (value: T) => R): Known<R> {
  return known.ok ? { ok: true, value: map(known.value) } : known;
}
