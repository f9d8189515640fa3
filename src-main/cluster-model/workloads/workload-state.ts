import type { HealthState } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { isFinished } from '../pods/pod-status.ts';
import { clipped } from '../text.ts';

/** The health of a workload; a reason is present unless it is healthy or idle. */
export type HealthVerdict = { readonly state: HealthState; readonly reason?: string };

type Replicas = {
  readonly desired: number;
  readonly ready: number;
  readonly updated: number;
  readonly pods: readonly JudgedPod[] | undefined;
  /** Fault reported by the controller itself, a clause. */
  readonly fault: string | undefined;
  /** Whether its controller is still bringing it about. */
  readonly rolling: boolean;
  readonly observed: boolean;
};

/** The first pod that fails, else that is degraded, says why. */
function healthOf(replicas: Replicas): HealthVerdict {
  const { desired, ready, updated, fault } = replicas;
  if (!replicas.observed) return { state: 'working', reason: 'its newest spec is not acted on yet' };
  if (desired === 0) return { state: 'idle', reason: 'scaled to 0' };
  // What is left of an evicted pod was replaced already.
  const pods = replicas.pods?.filter(({ pod }) => !isFinished(pod)) ?? [];
  const bad =
    pods.find(({ verdict }) => verdict.state === 'failing') ??
    pods.find(({ verdict }) => verdict.state === 'degraded');
  const causes = [
    ...(bad === undefined ? [] : [`${bad.pod.metadata.name} ${bad.verdict.reason ?? bad.verdict.label}`]),
    ...(fault === undefined ? [] : [fault]),
  ];
  const share = `${ready} of ${desired} replicas ready`;
  const rollout = `${updated} of ${desired} replicas rolled out`;
  const reason = [ready >= desired && updated < desired ? rollout : share, ...causes].join('; ');
  if (ready < desired) {
    if (causes.length === 0 && replicas.rolling) return { state: 'working', reason };
    return { state: ready === 0 ? 'failing' : 'degraded', reason };
  }
  if (causes.length > 0) return { state: 'degraded', reason };
  return updated < desired ? { state: 'working', reason } : { state: 'healthy' };
}

type Deployment = ObjectOf<typeof resources.deployments>;

export function deploymentHealth(
  { metadata, spec, status }: Deployment,
  pods: readonly JudgedPod[] | undefined,
): HealthVerdict {
  const condition = (type: string) => status?.conditions.find((condition) => condition.type === type);
  const progressing = condition('Progressing');
  const failure = condition('ReplicaFailure');
  const fault =
    failure?.status === 'True'
      ? clipped(`its pods cannot be made: ${failure.message ?? failure.reason ?? ''}`)
      : progressing?.status === 'False'
        ? `its rollout is stuck (${progressing.reason ?? 'no reason given'})`
        : undefined;
  return healthOf({
    desired: spec.replicas ?? 1,
    ready: status?.readyReplicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    pods,
    fault,
    // NewReplicaSetAvailable: the rollout is over, what is missing now was there before.
    rolling: progressing?.status === 'True' && progressing.reason !== 'NewReplicaSetAvailable',
    observed: isObserved(metadata, status),
  });
}

export function statefulSetHealth(
  { metadata, spec, status }: ObjectOf<typeof resources.statefulSets>,
  pods: readonly JudgedPod[] | undefined,
): HealthVerdict {
  const revised = status?.updateRevision === undefined || status.updateRevision === status.currentRevision;
  const desired = spec.replicas ?? 1;
  return healthOf({
    desired,
    ready: status?.readyReplicas ?? 0,
    // Counted only while a revision is rolled out.
    updated: revised ? desired : (status?.updatedReplicas ?? 0),
    pods,
    fault: undefined,
    rolling: !revised || pods?.some(({ verdict }) => verdict.state === 'working') === true,
    observed: isObserved(metadata, status),
  });
}

export function daemonSetHealth(
  { metadata, status }: ObjectOf<typeof resources.daemonSets>,
  pods: readonly JudgedPod[] | undefined,
): HealthVerdict {
  const desired = status?.desiredNumberScheduled ?? 0;
  const health = healthOf({
    desired,
    ready: status?.numberReady ?? 0,
    updated: status?.updatedNumberScheduled ?? desired,
    pods,
    fault: undefined,
    rolling: pods?.some(({ verdict }) => verdict.state === 'working') === true,
    observed: isObserved(metadata, status),
  });
  return desired === 0 && health.state === 'idle'
    ? { state: 'idle', reason: 'no node is meant to run it' }
    : health;
}

/** A Job is done, at it, or has given up. */
export function jobHealth({ spec, status }: ObjectOf<typeof resources.jobs>): HealthVerdict {
  const condition = (type: string) =>
    status?.conditions.find((condition) => condition.type === type && condition.status === 'True');
  const failed = condition('Failed');
  if (failed !== undefined)
    return {
      state: 'failing',
      reason: clipped(`failed: ${failed.message ?? failed.reason ?? 'no reason given'}`),
    };
  if (condition('Complete') !== undefined) return { state: 'idle', reason: 'completed' };
  if (spec.suspend === true) return { state: 'idle', reason: 'suspended' };
  const tries = status?.failed ?? 0;
  return tries === 0
    ? { state: 'working', reason: 'is running' }
    : { state: 'degraded', reason: `tries again after ${counted(tries, 'failed pod')}` };
}

/**
 * Returns the health of a CronJob, which is that of its newest Job; `jobs` are its own, undefined when Jobs
 * were not read.
 */
export function cronJobHealth(
  { spec }: ObjectOf<typeof resources.cronJobs>,
  jobs: readonly ObjectOf<typeof resources.jobs>[] | undefined,
): HealthVerdict {
  if (jobs === undefined) return { state: 'not_read', reason: 'its Jobs were not read' };
  const newest = jobs
    .toSorted((a, b) =>
      (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''),
    )
    .at(-1);
  if (newest === undefined)
    return { state: 'idle', reason: spec.suspend === true ? 'suspended' : 'no run of it is kept' };
  const { state, reason } = jobHealth(newest);
  if (state === 'failing' || state === 'degraded')
    return { state, reason: `its newest run ${newest.metadata.name} ${reason}` };
  if (state === 'working') return { state, reason: 'a run is under way' };
  return spec.suspend === true ? { state: 'idle', reason: 'suspended' } : { state: 'healthy' };
}

function isObserved(
  { generation }: { readonly generation?: number | undefined },
  status: { readonly observedGeneration?: number | undefined } | undefined,
): boolean {
  return generation === undefined || (status?.observedGeneration ?? 0) >= generation;
}
