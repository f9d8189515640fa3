import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { follow } from '../../core/follow.ts';
import { useReading } from '../../core/reading.tsx';
import { targetsQuery, useCurrentTarget } from '../../core/target-queries.ts';

/** Changes that come within so many milliseconds are read once. */
const quietMs = 700;

/** A stream that the console refused is asked for again after so many milliseconds. */
const againMs = 5_000;

/**
 * Listens to the changes of the target that is read, for as long as the page is visible and reading is not paused: what
 * is on the page is read again soon after something changed.
 */
export function useTargetChanges(): void {
  const client = useQueryClient();
  const { paused } = useReading();
  const { id, target } = useCurrentTarget();
  const unread = target?.state === 'unread';
  // The first answer from a target tells its state as well: a page must not show it beside "Not asked yet".
  useEffect(() => {
    if (!unread) return;
    return client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      // The answers of one page come together: the list that is under way tells of them all.
      if (event.query.queryKey[0] === 'cluster')
        client.invalidateQueries({ queryKey: targetsQuery.queryKey }, { cancelRefetch: false });
    });
  }, [unread, client]);
  // A bundle does not change, and a target that nothing was read of must not be contacted for this alone.
  const listens = !paused && target !== undefined && target.kind !== 'bundle' && !unread;
  useEffect(() => {
    if (!listens || id === undefined) return;
    let leaving = new AbortController();
    let reading: number | undefined;
    let again: number | undefined;
    const readSoon = () => {
      reading ??= window.setTimeout(() => {
        reading = undefined;
        client.invalidateQueries({ queryKey: ['cluster'] });
      }, quietMs);
    };
    const leave = () => {
      leaving.abort();
      clearTimeout(again);
    };
    const listen = () => {
      leave();
      if (document.hidden) return;
      leaving = new AbortController();
      const { signal } = leaving;
      follow(
        'targets.changes',
        { query: { target: id } },
        {
          signal,
          on: {
            changed: readSoon,
            state: () => client.invalidateQueries({ queryKey: targetsQuery.queryKey }),
          },
        },
      ).catch(() => {
        if (!signal.aborted) again = window.setTimeout(listen, againMs);
      });
    };
    listen();
    document.addEventListener('visibilitychange', listen);
    return () => {
      document.removeEventListener('visibilitychange', listen);
      leave();
      clearTimeout(reading);
    };
  }, [listens, id, client]);
}
