import type { HealthState } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import type { PodObject } from '../kinds/pods.ts';
import { agesSince, clipped } from '../text.ts';
import { endLabel, holds, type PodStatus, podStatus, sidecarNames } from './pod-status.ts';

type ContainerStatus = PodObject['status']['containerStatuses'][number];

export type PodVerdict = PodStatus & {
  readonly state: HealthState;
  /** Reason, one clause that does not name the pod; always set unless healthy or idle. */
  readonly reason?: string;
};

/** Waiting for these is what a start consists of. */
const starting = new Set(['ContainerCreating', 'PodInitializing', 'Pending', 'Running']);
/** A start that lasts longer is stuck, in ms: volumes and images take their time. */
const startLimit = 5 * 60_000;
/** A container that came back within this time may well go again, in ms. */
const recent = 15 * 60_000;
/** Longest time a readiness probe's first try and its threshold may take, in ms. */
const readyLimit = 60_000;

/** Returns the health of a pod at `now` (epoch ms), and why. */
export function judgePod(pod: PodObject, now: number): PodVerdict {
  const status = podStatus(pod);
  return { ...status, ...judged(pod, status, now) };
}

function judged(pod: PodObject, status: PodStatus, now: number): Pick<PodVerdict, 'state' | 'reason'> {
  const { phase, reason, message } = pod.status;
  if (phase === 'Succeeded') return { state: 'idle' };
  if (status.label === 'Terminating') return leaving(pod, now);
  if (status.label === 'Unknown') return { state: 'failing', reason: 'its node no longer says how it is' };
  if (phase === 'Failed')
    return {
      // Nothing waits for a pod that no controller starts again.
      state: pod.metadata.ownerReferences.some(({ controller }) => controller === true)
        ? 'failing'
        : 'degraded',
      reason: reason ? clipped(`${reason}: ${message ?? 'no more is known'}`) : ended(pod),
    };
  const broken = brokenContainer(pod);
  if (broken !== undefined) return { state: 'failing', reason: broken };
  if (status.label === 'SchedulingGated')
    return { state: 'working', reason: 'held back from scheduling by a scheduling gate' };
  const unplaced = pod.status.conditions.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  if (unplaced !== undefined)
    return {
      state: 'failing',
      reason: clipped(`no node takes it: ${unplaced.message ?? unplaced.reason ?? 'no reason given'}`),
    };
  if (phase === 'Running' && holds(pod, 'Initialized')) return running(pod, now);
  return startingUp(pod, status, now);
}

function leaving(pod: PodObject, now: number): Pick<PodVerdict, 'state' | 'reason'> {
  // The API server sets the time by which it is to be gone.
  const late = now - Date.parse(pod.metadata.deletionTimestamp ?? '');
  return late > startLimit
    ? { state: 'degraded', reason: `was to be gone ${agesSince(late)} ago and is still there` }
    : { state: 'working', reason: 'is being removed' };
}

function running(pod: PodObject, now: number): Pick<PodVerdict, 'state' | 'reason'> {
  if (!holds(pod, 'Ready')) {
    const unready = pod.status.containerStatuses
      .filter(({ ready }) => ready !== true)
      .map((container) =>
        container.lastState?.terminated === undefined
          ? container.name
          : `${container.name} (its last run: ${lastEnd(container)})`,
      );
    const why = pod.status.conditions.find(({ type, status }) => type === 'Ready' && status !== 'True');
    const reason =
      unready.length > 0
        ? `${counted(unready.length, 'container')} not ready: ${unready.join(', ')}`
        : clipped(`not ready: ${why?.message ?? why?.reason ?? 'no reason given'}`);
    return {
      state: age(youngestStart(pod) ?? pod.status.startTime, now) < readyLimit ? 'working' : 'degraded',
      reason,
    };
  }
  const [back] = pod.status.containerStatuses.filter(
    ({ lastState }) => age(lastState?.terminated?.finishedAt, now) < recent,
  );
  return back === undefined
    ? { state: 'healthy' }
    : {
        state: 'degraded',
        reason: `ready again, but container ${back.name} ended ${agesSince(age(back.lastState?.terminated?.finishedAt, now))} ago: ${lastEnd(back)}`,
      };
}

