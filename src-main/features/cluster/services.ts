import type { ServiceRow } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import type { Steps } from '#shared/steps.ts';
import { paced } from '../../base/pace.ts';
import {
  describeServices,
  type JudgedBy,
  judgeRunning,
  listingsOf,
  type ServiceListings,
} from '../../cluster-model/index.ts';
import {
  type Cluster,
  clusterReading,
  keepAnswers,
  keptOf,
  listServices,
  nowOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** Rows of the services of a whole cluster, judged at a time (epoch ms). */
export type ServiceRows = (cluster: Cluster, listings: ServiceListings, now: number) => Promise<ServiceRow[]>;

/** Returns rows that are kept until what they were made of changes; the pages of services and of routes share them. */
export function keepServiceRows(): ServiceRows {
  return keepAnswers<ServiceListings, ServiceRow[]>(listingsOf, (cluster, listings, at) =>
    rowsOf(listings, { now: at, kept: keptOf(cluster) }),
  );
}

function* rowsOf(listings: ServiceListings, by: JudgedBy): Steps<ServiceRow[]> {
  return yield* describeServices(listings, yield* judgeRunning(listings.running, by), by.kept);
}

/** `GET /api/services`. */
export function serviceHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
  allRowsOf: ServiceRows,
): Pick<Handlers, 'cluster.services'> {
  return {
    'cluster.services': async ({ query: { target: asked, namespace } }, call) => {
      const target = await targetOf(asked, call.caller);
      const listings = await listServices(target.cluster, namespace);
      const at = nowOf(target.cluster, now);
      return {
        // What is kept is of all namespaces.
        items: await (namespace === undefined
          ? allRowsOf(target.cluster, listings, at)
          : paced(rowsOf(listings, { now: at }))),
        ...clusterReading(target, listingsOf(listings)),
      };
    },
  };
}
