import type { Run } from '#shared/api/runs.ts';
import { counted } from '#shared/text.ts';
import type { ObjectOf, PodObject, resources } from '../../cluster-model/index.ts';
import { clipped, judgePod } from '../../cluster-model/index.ts';
import { kubeTime } from './kube-time.ts';
import { seconds } from './workflow-run.ts';

/** A Job as it is read. */
export type Job = ObjectOf<typeof resources.jobs>;

/** The state of a Job's run, in the same form in every list. */
export type JobRunState = Pick<Run, 'state' | 'detail' | 'started' | 'took_seconds'>;

/** Pods by the Job that made them, under `jobKey`. */
export type PodsByJob = ReadonlyMap<string, readonly PodObject[]>;

/** Returns a string that identifies a Job among all. */
const jobKey = ({ name, namespace }: { name: string; namespace?: string | undefined }): string =>
  `${namespace ?? ''}/${name}`;

const known = new WeakMap<readonly PodObject[], PodsByJob>();

/** Pods that Jobs made, by their Job. Grouped once for the same pods. */
export function podsByJob(pods: readonly PodObject[]): PodsByJob {
  const found = known.get(pods) ?? groupByJob(pods);
  known.set(pods, found);
  return found;
}

function groupByJob(pods: readonly PodObject[]): PodsByJob {
  const byJob = new Map<string, PodObject[]>();
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences.find(({ kind }) => kind === 'Job');
    if (owner === undefined) continue;
    const key = jobKey({ name: owner.name, namespace: pod.metadata.namespace });
    const known = byJob.get(key);
    if (known === undefined) byJob.set(key, [pod]);
    else known.push(pod);
  }
  return byJob;
}

/**
 * Returns the state of a Job from its conditions and counts (batch/v1 JobStatus), with why it failed as far
 * as its pods still show it. `now` in epoch ms.
 */
export function jobRunState(job: Job, pods: PodsByJob, now: number): JobRunState {
  const { status, metadata, spec } = job;
  const began = kubeTime(status?.startTime);
  const started = new Date(began ?? kubeTime(metadata.creationTimestamp) ?? now).toISOString();
  const own = pods.get(jobKey(metadata)) ?? [];
  const ended = status?.conditions.find(
    ({ type, status: holds }) => holds === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  const stateOf = (state: Run['state'], detail: string | undefined, end: number | undefined) => ({
    state,
    ...(detail === undefined ? {} : { detail }),
    started,
    ...(began === undefined || end === undefined ? {} : { took_seconds: seconds(began, end) }),
  });
  if (ended?.type === 'Complete')
    return stateOf(
      'success',
      undefined,
      kubeTime(status?.completionTime) ?? kubeTime(ended.lastTransitionTime),
    );
  if (ended !== undefined)
    return stateOf('failure', whyFailed(ended, own, now), kubeTime(ended.lastTransitionTime));
  if (spec.suspend === true) return stateOf('waiting', 'suspended', undefined);
  const failed = status?.failed ?? 0;
  const tries = failed > 0 ? `${counted(failed, 'try', 'tries')} failed so far` : undefined;
  const detail = whyNot(own, now) ?? tries;
  return began === undefined ? stateOf('queued', detail, undefined) : stateOf('running', detail, now);
}

/** Returns the start of a Job, epoch ms: lists are ordered by it. */
export function jobBegan({ status, metadata }: Job): number {
  return kubeTime(status?.startTime) ?? kubeTime(metadata.creationTimestamp) ?? 0;
}

type Condition = { readonly reason?: string | undefined; readonly message?: string | undefined };

function whyFailed(
  { reason, message }: Condition,
  pods: readonly PodObject[],
  now: number,
): string | undefined {
  if (reason === 'DeadlineExceeded') return 'ran out of time';
  return whyNot(pods, now) ?? (message === undefined ? reason : clipped(message));
}

/** Returns why the newest unhealthy pod fails, a clause; undefined when none of the pods says. */
function whyNot(pods: readonly PodObject[], now: number): string | undefined {
  return pods
    .toSorted((a, b) => madeAt(b) - madeAt(a))
    .map((pod) => judgePod(pod, now))
    .find(({ state }) => state === 'failing')?.reason;
}

function madeAt({ metadata }: PodObject): number {
  return kubeTime(metadata.creationTimestamp) ?? 0;
}
