import type { ServiceRow } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import { describeServices, listingsOf, type ServiceListings } from '../../cluster-model/index.ts';
import {
  type Cluster,
  clusterReading,
  keepAnswers,
  listServices,
  nowOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** Rows of the services of a whole cluster, judged at a time (epoch ms). */
export type ServiceRows = (cluster: Cluster, listings: ServiceListings, now: number) => ServiceRow[];

/** Returns rows that are kept until what they were made of changes; the pages of services and of routes share them. */
export function keepServiceRows(): ServiceRows {
  return keepAnswers<ServiceListings, ServiceRow[]>(listingsOf, (listings, at) =>
    describeServices(listings, at),
  );
}

/** `GET /api/services`. */
export function serviceHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
  rowsOf: ServiceRows,
): Pick<Handlers, 'cluster.services'> {
  return {
    'cluster.services': async ({ query: { target: asked, namespace } }, call) => {
      const target = await targetOf(asked, call.caller);
      const listings = await listServices(target.cluster, namespace);
      const at = nowOf(target.cluster, now);
      return {
        // What is kept is of all namespaces.
        items:
          namespace === undefined ? rowsOf(target.cluster, listings, at) : describeServices(listings, at),
        ...clusterReading(target, listingsOf(listings)),
      };
    },
  };
}
