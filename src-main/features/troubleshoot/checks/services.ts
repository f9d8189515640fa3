import {
  httpRouteRoutes,
  ingressRoutes,
  keyOf,
  tracedServices,
  unknownPort,
} from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';
import { type Check, type Found, found, refOf } from './found.ts';

type Fault = 'selects_nothing' | 'port_unserved' | 'without_endpoints';

/**
 * Returns services that reach no pod, each with one reason; a service of a workload scaled to 0 is not one.
 */
function faults(reading: Reading): { readonly fault: Fault; readonly seen: Found }[] {
  return reading.services.flatMap(({ row, service, selected }) => {
    // Nobody has promised endpoints for a service that selects no pods: somebody gives it some, or nobody asks it.
    if (row.state !== 'failing' || Object.keys(service.spec.selector).length === 0) return [];
    const object = refOf('Service', row);
    const { count = 0 } = selected;
    const fault: Fault =
      selected.count === 0 && row.workload === undefined && reading.isReadIn('pods', row.namespace)
        ? 'selects_nothing'
        : count > 0 && unknownPort(service, selected.ports) !== undefined
          ? 'port_unserved'
          : 'without_endpoints';
    return [
      {
        fault,
        seen: found(
          object,
          `Service ${row.name}: ${fault === 'selects_nothing' ? selectsNone(service) : row.reason}`,
          {
            owner: row.workload ?? object,
            ref:
              fault === 'port_unserved'
                ? 'spec.ports'
                : fault === 'selects_nothing'
                  ? 'spec.selector'
                  : 'its endpoints',
          },
        ),
      },
    ];
  });
}

/** The row says less of it where pods were read in its namespace alone. */
function selectsNone({ spec }: Reading['listings']['services']['items'][number]): string {
  const labels = Object.entries(spec.selector).map(([name, value]) => `${name}=${value}`);
  return `no endpoints: no pod has the labels ${labels.join(', ')}`;
}

const withFault =
  (wanted: Fault): Check =>
  (reading) =>
    faults(reading).flatMap(({ fault, seen }) => (fault === wanted ? [seen] : []));

export const serviceWithoutEndpoints = withFault('without_endpoints');
export const serviceSelectsNothing = withFault('selects_nothing');
export const servicePortUnserved = withFault('port_unserved');

/** Routes into the cluster whose path leads to no service, to one that does not exist, or to a port that it lacks. */
export const routeBackendMissing: Check = ({ listings, services: read }) => {
  const services = tracedServices(
    read.map(({ row }) => row),
    listings.services,
  );
  const routes = [
    ...listings.ingresses.items.flatMap((ingress) => ingressRoutes(ingress, services)),
    ...listings.httpRoutes.items.flatMap((route) => httpRouteRoutes(route, listings.gateways, services)),
  ];
  const reported = new Set<string>();
  return routes.flatMap((route): Found[] => {
    if (route.broken_at !== 'service' && route.broken_at !== 'path') return [];
    const object = refOf(route.kind, route);
    const text = `${route.host}${route.path}: ${route.reason}`;
    if (reported.has(`${keyOf(object)} ${text}`)) return [];
    reported.add(`${keyOf(object)} ${text}`);
    const service = route.hops.find(({ step }) => step === 'service');
    return [
      found(object, text, {
        ref: 'its rules',
        values: {
          host: route.host,
          path: route.path,
          ...(service === undefined ? {} : { service: service.name }),
        },
      }),
    ];
  });
};