function startingUp(pod: PodObject, status: PodStatus, now: number): Pick<PodVerdict, 'state' | 'reason'> {
  const since = age(pod.status.startTime ?? pod.metadata.creationTimestamp, now);
  if (since < startLimit || !(starting.has(status.label) || status.label.startsWith('Init:')))
    return { state: 'working', reason: `is starting: ${status.label}` };
  return { state: 'failing', reason: `has been starting for ${agesSince(since)}: ${status.label}` };
}

/** Returns a description of the first container that cannot continue; undefined when all can. */
function brokenContainer(pod: PodObject): string | undefined {
  const sidecars = sidecarNames(pod);
  const { initContainerStatuses, containerStatuses } = pod.status;
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    const { waiting, terminated } = container.state ?? {};
    if (waiting?.reason && !starting.has(waiting.reason))
      return whyWaiting(container, waiting.reason, waiting.message);
    if (terminated === undefined || terminated.exitCode === 0) continue;
    const kind =
      initContainerStatuses.includes(container) && !sidecars.has(container.name)
        ? 'init container'
        : 'container';
    return `${kind} ${container.name} ended: ${endOf(terminated)}`;
  }
  return undefined;
}

function whyWaiting(container: ContainerStatus, reason: string, message = ''): string {
  const { name } = container;
  switch (reason) {
    case 'CrashLoopBackOff':
      return `container ${name} keeps crashing: ${lastEnd(container)}, ${counted(container.restartCount ?? 0, 'restart')}`;
    case 'CreateContainerConfigError':
      return `cannot start: ${configurationFault(message)}`;
    case 'ImagePullBackOff':
    case 'ErrImagePull':
      return `image ${container.image ?? `of ${name}`} cannot be pulled${pullFault(message)}`;
    case 'InvalidImageName':
      return `image ${container.image ?? `of ${name}`} is no name of an image`;
    case 'ErrImageNeverPull':
      return `image ${container.image ?? `of ${name}`} is not on the node, and its pull policy is Never`;
    default:
      return clipped(`container ${name} cannot start: ${reason}${message === '' ? '' : `, ${message}`}`);
  }
}

/** Rewords the kubelet's message (pkg/kubelet/kubelet_pods.go) to name the object to create. */
function configurationFault(message: string): string {
  const [, kind, name] = /^(secret|configmap) "([^"]+)" not found/.exec(message) ?? [];
  if (name !== undefined) return `${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${name} does not exist`;
  const [, key, holder, holderName] =
    /^couldn't find key (\S+) in (Secret|ConfigMap) (\S+)/.exec(message) ?? [];
  if (key !== undefined) return `${holder} ${holderName?.split('/').at(-1)} has no key ${key}`;
  return clipped(message === '' ? 'its configuration is not accepted' : message);
}

function pullFault(message: string): string {
  if (/unauthorized|authentication required|denied|forbidden|401|403/i.test(message))
    return ': the registry does not admit the node';
  if (/no such host/i.test(message)) return ": no host of the registry's name is known";
  if (/x509|certificate/i.test(message)) return ": the registry's certificate is not accepted";
  if (/no match(ing manifest)? for platform/i.test(message))
    return ": it is not built for the node's platform";
  if (/not found|manifest unknown|404/i.test(message)) return ': the registry does not have it';
  return message === '' || message.startsWith('Back-off') ? '' : clipped(`: ${message}`);
}

/** Returns how a container's last run ended, such as `OOMKilled, exit code 137`. */
export function lastEnd(container: ContainerStatus): string {
  const end = container.lastState?.terminated;
  return end === undefined ? 'how its last run ended is not known' : endOf(end);
}

type End = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

function endOf(end: End): string {
  const label = endLabel(end);
  return label.includes(':') || end.exitCode === undefined ? label : `${label}, exit code ${end.exitCode}`;
}

function ended(pod: PodObject): string {
  return brokenContainer(pod) ?? 'all its containers have ended';
}

/** Returns the start of its youngest container. */
function youngestStart(pod: PodObject): string | undefined {
  return pod.status.containerStatuses
    .flatMap(({ state }) => state?.running?.startedAt ?? [])
    .toSorted()
    .at(-1);
}

/** Milliseconds from a time until `now`; endless when it is not known. */
function age(time: string | undefined, now: number): number {
  const then = Date.parse(time ?? '');
  return Number.isNaN(then) ? Number.POSITIVE_INFINITY : now - then;
}
