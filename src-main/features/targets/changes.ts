import type { RouteOf } from '#shared/api/index.ts';
import type { StreamEvent } from '#shared/api/route.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import { changeLogOf } from './change-log.ts';

type ChangesRoute = RouteOf<'targets.changes'>;

/**
 * Yields the changes of a cluster: `changed` with the plural names of the resources, and `state` when the
 * state of the cluster changes. After `lastEventId`, missed changes come first. Ends with the signal.
 */
export async function* changeEvents(
  cluster: Cluster,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<ChangesRoute['events']>> {
  const log = changeLogOf(cluster);
  let wake = (): void => undefined;
  const news = (): void => wake();
  const stop = log.listen(news);
  signal.addEventListener('abort', news);
  let position = lastEventId ?? log.position();
  let state: string | undefined;
  try {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const { status, text } = log.status();
      if (text !== state) {
        state = text;
        yield { event: 'state', data: status, id: position };
      }
      const resources = log.since(position);
      if (resources.length > 0) {
        position = log.position();
        yield { event: 'changed', data: { resources }, id: position };
      }
      // What came meanwhile wakes it, too, in its turn.
      await woken;
    }
  } finally {
    stop();
    signal.removeEventListener('abort', news);
  }
}
