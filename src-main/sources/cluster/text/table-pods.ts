import type { RawObject } from '../../../cluster-model/index.ts';
import { ageIn, ago } from './ages.ts';

/** Name of a container that a table does not name: commands show it as what is to be filled in. */
const unnamed = '<container>';

/** Cells of a row of pods. */
export type PodCells = {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
  readonly age: string;
  readonly node: string | undefined;
};

/** Statuses that say how a container waits, which the row then shows in place of the phase. */
const waits =
  /^(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|ErrImageNeverPull|InvalidImageName|ImageInspectError|RegistryUnavailable|CreateContainerConfigError|CreateContainerError|RunContainerError|PostStartHookError|PreStartHookError|PreCreateHookError|ContainerCreating|PodInitializing|ContainerCannotRun)$/;
/** Statuses that say how it ended. */
const ends =
  /^(?:Error|OOMKilled|Completed|ContainerStatusUnknown|DeadlineExceeded|StartError|ContainerCannotRun|ExitCode:(\d+)|Signal:(\d+))$/;
/** Reasons of pods that are over, by their status. */
const over =
  /^(?:Evicted|NodeLost|NodeShutdown|NodeAffinity|Shutdown|Preempting|Terminated|UnexpectedAdmissionError|OutOf\w+|Failed|MatchNodeSelector)$/;

/**
 * Returns `spec` and `status` of a pod as far as its row says: the reverse of kubectl's printer (kubernetes
 * pkg/printers/internalversion/printers.go, printPod).
 */
export function podOfCells({ ready: counts, status, restarts, age, node }: PodCells): {
  readonly metadata: RawObject;
  readonly spec: RawObject;
  readonly status: RawObject;
} {
  const [ready = 0, total = 1] = counts.split('/').map(Number);
  const [, count, last] = /^(\d+)(?: \((\S+) ago\))?/.exec(restarts) ?? [];
  const restartCount = Number(count ?? 0);
  const created = ago(ageIn(age) ?? 0);
  const ended = ageIn(last);
  const lastState =
    restartCount > 0 ? { terminated: ended === undefined ? {} : { finishedAt: ago(ended) } } : {};
  const nodeName = node === undefined || node === '<none>' || node === '' ? undefined : node;
  const names = Array.from({ length: Math.max(1, total) }, (_, i) =>
    total === 1 ? unnamed : `<container ${i + 1}>`,
  );
  const running = (isReady: boolean, own: RawObject = {}): RawObject => ({
    ready: isReady,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: ended === undefined ? created : ago(Math.max(0, ended - 1000)) } },
    ...own,
  });
  const statuses = (bad: RawObject | undefined): RawObject[] =>
    names.map((name, i) => ({
      name,
      ...(i < ready ? running(true) : running(false)),
      // The one that is not ready is the one that the row speaks of.
      ...(i === Math.min(ready, names.length - 1) ? { restartCount, lastState, ...bad } : {}),
    }));
  const init = /^Init:(.+)$/.exec(status)?.[1];
  const [, done, all] = /^(\d+)\/(\d+)$/.exec(init ?? '') ?? [];
  const conditions = (isReady: boolean, isInitialized = true): RawObject[] => [
    { type: 'Initialized', status: isInitialized ? 'True' : 'False' },
    { type: 'Ready', status: isReady ? 'True' : 'False' },
  ];
  const base = {
    metadata: { creationTimestamp: created },
    spec: { nodeName, containers: names.map((name) => ({ name })) },
  };
  const made = (phase: string, rest: RawObject, spec: RawObject = {}) => ({
    metadata: base.metadata,
    spec: { ...base.spec, ...spec },
    status: { phase, startTime: created, ...rest },
  });
  if (init !== undefined) {
    const state = stateOf(init) ?? { running: { startedAt: created } };
    const count = Number(all ?? 1);
    const initNames = Array.from({ length: count }, (_, i) =>
      count === 1 ? '<init container>' : `<init container ${i + 1}>`,
    );
    return made(
      'Pending',
      {
        conditions: conditions(false, false),
        initContainerStatuses: initNames
          .map((name, i) =>
            i < Number(done ?? 0)
              ? {
                  name,
                  ready: true,
                  restartCount: 0,
                  state: { terminated: { exitCode: 0, reason: 'Completed' } },
                }
              : { name, ready: false, restartCount, state, lastState },
          )
          .slice(0, Number(done ?? 0) + 1),
      },
      { initContainers: initNames.map((name) => ({ name })) },
    );
  }
  if (status === 'Running')
    return made('Running', {
      conditions: conditions(ready >= total),
      containerStatuses: statuses(undefined),
    });
  if (status === 'Completed' || status === 'Succeeded')
    return made('Succeeded', { conditions: conditions(false), containerStatuses: [] });
  if (status === 'Terminating')
    return {
      ...made('Running', { conditions: conditions(ready >= total), containerStatuses: statuses(undefined) }),
      // When it was deleted the row does not say.
      metadata: { ...base.metadata, deletionTimestamp: ago(0) },
    };
  if (status === 'Unknown')
    return {
      ...made('Unknown', { reason: 'NodeLost' }),
      metadata: { ...base.metadata, deletionTimestamp: ago(0) },
    };
  if (over.test(status)) return made('Failed', status === 'Failed' ? {} : { reason: status });
  if (status === 'Pending' || status === 'SchedulingGated')
    return made('Pending', {
      conditions:
        status === 'SchedulingGated'
          ? [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }]
          : [],
    });
  const state = stateOf(status);
  if (state === undefined) return made(status === 'NotReady' ? 'Running' : 'Pending', { conditions: [] });
  const isStarting = /^(?:ContainerCreating|PodInitializing)$/.test(status);
  return made(ready > 0 || restartCount > 0 ? 'Running' : 'Pending', {
    conditions: conditions(false),
    containerStatuses: isStarting
      ? names.map((name) => ({ name, ready: false, restartCount: 0, state }))
      : statuses({ state, ready: false, started: false }),
  });
}

function stateOf(status: string): RawObject | undefined {
  if (waits.test(status)) return { waiting: { reason: status } };
  const [found, code, signal] = ends.exec(status) ?? [];
  if (found === undefined) return undefined;
  if (found === 'Completed') return { terminated: { reason: 'Completed', exitCode: 0 } };
  if (code !== undefined) return { terminated: { exitCode: Number(code) } };
  if (signal !== undefined) return { terminated: { signal: Number(signal) } };
  return { terminated: { reason: found, ...(found === 'OOMKilled' ? { exitCode: 137 } : {}) } };
}
