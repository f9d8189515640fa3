import type { ClusterEvent } from '#shared/api/cluster.ts';
import { formatCount } from '../format-quantity.ts';
import { TimeAgo } from '../time-ago.tsx';
import css from './event-rows.module.css';

/** Events drawn at most; there may be thousands. */
const most = 200;

/** Events, the newest first: what happened to what, and how often. */
export function EventRows({ events }: { readonly events: readonly ClusterEvent[] }) {
  const newest = [...events].sort((a, b) => Date.parse(b.last_at) - Date.parse(a.last_at));
  return (
    <>
      <ul className={css.events}>
        {newest.slice(0, most).map((event) => (
          <li
            key={`${event.object.kind} ${event.object.name} ${event.reason} ${event.message} ${event.last_at}`}
          >
            <span className={css.head}>
              <b>{event.reason}</b>
              <code>
                {event.object.kind} {event.object.name}
              </code>
            </span>
            <span className={css.message}>{event.message}</span>
            <span className={css.when}>
              {event.count > 1 && `${formatCount(event.count, 'time')}, last `}
              <TimeAgo at={Date.parse(event.last_at)} />
            </span>
          </li>
        ))}
      </ul>
      {newest.length > most && (
        <p className={css.when}>
          The newest {most} of {newest.length.toLocaleString('en')} are shown.
        </p>
      )}
    </>
  );
}
