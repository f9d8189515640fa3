import type { NamespaceRow } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import {
  describeEvents,
  describeNamespaces,
  describePod,
  isWarning,
  judgeRunning,
  mostEvents,
  type NamespaceListings,
  wasReadWhole,
  worstFirst,
} from '../../cluster-model/index.ts';
import { clusterReading, keepAnswers, listNamespaces, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** `GET /api/namespaces` and `/api/namespaces/{name}`. */
export function namespaceHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.namespaces' | 'cluster.namespace'> {
  const rowsOf = keepAnswers<NamespaceListings, NamespaceRow[]>(Object.values, (listings, at) =>
    describeNamespaces(listings, at),
  );
  return {
    'cluster.namespaces': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const listings = await listNamespaces(target.cluster);
      return {
        items: rowsOf(target.cluster, listings, nowOf(target.cluster, now)),
        ...clusterReading(target, Object.values(listings)),
      };
    },

    'cluster.namespace': async ({ params: { name }, query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const listings = await listNamespaces(target.cluster, name);
      const at = nowOf(target.cluster, now);
      const warnings = listings.events.items.filter(isWarning);
      const running = judgeRunning(listings, at, listings.events.items);
      const row = describeNamespaces(listings, at, running).find((found) => found.name === name);
      if (row === undefined && wasReadWhole(listings.namespaces))
        throw new ConsoleError('NotFound', `There is no namespace ${name} in this cluster.`);
      return {
        namespace: row,
        workloads: running.workloads.map((found) => found.row),
        pods: running.pods.toSorted(worstFirst).map(describePod),
        events: describeEvents(warnings),
        ...clusterReading(target, Object.values(listings), shownOf(warnings.length)),
      };
    },
  };
}

/** Says what the page leaves out of this many events. */
const shownOf = (events: number): string[] =>
  events > mostEvents ? [`Only the newest ${mostEvents} of ${events} warning events are shown.`] : [];
