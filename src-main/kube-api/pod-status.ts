import { humanDuration } from './ages.ts';
import { type JsonObject, listAt, numberAt, objectAt, textAt, valueAt } from './object-fields.ts';

/**
 * Values kubectl prints for a pod in its columns READY, STATUS and RESTARTS (pkg/printers/internalversion,
 * printPod).
 */
export type PodColumns = { readonly ready: string; readonly status: string; readonly restarts: string };

export function podColumns(pod: JsonObject, now: number): PodColumns {
  const containers = listAt(pod, 'spec', 'containers');
  const sidecars = new Set(
    listAt(pod, 'spec', 'initContainers')
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const initStatuses = listAt(pod, 'status', 'initContainerStatuses');
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const sidecarStatuses = initStatuses.filter(({ name }) => sidecars.has(name));
  const initReason = reasonOfInit(pod, initStatuses, sidecars);
  const running = initReason === undefined || isInitialized(pod);
  const counted = running ? [...sidecarStatuses, ...statuses] : [...initStatuses];
  const restarts = counted.reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0);
  const lastRestart = counted
    .map((status) => textAt(status, 'lastState', 'terminated', 'finishedAt'))
    .filter((time) => time !== '')
    .sort()
    .at(-1);
  const readySidecars = sidecarStatuses.filter((status) => status.ready === true && status.started === true);
  const ready = running
    ? statuses.filter((status) => status.ready === true && valueAt(status, 'state', 'running') !== undefined)
    : [];
  return {
    ready: `${ready.length + readySidecars.length}/${containers.length + sidecars.size}`,
    status: statusOf(pod, running ? undefined : initReason, statuses),
    restarts:
      restarts > 0 && lastRestart !== undefined
        ? `${restarts} (${humanDuration(now - Date.parse(lastRestart))} ago)`
        : String(restarts),
  };
}

function statusOf(pod: JsonObject, initReason: string | undefined, statuses: readonly JsonObject[]): string {
  const podReason = textAt(pod, 'status', 'reason');
  let reason = initReason ?? (podReason === '' ? textAt(pod, 'status', 'phase') : podReason);
  if (initReason === undefined) reason = reasonOfContainers(pod, statuses, reason);
  if (textAt(pod, 'metadata', 'deletionTimestamp') === '') return reason;
  if (podReason === 'NodeLost') return 'Unknown';
  return isFinal(textAt(pod, 'status', 'phase')) ? reason : 'Terminating';
}

function isFinal(phase: string): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}

function reasonOfContainers(pod: JsonObject, statuses: readonly JsonObject[], phaseReason: string): string {
  const gated = listAt(pod, 'status', 'conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  let reason = gated ? 'SchedulingGated' : phaseReason;
  let hasRunning = false;
  // From the last to the first, as kubectl: the first container's reason is the one reported.
  for (const status of [...statuses].reverse()) {
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const terminated = objectAt(status, 'state').terminated;
    if (waiting !== '') reason = waiting;
    else if (terminated !== undefined) reason = terminatedReason(terminated);
    else if (status.ready === true && objectAt(status, 'state').running !== undefined) hasRunning = true;
  }
  if (reason !== 'Completed' || !hasRunning) return reason;
  return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

function terminatedReason(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

/** Returns the status of the first init container that has not succeeded; undefined when all have. */
function reasonOfInit(
  pod: JsonObject,
  statuses: readonly JsonObject[],
  sidecars: ReadonlySet<unknown>,
): string | undefined {
  const total = listAt(pod, 'spec', 'initContainers').length;
  for (const [index, status] of statuses.entries()) {
    const terminated = objectAt(status, 'state').terminated;
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (sidecars.has(status.name) && status.started === true) continue;
    if (terminated !== undefined) return `Init:${terminatedReason(terminated)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`;
  }
  return undefined;
}

function isInitialized(pod: JsonObject): boolean {
  return hasCondition(pod, 'Initialized');
}

function hasCondition(pod: JsonObject, wanted: string): boolean {
  return listAt(pod, 'status', 'conditions').some(({ type, status }) => type === wanted && status === 'True');
}
