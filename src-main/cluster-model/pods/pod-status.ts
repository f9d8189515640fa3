import type { PodObject } from '../kinds/pods.ts';

type ContainerStatus = PodObject['status']['containerStatuses'][number];

/** The status of a pod as kubectl prints it: `1/2 CrashLoopBackOff 7`. */
export type PodStatus = { readonly label: string; readonly ready: number; readonly restarts: number };

/**
 * The columns READY, STATUS and RESTARTS of `kubectl get pods`, by the rules of its server-side printer (kubernetes
 * pkg/printers/internalversion/printers.go, printPod): a phase never says CrashLoopBackOff, the containers do.
 */
export function podStatus(pod: PodObject): PodStatus {
  const { metadata, spec, status } = pod;
  const sidecars = sidecarNames(pod);
  let label = status.reason || status.phase || 'Unknown';
  if (status.conditions.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated'))
    label = 'SchedulingGated';

  let ready = 0;
  let restarts = 0;
  let sidecarRestarts = 0;
  let initialising = false;
  for (const [index, container] of status.initContainerStatuses.entries()) {
    const isSidecar = sidecars.has(container.name);
    restarts += container.restartCount ?? 0;
    if (isSidecar) sidecarRestarts += container.restartCount ?? 0;
    if (container.state?.terminated?.exitCode === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready === true) ready++;
      continue;
    }
    label = `Init:${initLabel(container) ?? `${index}/${spec.initContainers.length}`}`;
    initialising = true;
    break;
  }

  if (!initialising || holds(pod, 'Initialized')) {
    restarts = sidecarRestarts;
    let running = false;
    for (const container of status.containerStatuses.toReversed()) {
      restarts += container.restartCount ?? 0;
      const { waiting, terminated, running: runs } = container.state ?? {};
      if (waiting?.reason) label = waiting.reason;
      else if (terminated !== undefined) label = endLabel(terminated);
      else if (container.ready === true && runs !== undefined) {
        running = true;
        ready++;
      }
    }
    if (label === 'Completed' && running) label = holds(pod, 'Ready') ? 'Running' : 'NotReady';
  }

  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') label = 'Unknown';
    else if (!isFinished(pod)) label = 'Terminating';
  }
  return { label, ready, restarts };
}

const noNames: ReadonlySet<string> = new Set();

/** Returns the init containers that keep running alongside the others (Kubernetes 1.28, native sidecars). */
export function sidecarNames(pod: PodObject): ReadonlySet<string> {
  // Most pods have no init containers, and there are ten thousand of them.
  if (pod.spec.initContainers.length === 0) return noNames;
  const names = pod.spec.initContainers.flatMap(({ name, restartPolicy }) =>
    restartPolicy === 'Always' ? [name] : [],
  );
  return new Set(names);
}

function initLabel({ state }: ContainerStatus): string | undefined {
  if (state?.terminated !== undefined) return endLabel(state.terminated);
  const reason = state?.waiting?.reason;
  return reason && reason !== 'PodInitializing' ? reason : undefined;
}

/** Returns why a container terminated: its reason, else the signal or the exit code. */
export function endLabel(end: {
  reason?: string | undefined;
  signal?: number | undefined;
  exitCode?: number | undefined;
}): string {
  if (end.reason) return end.reason;
  return end.signal ? `Signal:${end.signal}` : `ExitCode:${end.exitCode ?? 0}`;
}

/** Returns whether a condition of the pod is True. */
export function holds(pod: PodObject, condition: string): boolean {
  return pod.status.conditions.some(({ type, status }) => type === condition && status === 'True');
}

/** Returns whether none of its containers is running or will run: it uses no CPU or memory of its node. */
export function isFinished({ status }: PodObject): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}
