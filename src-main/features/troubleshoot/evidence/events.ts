import { keyOf, lastSeen, objectIn, timeOf } from '../../../cluster-model/index.ts';
import type { EventSeen } from '../logs/seen.ts';
import type { Listings } from './listings.ts';
import type { Reading } from './reading.ts';

/** Age beyond which an event no longer counts, in ms: a cluster keeps events for about as long. */
const holds = 3_600_000;

/**
 * Returns recent events about objects that are not healthy now; those about objects that have recovered since
 * are left out.
 */
export function seenEvents(reading: Reading): EventSeen[] {
  const claims = new Set(
    reading.listings.claims.items.flatMap(({ metadata, status }) =>
      status?.phase === 'Bound' ? [keyOf({ kind: 'PersistentVolumeClaim', ...metadata })] : [],
    ),
  );
  return reading.listings.events.items.flatMap((event): EventSeen[] => {
    const { involvedObject: about, reason, message } = event;
    const at = Date.parse(lastSeen(event) ?? '');
    if (about.kind === undefined || about.name === undefined || reason === undefined) return [];
    if (reading.now - at > holds) return [];
    const object = {
      kind: about.kind,
      name: about.name,
      ...(about.namespace === undefined ? {} : { namespace: about.namespace }),
    };
    if (claims.has(keyOf(object)) || hasHealed(reading, object, at)) return [];
    return [
      {
        kind: 'event',
        object,
        owner: reading.ownerOf(object),
        container: /spec\.(?:initC|c)ontainers\{([^}]+)\}/.exec(about.fieldPath ?? '')?.[1],
        ref: `Event ${event.metadata.name}`,
        at: timeOf(lastSeen(event)),
        since: timeOf(event.firstTimestamp ?? event.eventTime),
        times: event.series?.count ?? event.count ?? 1,
        values: about.kind === 'Node' ? { node: about.name } : {},
        reason,
        about: about.kind,
        message: message ?? '',
      },
    ];
  });
}

function hasHealed(reading: Reading, object: NonNullable<EventSeen['object']>, at: number): boolean {
  const well = (state: string | undefined): boolean => state === 'healthy' || state === 'idle';
  if (object.kind === 'Pod') {
    const judged = reading.podOf(object);
    // A pod that is gone was replaced, where all pods were read.
    if (judged === undefined) return reading.isReadIn('pods', object.namespace);
    return well(judged.verdict.state) || judged.pod.metadata.deletionTimestamp !== undefined;
  }
  const listing = sets[object.kind];
  if (listing === undefined) return false;
  if (object.kind === 'CronJob') return wasScheduledSince(reading, object, at);
  const workload = reading.workloadOf(reading.ownerOf(object));
  if (workload !== undefined) return well(workload.row.state);
  return reading.isReadIn(listing, object.namespace);
}

/** A CronJob whose runs end well may still miss some of them: it is well when a run began after that was said. */
function wasScheduledSince(reading: Reading, object: NonNullable<EventSeen['object']>, at: number): boolean {
  const item = objectIn(reading.listings.cronJobs.items, object);
  if (item === undefined) return reading.isReadIn('cronJobs', object.namespace);
  return Date.parse(item.status?.lastScheduleTime ?? '') > at;
}

const sets: Readonly<Record<string, keyof Listings>> = {
  ReplicaSet: 'replicaSets',
  Deployment: 'deployments',
  StatefulSet: 'statefulSets',
  DaemonSet: 'daemonSets',
  Job: 'jobs',
  CronJob: 'cronJobs',
};
