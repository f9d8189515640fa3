import { type JsonObject, listAt, numberAt, objectAt, textAt, valueAt } from '../../base/json-fields.ts';
import { humanDuration } from '../ages.ts';

/**
 * Values kubectl prints for a pod in its columns READY, STATUS and RESTARTS (pkg/printers/internalversion,
 * printPod).
 */
type PodColumns = { readonly ready: string; readonly status: string; readonly restarts: string };

/** What the init containers say: how far they are, and what they add to the counts. */
type Initialization = {
  /** The status of the first that has not succeeded; undefined when none holds the pod up. */
  readonly reason: string | undefined;
  readonly readySidecars: number;
};

const kept = new WeakMap<JsonObject, { readonly now: number; readonly columns: PodColumns }>();

/** Returns a pod's columns; three cells of one row ask for them one after another. `now` in epoch milliseconds. */
export function podColumns(pod: JsonObject, now: number): PodColumns {
  const known = kept.get(pod);
  if (known?.now === now) return known.columns;
  const columns = readColumns(pod, now);
  kept.set(pod, { now, columns });
  return columns;
}

function readColumns(pod: JsonObject, now: number): PodColumns {
  const containers = listAt(pod, 'spec', 'containers');
  const initContainers = listAt(pod, 'spec', 'initContainers');
  const sidecars = new Set(
    initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map((each) => each.name),
  );
  const initStatuses = listAt(pod, 'status', 'initContainerStatuses');
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const started = initialization(initStatuses, sidecars, initContainers.length);
  const isRunning = started.reason === undefined || hasCondition(pod, 'Initialized');
  const counted = isRunning
    ? [...initStatuses.filter((status) => sidecars.has(status.name)), ...statuses]
    : initStatuses;
  const restarts = counted.reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0);
  const lastRestart = counted
    .map((status) => textAt(status, 'lastState', 'terminated', 'finishedAt'))
    .filter((time) => time !== '')
    .sort()
    .at(-1);
  const readyContainers = isRunning ? statuses.filter(isReadyAndRunning).length : 0;
  return {
    ready: `${started.readySidecars + readyContainers}/${containers.length + sidecars.size}`,
    status: statusOf(pod, started.reason, isRunning ? statuses : undefined),
    restarts:
      restarts > 0 && lastRestart !== undefined
        ? `${restarts} (${humanDuration(now - Date.parse(lastRestart))} ago)`
        : String(restarts),
  };
}

/** `n/m`: how many of the pod's readiness gates are open. */
export function readinessGates(pod: JsonObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  const conditions = listAt(pod, 'status', 'conditions');
  const met = gates.filter((gate) => conditions.find(({ type }) => type === gate)?.status === 'True');
  return `${met.length}/${gates.length}`;
}

/** `statuses` are those of the containers, where they have a say. */
function statusOf(
  pod: JsonObject,
  initReason: string | undefined,
  statuses: readonly JsonObject[] | undefined,
): string {
  const phase = textAt(pod, 'status', 'phase');
  const podReason = textAt(pod, 'status', 'reason');
  const gated = listAt(pod, 'status', 'conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const before = initReason ?? (gated ? 'SchedulingGated' : podReason === '' ? phase : podReason);
  const reason = statuses === undefined ? before : reasonOfContainers(pod, statuses, before);
  if (textAt(pod, 'metadata', 'deletionTimestamp') === '') return reason;
  if (podReason === 'NodeLost') return 'Unknown';
  return phase === 'Failed' || phase === 'Succeeded' ? reason : 'Terminating';
}

function reasonOfContainers(pod: JsonObject, statuses: readonly JsonObject[], before: string): string {
  let reason = before;
  let failed = '';
  // From the last to the first, as kubectl: the first container's reason is the one reported.
  for (const status of statuses.toReversed()) {
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const terminated = valueAt(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (terminated !== undefined) {
      reason = endOf(terminated);
      if (numberAt(terminated, 'exitCode') !== 0) failed = reason;
    }
  }
  if (reason !== 'Completed') return reason;
  const isAnyRunning = statuses.some(isReadyAndRunning);
  if (isAnyRunning && hasCondition(pod, 'Ready')) return 'Running';
  if (failed !== '') return failed;
  return isAnyRunning ? 'NotReady' : reason;
}

function isReadyAndRunning(status: JsonObject): boolean {
  return (
    status.ready === true &&
    objectAt(status, 'state').running !== undefined &&
    textAt(status, 'state', 'waiting', 'reason') === '' &&
    valueAt(status, 'state', 'terminated') === undefined
  );
}

function endOf(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

function initialization(
  statuses: readonly JsonObject[],
  sidecars: ReadonlySet<unknown>,
  total: number,
): Initialization {
  let readySidecars = 0;
  for (const [index, status] of statuses.entries()) {
    const terminated = valueAt(status, 'state', 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (sidecars.has(status.name) && status.started === true) {
      if (status.ready === true) readySidecars += 1;
      continue;
    }
    if (terminated !== undefined) return { reason: `Init:${endOf(terminated)}`, readySidecars };
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const isWaiting = waiting !== '' && waiting !== 'PodInitializing';
    return { reason: isWaiting ? `Init:${waiting}` : `Init:${index}/${total}`, readySidecars };
  }
  return { reason: undefined, readySidecars };
}

function hasCondition(pod: JsonObject, wanted: string): boolean {
  return listAt(pod, 'status', 'conditions').some(({ type, status }) => type === wanted && status === 'True');
}
