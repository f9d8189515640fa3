import type { NodeRow } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { paced } from '../../base/pace.ts';
import {
  describeConditions,
  describeEvents,
  describeNodes,
  describePod,
  groupBy,
  judgePods,
  mostEvents,
  type NodeListings,
  ownersBy,
  resources,
  wasReadWhole,
  worstFirst,
} from '../../cluster-model/index.ts';
import { clusterReading, keepAnswers, keptOf, listNodes, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** `GET /api/cluster-nodes` and `/api/nodes/{name}`. */
export function nodeHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.nodes' | 'cluster.node'> {
  const rowsOf = keepAnswers<NodeListings, NodeRow[]>(Object.values, (cluster, listings) =>
    describeNodes(listings, keptOf(cluster)),
  );
  return {
    'cluster.nodes': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const listings = await listNodes(target.cluster);
      return {
        items: await rowsOf(target.cluster, listings, nowOf(target.cluster, now)),
        ...clusterReading(target, Object.values(listings)),
      };
    },

    'cluster.node': async ({ params: { name }, query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const [listings, replicaSets, jobs, events] = await Promise.all([
        listNodes(cluster),
        cluster.list(resources.replicaSets),
        cluster.list(resources.jobs),
        cluster.list(resources.events),
      ]);
      const at = nowOf(cluster, now);
      const object = listings.nodes.items.find(({ metadata }) => metadata.name === name);
      if (object === undefined && wasReadWhole(listings.nodes))
        throw new ConsoleError('NotFound', `There is no node ${name} in this cluster.`);
      const pods = listings.pods.items.filter(({ spec }) => spec.nodeName === name);
      const own = events.items.filter(
        ({ involvedObject }) => involvedObject.kind === 'Node' && involvedObject.name === name,
      );
      const { all: judged } = await paced(judgePods(pods, ownersBy({ replicaSets, jobs }), at));
      const rows = await rowsOf(cluster, listings, at);
      const groups = groupBy(judged.toSorted(worstFirst), ({ pod }) => pod.metadata.namespace);
      return {
        node: rows.find((row) => row.name === name),
        conditions: describeConditions(object?.status?.conditions ?? []),
        labels: object?.metadata.labels ?? {},
        namespaces: [...groups]
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([namespace, grouped]) => ({ namespace, pods: grouped.map(describePod) })),
        events: describeEvents(own),
        ...clusterReading(
          target,
          [...Object.values(listings), replicaSets, jobs, events],
          own.length > mostEvents ? [`Only the newest ${mostEvents} of ${own.length} events are shown.`] : [],
        ),
      };
    },
  };
}
