import type { JudgedPod, PodObject } from '../../../cluster-model/index.ts';
import { isFinished, sidecarNames, timeOf } from '../../../cluster-model/index.ts';
import type { ContainerSeen, PodSeen } from '../logs/seen.ts';
import { keepsCrashing } from './crash-history.ts';
import { endedWithNode } from './node-restarts.ts';
import { ownWorkload, type Reading } from './reading.ts';

/** The data pods are judged by. */
export type PodsReading = Pick<Reading, 'workloadOf' | 'restarts' | 'now'> & {
  readonly running: Pick<Reading['running'], 'pods'>;
};

type ContainerStatus = PodObject['status']['containerStatuses'][number];

/** Waiting reasons that are part of a normal start: not evidence until they last too long. */
const starting = new Set(['ContainerCreating', 'PodInitializing']);

/**
 * Returns pods and containers that are not as they should be. A pod that succeeded, is being removed, or was
 * replaced by its workload says nothing about now; nor do runs that ended with their node, or whose container
 * is ready again.
 */
export function seenPods(reading: PodsReading): (ContainerSeen | PodSeen)[] {
  return reading.running.pods.flatMap((judged) => {
    const { pod, verdict } = judged;
    if (
      verdict.state === 'healthy' ||
      verdict.state === 'idle' ||
      pod.metadata.deletionTimestamp !== undefined
    )
      return [];
    const owner = judged.owner && reading.workloadOf(judged.owner)?.row.state;
    const replaced = isFinished(pod) && (owner === 'healthy' || owner === 'idle');
    const podSeen = seenPod(reading, judged, replaced);
    return [
      ...(podSeen === undefined ? [] : [podSeen]),
      ...(replaced ? [] : seenContainers(reading, judged)),
    ];
  });
}

const originOf = ({ pod, owner }: JudgedPod) => {
  const object = {
    kind: 'Pod',
    name: pod.metadata.name,
    ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }),
  };
  return { object, owner: ownWorkload(owner) ?? object };
};

function seenPod(reading: PodsReading, judged: JudgedPod, replaced: boolean): PodSeen | undefined {
  const { pod, verdict } = judged;
  const { phase, reason, message, conditions, startTime } = pod.status;
  // Evicted, for one: that it was replaced does not make it untrue.
  if (replaced && reason === undefined) return undefined;
  const early = verdict.state === 'working' && !isHeldBack(reading, judged);
  return {
    kind: 'pod',
    ...originOf(judged),
    ref: 'status',
    since: timeOf(startTime),
    ...(replaced ? { past: true } : {}),
    values: pod.spec.nodeName === undefined ? {} : { node: pod.spec.nodeName },
    phase: early ? undefined : phase,
    reason,
    message,
    conditions: early ? conditions.filter(({ type }) => type === 'PodScheduled') : conditions,
  };
}

/**
 * Time after which a scheduling gate counts as stuck, in ms: it is removed by the component that set it, and
 * keeps the pod from running until then.
 */
const gateLimit = 5 * 60_000;

function isHeldBack({ now }: PodsReading, { pod, verdict }: JudgedPod): boolean {
  return (
    verdict.label === 'SchedulingGated' && now - Date.parse(pod.metadata.creationTimestamp ?? '') > gateLimit
  );
}

function seenContainers(reading: PodsReading, judged: JudgedPod): ContainerSeen[] {
  const { pod, verdict } = judged;
  const sidecars = sidecarNames(pod);
  const read =
    (list: 'containerStatuses' | 'initContainerStatuses') =>
    (status: ContainerStatus, index: number): ContainerSeen[] => {
      const { state, lastState } = status;
      const init = list === 'initContainerStatuses' && !sidecars.has(status.name);
      const waits = state?.waiting;
      const waiting =
        waits?.reason && !(starting.has(waits.reason) && verdict.state === 'working')
          ? { reason: waits.reason, message: waits.message }
          : undefined;
      const now = state?.terminated;
      const endsWell = now?.exitCode === 0 && (init || pod.spec.restartPolicy !== 'Always');
      const withNode = endedWithNode(reading.restarts, pod.spec.nodeName, lastState?.terminated);
      const crashes = !withNode && keepsCrashing(pod, status, reading.now);
      const last = (status.ready === true && !crashes) || withNode ? undefined : lastState?.terminated;
      const ended = endsWell ? undefined : (now ?? last);
      if (waiting === undefined && ended === undefined) return [];
      return [
        {
          kind: 'container',
          ...originOf(judged),
          container: status.name,
          ref: `status.${list}[${index}].${waiting === undefined && now === undefined ? 'lastState' : 'state'}`,
          at: timeOf(ended?.finishedAt),
          since: timeOf(ended?.startedAt),
          times: status.restartCount || undefined,
          values: {
            ...(status.image === undefined ? {} : { image: status.image }),
            ...(pod.spec.nodeName === undefined ? {} : { node: pod.spec.nodeName }),
          },
          waiting,
          ended: ended && { reason: ended.reason, exitCode: ended.exitCode, message: ended.message },
          init,
          crashes,
        },
      ];
    };
  return [
    ...pod.status.initContainerStatuses.flatMap(read('initContainerStatuses')),
    ...pod.status.containerStatuses.flatMap(read('containerStatuses')),
  ];
}
