import type { JudgedPod, PodObject } from '../../../cluster-model/index.ts';
import { isFinished, keyOf } from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';

export type ChosenLog = {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
};

/** Limits for a live cluster: logs, and newest lines of each. */
const live = { most: 200, tail: 2000 } as const;
/** Limits for a bundle, which needs no requests. */
const bundle = { most: 2000, tail: 20_000 } as const;
/** Time within which a container's restart makes its log worth reading for the cause, in ms. */
const recentMs = 86_400_000;

/**
 * The logs that are worth reading one by one: of containers that are not well, that restarted in the last day, and of the
 * backends; those of what is broken first. `left` counts the others, `leftOf` has the keys of their workloads.
 */
export function chooseLogs(reading: Reading): {
  readonly logs: ChosenLog[];
  readonly left: number;
  readonly leftOf: ReadonlySet<string>;
  readonly tail: number;
} {
  const { most, tail } = reading.source === 'bundle' ? bundle : live;
  const backends = new Set(reading.backends.map(({ owner }) => keyOf(owner)));
  const ranks: ChosenLog[][] = [[], [], []];
  let left = 0;
  const leftOf = new Set<string>();
  for (const judged of reading.running.pods) {
    const { pod, owner, verdict } = judged;
    const isBackend = owner !== undefined && backends.has(keyOf(owner));
    for (const status of [...pod.status.initContainerStatuses, ...pod.status.containerStatuses]) {
      const log = { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name, container: status.name };
      const wasRun = hasRun(status);
      const rank = isUnwell(judged, status) ? 0 : restartedRecently(status, reading.now) ? 1 : 2;
      if (rank < 2 || isBackend || reading.source === 'bundle') {
        if (wasRun) ranks[rank]?.push({ ...log, previous: false });
        if ((status.restartCount ?? 0) > 0) ranks[rank]?.push({ ...log, previous: true });
      } else if (wasRun && verdict.state !== 'idle') {
        left += 1;
        leftOf.add(keyOf(reading.ownerOf({ kind: 'Pod', name: log.pod, namespace: log.namespace })));
      }
    }
  }
  const logs = ranks.flat();
  for (const { namespace, pod } of logs.slice(most))
    leftOf.add(keyOf(reading.ownerOf({ kind: 'Pod', name: pod, namespace })));
  return { logs: logs.slice(0, most), left: left + Math.max(0, logs.length - most), leftOf, tail };
}

/** Returns the logs of containers that are not well, of their current run and the one before; `ended`: they exited by themselves. */
export function unwellLogs(reading: Reading): (ChosenLog & { readonly ended: boolean })[] {
  return reading.running.pods.flatMap((judged) => {
    const { pod } = judged;
    return [...pod.status.initContainerStatuses, ...pod.status.containerStatuses]
      .filter((status) => isUnwell(judged, status) && hasRun(status))
      .flatMap((status) => {
        const log = {
          namespace: pod.metadata.namespace ?? '',
          pod: pod.metadata.name,
          container: status.name,
        };
        const { state, lastState } = status;
        const isNew = state?.running !== undefined;
        return [
          { ...log, previous: false, ended: !isNew && exited(state?.terminated ?? lastState?.terminated) },
          ...((status.restartCount ?? 0) > 0
            ? [{ ...log, previous: true, ended: exited(lastState?.terminated) }]
            : []),
        ];
      });
  });
}

/** Exit codes of signals: what ended the container stands in no log of its own. */
const signals: ReadonlySet<number> = new Set([137, 143]);

function exited(
  ended: { readonly exitCode?: number | undefined; readonly reason?: string | undefined } | undefined,
): boolean {
  const { exitCode, reason } = ended ?? {};
  return exitCode !== undefined && exitCode !== 0 && !signals.has(exitCode) && reason !== 'OOMKilled';
}

type Status = PodObject['status']['containerStatuses'][number];

function hasRun({ state, lastState }: Status): boolean {
  return (
    state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined
  );
}

/**
 * Returns whether a container is unhealthy. A pod that its workload has replaced may still show why it was replaced.
 */
function isUnwell({ pod, verdict }: JudgedPod, { ready, state }: Status): boolean {
  if (verdict.state === 'healthy' || verdict.state === 'idle') return false;
  const endedWell = state?.terminated?.exitCode === 0;
  return (
    ready !== true &&
    !endedWell &&
    (!isFinished(pod) || verdict.state === 'failing' || verdict.state === 'degraded')
  );
}

function restartedRecently({ restartCount = 0, lastState }: Status, now: number): boolean {
  return restartCount > 0 && now - Date.parse(lastState?.terminated?.finishedAt ?? '') < recentMs;
}
