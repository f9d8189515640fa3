import type { PodObject } from '../../../cluster-model/index.ts';
import type { Hit } from '../match/index.ts';
import type { ChosenLog } from './log-choice.ts';

type Remembered = { readonly stamp: string; readonly hits: readonly Hit[] };

/**
 * Memory of a cluster's logs as last read, valid while their containers are unchanged. A diagnosis in the background
 * goes by it: reading 200 logs again every half minute is 300 requests a minute for nothing.
 */
export type LogMemory = {
  /** Undefined when the log is to be read: it never was, or its container has changed. */
  recall(log: ChosenLog, pod: PodObject | undefined): readonly Hit[] | undefined;
  remember(log: ChosenLog, pod: PodObject | undefined, hits: readonly Hit[]): void;
  /** Forgets all logs but these. */
  keepOnly(logs: readonly ChosenLog[]): void;
};

export function createLogMemory(): LogMemory {
  const known = new Map<string, Remembered>();
  return {
    recall(log, pod) {
      const found = known.get(keyOf(log));
      return found?.stamp === stampOf(log, pod) ? found.hits : undefined;
    },
    remember: (log, pod, hits) => void known.set(keyOf(log), { stamp: stampOf(log, pod), hits }),
    keepOnly(logs) {
      const kept = new Set(logs.map(keyOf));
      for (const key of known.keys()) if (!kept.has(key)) known.delete(key);
    },
  };
}

const keyOf = ({ namespace, pod, container, previous }: ChosenLog): string =>
  `${namespace}/${pod}/${container}${previous ? '/previous' : ''}`;

/** Changes with every start, end and change of readiness of the container. */
function stampOf({ container }: ChosenLog, pod: PodObject | undefined): string {
  const statuses = [...(pod?.status.initContainerStatuses ?? []), ...(pod?.status.containerStatuses ?? [])];
  return JSON.stringify([pod?.metadata.creationTimestamp, statuses.find(({ name }) => name === container)]);
}
