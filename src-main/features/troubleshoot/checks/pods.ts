import { isFinished, keyOf, lastEnd, timeOf } from '../../../cluster-model/index.ts';
import { keepsCrashing } from '../evidence/crash-history.ts';
import { endedWithNode } from '../evidence/node-restarts.ts';
import { ownWorkload } from '../evidence/reading.ts';
import { type Check, type Found, found, refOf } from './found.ts';

export const podStuckTerminating: Check = ({ running }) =>
  running.pods.flatMap(({ pod, verdict, owner }): Found[] => {
    if (pod.metadata.deletionTimestamp === undefined || verdict.state !== 'degraded') return [];
    const object = refOf('Pod', pod.metadata);
    return [
      found(object, `it ${verdict.reason}`, {
        owner: ownWorkload(owner) ?? object,
        ref: 'metadata.deletionTimestamp',
        since: timeOf(pod.metadata.deletionTimestamp),
        values: nodeOf(pod.spec.nodeName),
      }),
    ];
  });

/** Time for which a restart is reported, in ms. */
const recentMs = 86_400_000;

/** Containers that are ready again after a run that failed: worth knowing, and no failure of now. */
export const restartsRecovered: Check = ({ running, restarts, now }) =>
  running.pods.flatMap(({ pod, owner }): Found[] => {
    if (isFinished(pod) || pod.metadata.deletionTimestamp !== undefined) return [];
    const object = refOf('Pod', pod.metadata);
    return pod.status.containerStatuses.flatMap((container): Found[] => {
      const ended = container.lastState?.terminated;
      if (container.ready !== true || ended === undefined || (ended.exitCode ?? 0) === 0) return [];
      if (!(now - Date.parse(ended.finishedAt ?? '') < recentMs)) return [];
      if (endedWithNode(restarts, pod.spec.nodeName, ended) || keepsCrashing(pod, container, now)) return [];
      return [
        found(object, `container ${container.name} is ready again; its last run: ${lastEnd(container)}`, {
          owner: ownWorkload(owner) ?? object,
          container: container.name,
          ref: 'status.containerStatuses',
          at: timeOf(ended.finishedAt),
          times: container.restartCount,
          past: true,
          values: {
            ...nodeOf(pod.spec.nodeName),
            ...(container.image === undefined ? {} : { image: container.image }),
          },
        }),
      ];
    });
  });

/** Pods that are not ready for longer than a start takes: told only where nothing else says more. */
export const podNotReady: Check = ({ running }) =>
  running.pods.flatMap(({ pod, verdict, owner }): Found[] => {
    if (verdict.state !== 'failing' && verdict.state !== 'degraded') return [];
    if (isFinished(pod) || pod.metadata.deletionTimestamp !== undefined) return [];
    const statuses = pod.status.containerStatuses;
    if (statuses.length > 0 && statuses.every(({ ready }) => ready === true)) return [];
    const object = refOf('Pod', pod.metadata);
    return [
      found(object, `${pod.metadata.name}: ${verdict.reason ?? verdict.label}`, {
        owner: ownWorkload(owner) ?? object,
        ref: 'status',
        since: timeOf(pod.status.startTime ?? pod.metadata.creationTimestamp),
        values: nodeOf(pod.spec.nodeName),
      }),
    ];
  });

/** Time for which an event of the kubelet is reported, in ms. */
const eventHolds = 3_600_000;

/** Containers that the kubelet ended because their liveness probe failed (kubelet events Killing and Unhealthy). */
export const livenessKills: Check = (reading) => {
  const events = reading.listings.events.items;
  const failedProbes = new Map(
    events
      .toReversed()
      .flatMap(({ reason, message, involvedObject: about }) =>
        reason === 'Unhealthy' && /^Liveness probe/i.test(message ?? '')
          ? [[keyOf(refOf('Pod', { name: about.name ?? '', namespace: about.namespace })), { message }]]
          : [],
      ),
  );
  return events.flatMap((event): Found[] => {
    const { involvedObject: about, message = '', reason } = event;
    if (about.kind !== 'Pod' || about.name === undefined) return [];
    if (reason !== 'Killing' || !/failed liveness probe|is unhealthy, it will be killed/i.test(message))
      return [];
    const at = timeOf(event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime);
    if (reading.now - Date.parse(at ?? '') > eventHolds) return [];
    const object = refOf('Pod', { name: about.name, namespace: about.namespace });
    const judged = reading.podOf(object);
    // One that was made anew for a rollout is not ended any more.
    if (judged === undefined || isFinished(judged.pod)) return [];
    const why = failedProbes.get(keyOf(object));
    return [
      found(object, why?.message === undefined ? message : `${message} ${why.message}`, {
        owner: ownWorkload(judged.owner) ?? object,
        container: /^Container (\S+)/.exec(message)?.[1],
        ref: `Event ${event.metadata.name}`,
        at,
        times: event.series?.count ?? event.count ?? 1,
        values: nodeOf(judged.pod.spec.nodeName),
      }),
    ];
  });
};

const nodeOf = (node: string | undefined): Record<string, string> => (node === undefined ? {} : { node });
