import type { InferenceWorkload } from '#shared/api/fleet.ts';
import type { ObjectOf, PodObject, resources } from '../../../cluster-model/index.ts';
import { timeOf } from '../../../cluster-model/index.ts';
import { kubeTime } from '../../runs/index.ts';

type OutOfMemory = InferenceWorkload['out_of_memory'][number];
type Event = ObjectOf<typeof resources.events>;

/** Most entries of one workload: older ones add nothing. */
const mostKept = 20;

/**
 * Returns the times at which pods of a workload ran out of memory, newest first: from the last termination of
 * their containers, from evictions for lack of memory, and from events, which also cover deleted pods.
 */
export function outOfMemory(
  workload: { readonly name: string; readonly namespace: string | undefined },
  pods: readonly PodObject[],
  events: readonly Event[],
): OutOfMemory[] {
  const ended = pods.flatMap(ofPod);
  const reported = new Set(ended.map(({ pod }) => pod));
  const fromEvents = events
    .filter(
      ({ involvedObject, reason, message }) =>
        involvedObject.kind === 'Pod' &&
        involvedObject.namespace === workload.namespace &&
        involvedObject.name?.startsWith(`${workload.name}-`) === true &&
        !reported.has(involvedObject.name) &&
        (/oom/i.test(reason ?? '') || /OOMKill|out of memory|low on resource: memory/i.test(message ?? '')),
    )
    .map(ofEvent);
  return [...ended, ...fromEvents]
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
    .slice(0, mostKept);
}

function ofPod({ metadata, status }: PodObject): OutOfMemory[] {
  if (status.reason === 'Evicted' && /memory/i.test(status.message ?? ''))
    return [{ pod: metadata.name, detail: `evicted: ${status.message}` }];
  return [...status.initContainerStatuses, ...status.containerStatuses].flatMap(
    ({ name, state, lastState }) =>
      [state?.terminated, lastState?.terminated].flatMap((end): OutOfMemory[] => {
        if (end?.reason !== 'OOMKilled') return [];
        const at = timeOf(end.finishedAt);
        const code = end.exitCode === undefined ? '' : `, exit code ${end.exitCode}`;
        return [
          {
            pod: metadata.name,
            container: name,
            ...(at === undefined ? {} : { at }),
            detail: `OOMKilled${code}`,
          },
        ];
      }),
  );
}

function ofEvent(event: Event): OutOfMemory {
  const last = [event.series?.lastObservedTime, event.lastTimestamp, event.eventTime, event.firstTimestamp];
  const at = timeOf(last.find((time) => kubeTime(time) !== undefined));
  return {
    pod: event.involvedObject.name ?? '',
    ...(at === undefined ? {} : { at }),
    detail: event.message ?? event.reason ?? 'out of memory',
  };
}
