import type { LineageStep } from '#shared/api/delivery.ts';
import type { Commit, PullRequest, WorkflowRun } from '../../sources/code-host/index.ts';
import type { ManifestRead } from '../../sources/registry/index.ts';

type Part = NonNullable<LineageStep['parts']>[number];
type Facts = Pick<LineageStep, 'at' | 'ref' | 'url' | 'parts'>;

/** A requested value, or the clause that says why there is none. */
export type Known<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** One step; `detail` is a clause without a full stop. `done` is absent when it was not read. */
export function stepOf(
  step: LineageStep['step'],
  state: LineageStep['state'],
  detail: string,
  facts: Facts = {},
): LineageStep {
  return { step, ...(state === 'not_read' ? {} : { done: state === 'done' }), state, detail, ...facts };
}

export type Merge = {
  readonly commit: Commit;
  readonly branch: string;
  /** Whether the default branch has the commit. */
  readonly contained: Known<boolean>;
  /** Its pull request, where it has one. */
  readonly pull: Known<PullRequest | undefined>;
};

/** Returns whether the default branch has the commit, and how it came there. */
export function mergedStep({ commit, branch, contained, pull }: Merge): LineageStep {
  const request = pull.ok ? pull.value : undefined;
  const named = request === undefined ? undefined : `pull request #${request.number}`;
  const facts: Facts =
    request === undefined
      ? { ref: short(commit.sha), url: commit.htmlUrl }
      : { ref: `#${request.number}`, url: request.htmlUrl };
  if (!contained.ok)
    return stepOf('merged', 'not_read', `whether ${branch} has it was not read: ${contained.reason}`, facts);
  if (contained.value) {
    const at = request?.mergedAt;
    if (at !== undefined)
      return stepOf('merged', 'done', `merged to ${branch} by ${named}`, { at, ...facts });
    const path = pull.ok
      ? `pushed to ${branch} without a merged pull request`
      : `on ${branch}; its pull request was not read: ${pull.reason}`;
    return stepOf('merged', 'done', path, { at: commit.at, ref: short(commit.sha), url: commit.htmlUrl });
  }
  if (request === undefined) return stepOf('merged', 'not_reached', `${branch} does not have it`, facts);
  if (request.mergedAt !== undefined)
    return stepOf('merged', 'not_reached', `${named} was merged as another commit, or into another branch`, {
      at: request.mergedAt,
      ...facts,
    });
  return request.state === 'open'
    ? stepOf('merged', 'moving', `${named} is open`, facts)
    : stepOf('merged', 'failed', `${named} was closed without a merge`, facts);
}

/** `runs`: the newest of each agent's workflow on the head of the pull request. */
export function agentsStep(pull: Known<PullRequest | undefined>, runs: Known<readonly WorkflowRun[]>) {
  if (!pull.ok) return stepOf('agents', 'not_read', `its pull request was not read: ${pull.reason}`);
  if (pull.value === undefined)
    return stepOf('agents', 'not_reached', 'it has no pull request: no agent saw it');
  const named = `pull request #${pull.value.number}`;
  if (!runs.ok) return stepOf('agents', 'not_read', `the runs on ${named} were not read: ${runs.reason}`);
  return ofRuns('agents', runs.value, `no agent ran on ${named}`);
}

/** `runs`: the newest of each workflow that delivers on the commit, or on the later one that carries it. */
export function builtStep(commit: string, carrier: string, runs: Known<readonly WorkflowRun[]>): LineageStep {
  if (!runs.ok) return stepOf('built', 'not_read', `its workflow runs were not read: ${runs.reason}`);
  const step = ofRuns('built', runs.value, 'no workflow that delivers ran on it');
  return commit === carrier ? step : { ...step, detail: `built as part of ${short(carrier)}` };
}

/** All well is done; one that failed decides, then one that still runs. Those that were skipped decide nothing. */
function ofRuns(step: 'agents' | 'built', runs: readonly WorkflowRun[], none: string): LineageStep {
  const parts = runs.map(partOf).toSorted((a, b) => a.name.localeCompare(b.name));
  const requested = parts.filter(({ state }) => state !== 'not_reached');
  const failed = requested.filter(({ state }) => state === 'failed');
  const moving = requested.filter(({ state }) => state === 'moving');
  const deciding = [failed, moving, requested].find(({ length }) => length > 0);
  const last = deciding?.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')).at(-1);
  if (deciding === undefined || last === undefined)
    return stepOf(step, 'not_reached', runs.length === 0 ? none : 'every run on it was skipped', {
      ...(parts.length > 0 ? { parts } : {}),
    });
  const detail =
    deciding === requested && requested.length > 1
      ? `all ${requested.length} passed`
      : deciding.map(({ name, detail }) => `${name} ${detail}`).join(', ');
  return stepOf(step, last.state, detail, {
    ...(last.at === undefined ? {} : { at: last.at }),
    ...(last.ref === undefined ? {} : { ref: last.ref }),
    ...(last.url === undefined ? {} : { url: last.url }),
    ...(parts.length > 1 || step === 'agents' ? { parts } : {}),
  });
}

function partOf(run: WorkflowRun): Part {
  const why = run.detail === undefined ? '' : ` (${run.detail})`;
  const facts = { name: run.name, ref: String(run.id), url: run.htmlUrl };
  switch (run.state) {
    case 'success':
      return { ...facts, state: 'done', at: run.updatedAt, detail: 'passed' };
    case 'failure':
      return { ...facts, state: 'failed', at: run.updatedAt, detail: `failed${why}` };
    case 'cancelled':
      return { ...facts, state: 'failed', at: run.updatedAt, detail: `was cancelled${why}` };
    case 'skipped':
      return { ...facts, state: 'not_reached', at: run.updatedAt, detail: `was skipped${why}` };
    case 'running':
      return { ...facts, state: 'moving', at: run.startedAt ?? run.createdAt, detail: 'is running' };
    case 'queued':
      return { ...facts, state: 'moving', at: run.createdAt, detail: 'is queued' };
    case 'waiting':
      return { ...facts, state: 'moving', at: run.createdAt, detail: `waits for a person${why}` };
  }
}

/** Longest an image may take from the end of its build to the registry before it counts as missing, in ms. */
const pushTakes = 10 * 60_000;

/** `tags`: the requested ones; `now` in epoch ms. */
export function registryStep(
  read: ManifestRead,
  tags: readonly string[],
  built: LineageStep,
  now: number,
): LineageStep {
  if (read.ok && read.value !== undefined) {
    const { tag, digest } = read.value;
    return stepOf('registry', 'done', `tag ${tag}, ${digest.slice(0, 19)}`, { ref: digest });
  }
  if (built.state !== 'done' && built.state !== 'not_read')
    return stepOf('registry', 'not_reached', waitsFor[built.state]);
  if (!read.ok) return stepOf('registry', 'not_read', read.reason);
  const missing = `the registry has no image with the tag ${tags.join(' or ')}`;
  if (built.state === 'not_read') return stepOf('registry', 'not_reached', missing);
  return built.at !== undefined && now - Date.parse(built.at) < pushTakes
    ? stepOf('registry', 'moving', `${missing} yet; the build ended less than 10 minutes ago`)
    : stepOf('registry', 'failed', `${missing}, although the build passed`);
}

const waitsFor = {
  moving: 'it is being built',
  failed: 'its build failed',
  not_reached: 'it was not built',
} as const;

/** A commit as people name it. */
export function short(id: string): string {
  return id.slice(0, 7);
}
