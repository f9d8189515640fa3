import type { EdgeRoute, Hop } from '#shared/api/cluster.ts';
import { type TracedServices, tracedRoute, traceService } from './traced-routes.ts';

/** A service's address inside a cluster (Kubernetes DNS specification): `name.namespace.svc`, with or without a domain. */
const clusterAddress = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.[a-z0-9.-]+)?$/i;

/** The console's own `/studio/`: followed on into the cluster where its upstream is an address of one. */
export function studioRoute(upstream: URL, services: TracedServices): EdgeRoute {
  const route = {
    id: 'console/studio',
    kind: 'console',
    name: 'studio',
    host: upstream.host,
    path: '/studio/',
  } as const;
  const [, service, namespace] = clusterAddress.exec(upstream.hostname) ?? [];
  const inCluster = service !== undefined && namespace !== undefined;
  const host: Hop = {
    step: 'host',
    name: upstream.host,
    ...(inCluster
      ? { state: 'holds', detail: 'The studio proxy forwards to a service of a cluster.' }
      : {
          state: 'not_read',
          detail: 'Points outside the cluster; not followed. The studio page shows whether it answers.',
        }),
  };
  const port = upstream.port === '' ? (upstream.protocol === 'https:' ? '443' : '80') : upstream.port;
  return tracedRoute(
    route,
    [host],
    inCluster ? traceService({ namespace, service, port }, services) : undefined,
  );
}
