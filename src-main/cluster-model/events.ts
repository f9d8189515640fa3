import type { ClusterEvent } from '#shared/api/cluster.ts';
import type * as resources from './kinds/index.ts';
import type { ObjectOf } from './kinds/index.ts';
import { timeOf } from './text.ts';

type Event = ObjectOf<typeof resources.events>;

/**
 * Returns when the event was last seen, for either of the two event APIs; undefined when no time is given.
 */
export function lastSeen(event: Event): string | undefined {
  return (
    event.series?.lastObservedTime ??
    event.lastTimestamp ??
    event.eventTime ??
    event.metadata.creationTimestamp
  );
}

export function isWarning({ type }: Event): boolean {
  return type === 'Warning';
}

/** Events a page shows. */
export const mostEvents = 100;

/** The newest events, newest first; one without any time is left out. */
export function describeEvents(events: readonly Event[]): ClusterEvent[] {
  return events
    .flatMap((event): ClusterEvent[] => {
      const last_at = timeOf(lastSeen(event));
      if (last_at === undefined) return [];
      const { involvedObject: object } = event;
      return [
        {
          type: event.type ?? 'Normal',
          reason: event.reason ?? '',
          message: event.message ?? '',
          object: { kind: object.kind ?? '', name: object.name ?? '', namespace: object.namespace },
          count: event.series?.count ?? event.count ?? 1,
          first_at: timeOf(event.firstTimestamp ?? event.eventTime),
          last_at,
        },
      ];
    })
    .toSorted((a, b) => b.last_at.localeCompare(a.last_at))
    .slice(0, mostEvents);
}
