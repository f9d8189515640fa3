import type { EdgeRoute } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import {
  httpRouteRoutes,
  ingressRoutes,
  listingsOf,
  resources,
  studioRoute,
  tracedServices,
} from '../../cluster-model/index.ts';
import { clusterReading, listServices, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import type { ServiceRows } from './services.ts';

/** `GET /api/routes`: the routes of Ingress and HTTPRoute objects and of the studio, each followed to its endpoints. */
export function networkRouteHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
  rowsOf: ServiceRows,
  studioUpstream: () => URL,
): Pick<Handlers, 'cluster.routes'> {
  return {
    'cluster.routes': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const [listings, ingresses, gateways, routes] = await Promise.all([
        listServices(cluster),
        cluster.list(resources.ingresses),
        cluster.list(resources.gateways),
        cluster.list(resources.httpRoutes),
      ]);
      const rows = await rowsOf(cluster, listings, nowOf(cluster, now));
      const services = tracedServices(rows, listings.services);
      const items: EdgeRoute[] = [
        ...routes.items.flatMap((route) => httpRouteRoutes(route, gateways, services)),
        ...ingresses.items.flatMap((ingress) => ingressRoutes(ingress, services)),
      ];
      return {
        items: [
          studioRoute(studioUpstream(), services),
          ...items.toSorted((a, b) => a.host.localeCompare(b.host) || a.path.localeCompare(b.path)),
        ],
        ...clusterReading(target, [...listingsOf(listings), ingresses, gateways, routes]),
      };
    },
  };
}
