import type { LineageStep } from '#shared/api/delivery.ts';
import { counted } from '#shared/text.ts';
import type { JudgedPod, Running } from '../../cluster-model/index.ts';
import { imageReference } from './image-reference.ts';
import { hasPulled, type ImageUser, isSame } from './image-users.ts';
import { type Known, short, stepOf } from './lineage-steps.ts';
import type { ImageAsked } from './rollout.ts';

type Part = NonNullable<LineageStep['parts']>[number];

/**
 * Returns whether every workload's template has the image: while some have an older version it is being rolled out, and
 * says to how many. Each workload that has it in some version is a part.
 */
export function rolledStep(image: ImageAsked, users: readonly ImageUser[]): LineageStep {
  if (users.length === 0) return stepOf('rolled', 'not_reached', `no workload has the image ${image.image}`);
  const having = users.filter(hasCommit);
  const parts = users.map(partOf);
  if (having.length === 0) {
    const [only, ...more] = parts;
    const instead =
      more.length === 0 && only !== undefined
        ? `${only.name} ${only.detail}`
        : `${users.length} workloads have other versions of it`;
    return stepOf('rolled', 'not_reached', instead, { parts });
  }
  const at = having
    .flatMap((user) => user.at ?? [])
    .toSorted()
    .at(-1);
  const [first] = having;
  const where =
    having.length === 1 && first !== undefined ? nameOf(first) : counted(having.length, 'workload');
  const isWhole = having.length === users.length;
  const detail = isWhole ? `in ${where}` : `in ${having.length} of ${users.length} workloads`;
  return stepOf('rolled', isWhole ? 'done' : 'moving', detail, {
    ...(at === undefined ? {} : { at }),
    ...(users.length > 1 ? { parts } : {}),
  });
}

/** Returns whether pods of the workloads that have it are ready; running means in every workload that has the image. */
export function runningStep(
  rolled: LineageStep,
  image: ImageAsked,
  users: readonly ImageUser[],
  running: Known<Running>,
): LineageStep {
  if (rolled.state === 'not_read') return stepOf('running', 'not_read', rolled.detail);
  const having = users.filter(hasCommit);
  if (having.length === 0) return stepOf('running', 'not_reached', 'it is not rolled out');
  if (!running.ok) return stepOf('running', 'not_read', running.reason);
  const step = runningIn(image, having, running.value);
  if (users.length === 1) return step;
  const parts = users.map((user): Part => {
    if (!hasCommit(user)) return { ...partOf(user), detail: 'runs another version' };
    const { state, detail, at } = runningIn(image, [user], running.value);
    return { name: nameOf(user), state, detail, ...(at === undefined ? {} : { at }) };
  });
  if (having.length === users.length) return { ...step, parts };
  const done = parts.filter(({ state }) => state === 'done').length;
  const state = step.state === 'done' ? 'moving' : step.state;
  const { at } = step;
  return stepOf('running', state, `in ${done} of ${users.length} workloads; ${step.detail}`, {
    ...(at === undefined ? {} : { at }),
    parts,
  });
}

/** The running step of some workloads that have the image. */
function runningIn(image: ImageAsked, having: readonly ImageUser[], running: Running): LineageStep {
  const steady = having.filter(({ kind }) => kind !== 'CronJob');
  if (steady.length === 0) return ranStep(image, having, running);
  const pods = steady
    .flatMap((user) => podsWith(user, image, running))
    .filter(({ pod }) => pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed');
  const ready = pods.filter(isReady);
  const keys = new Set(steady.map(({ key }) => key));
  const desired = running.workloads
    .filter(({ row }) => keys.has(`${row.kind}/${row.namespace}/${row.name}`))
    .reduce((sum, { row }) => sum + (row.desired ?? 0), 0);
  const all = Math.max(desired, pods.length);
  if (all === 0) return stepOf('running', 'not_reached', 'it is scaled to 0 replicas');
  const failing = pods.find(({ verdict }) => verdict.state === 'failing');
  const why = failing === undefined ? '' : `; ${failing.pod.metadata.name} ${failing.verdict.reason}`;
  const state =
    ready.length === all ? 'done' : ready.length === 0 && failing !== undefined ? 'failed' : 'moving';
  const at = firstStart(ready);
  return stepOf('running', state, `${ready.length} of ${counted(all, 'pod')} ready${why}`, {
    ...(at === undefined ? {} : { at }),
  });
}

/** Returns the running step of a CronJob's image: done when a run with it passed or is in progress. */
function ranStep(image: ImageAsked, having: readonly ImageUser[], running: Running): LineageStep {
  const pods = having.flatMap((user) => podsWith(user, image, running));
  const good = pods.filter((judged) => judged.pod.status.phase === 'Succeeded' || isReady(judged));
  if (good.length > 0)
    return stepOf('running', 'done', `${counted(good.length, 'run')} of its CronJob with it`);
  const failing = pods.find(({ verdict }) => verdict.state === 'failing');
  return failing === undefined
    ? stepOf('running', 'not_reached', 'its CronJob has not run with it, as far as its pods are kept')
    : stepOf('running', 'failed', `${failing.pod.metadata.name} ${failing.verdict.reason}`);
}

function hasCommit({ version }: ImageUser): boolean {
  return version !== 'other';
}

/** Pods of a workload that run what its template has now: after a change of it the old ones are still there for a while. */
function podsWith(
  { key, reference, version }: ImageUser,
  requested: ImageAsked,
  running: Running,
): JudgedPod[] {
  return (running.podsOf.get(key) ?? []).filter(({ pod }) => {
    const images = pod.spec.containers.map(({ image }) => imageReference(image));
    if (version === 'same' && requested.digest !== undefined && hasPulled(pod, requested.digest)) return true;
    return images.some(
      (image) =>
        image?.name === reference.name &&
        (version === 'same'
          ? isSame(image, requested)
          : image.tag === reference.tag && image.digest === reference.digest),
    );
  });
}

function isReady({ pod }: JudgedPod): boolean {
  return pod.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function firstStart(pods: readonly JudgedPod[]): string | undefined {
  const [first] = pods
    .flatMap(({ pod }) =>
      pod.status.containerStatuses.flatMap(({ state }) => state?.running?.startedAt ?? []),
    )
    .map((time) => Date.parse(time))
    .filter((time) => !Number.isNaN(time))
    .toSorted((a, b) => a - b);
  return first === undefined ? undefined : new Date(first).toISOString();
}

function nameOf({ kind, name, namespace }: ImageUser): string {
  return `${kind} ${namespace}/${name}`;
}

function partOf(user: ImageUser): Part {
  const { tag, digest } = user.reference;
  const ref = tag ?? digest ?? 'latest';
  const called =
    tag === undefined ? ref.slice(0, 19) : `tag ${/^[0-9a-f]{40,64}$/.test(ref) ? short(ref) : ref}`;
  return {
    name: nameOf(user),
    state: hasCommit(user) ? 'done' : 'not_reached',
    ...(user.at === undefined ? {} : { at: user.at }),
    ref,
    detail: { same: `has ${called}`, later: `has ${called}, which has it`, other: `has ${called}` }[
      user.version
    ],
  };
}
