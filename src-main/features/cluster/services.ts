import type { EdgeRoute, ServiceRow } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import {
  describeServices,
  listingsOf,
  listServices,
  type ServiceListings,
} from '../../cluster-model/network/services.ts';
import { httpRouteRoutes } from '../../cluster-model/network/traced-http-routes.ts';
import { ingressRoutes } from '../../cluster-model/network/traced-ingresses.ts';
import { tracedServices } from '../../cluster-model/network/traced-routes.ts';
import { studioRoute } from '../../cluster-model/network/traced-studio.ts';
import { clusterReading, nowOf, resources } from '../../sources/cluster/index.ts';
import { keepAnswers } from '../../sources/cluster/kept-answers.ts';
import type { OpenTargetOf } from '../targets/open-target.ts';

/** `GET /api/services` and `/api/routes`. */
export function serviceHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
  studioUpstream: URL,
): Pick<Handlers, 'cluster.services' | 'cluster.routes'> {
  const rowsOf = keepAnswers<ServiceListings, ServiceRow[]>(listingsOf, (listings, at) =>
    describeServices(listings, at),
  );
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

    'cluster.routes': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const [listings, ingresses, gateways, routes] = await Promise.all([
        listServices(cluster),
        cluster.list(resources.ingresses),
        cluster.list(resources.gateways),
        cluster.list(resources.httpRoutes),
      ]);
      const rows = rowsOf(cluster, listings, nowOf(cluster, now));
      const services = tracedServices(rows, listings.services);
      const items: EdgeRoute[] = [
        ...routes.items.flatMap((route) => httpRouteRoutes(route, gateways, services)),
        ...ingresses.items.flatMap((ingress) => ingressRoutes(ingress, services)),
      ];
      return {
        items: [
          studioRoute(studioUpstream, services),
          ...items.toSorted((a, b) => a.host.localeCompare(b.host) || a.path.localeCompare(b.path)),
        ],
        ...clusterReading(target, [...listingsOf(listings), ingresses, gateways, routes]),
      };
    },
  };
}
