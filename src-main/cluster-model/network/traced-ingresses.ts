import type { EdgeRoute, Hop } from '#shared/api/cluster.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import { type Backend, type TracedServices, tracedRoute, traceService } from './traced-routes.ts';

type Ingress = ObjectOf<typeof resources.ingresses>;

/** A route for each host and path of an Ingress. */
export function ingressRoutes(ingress: Ingress, services: TracedServices): EdgeRoute[] {
  const { metadata, spec } = ingress;
  const namespace = metadata.namespace ?? '';
  const trace = (host: string, path: string, how: string, backend: Backend | undefined, routeId: string) =>
    tracedRoute(
      {
        id: `Ingress/${namespace}/${metadata.name}/${routeId}`,
        kind: 'Ingress',
        name: metadata.name,
        namespace,
        host,
        path,
      },
      [
        hostHop(ingress, host),
        gatewayHop(ingress),
        backend === undefined
          ? { step: 'path', name: path, state: 'broken', detail: 'The path leads to no service.' }
          : { step: 'path', name: path, state: 'holds', detail: how },
      ],
      backend === undefined ? undefined : traceService(backend, services),
    );
  const routes = spec.rules.flatMap((rule, ruleIndex) =>
    (rule.http?.paths ?? []).map(({ path, pathType, backend }, index) =>
      trace(
        rule.host ?? '*',
        path ?? '/',
        pathType ?? 'ImplementationSpecific',
        backendOf(backend.service, namespace),
        `${ruleIndex}/${index}`,
      ),
    ),
  );
  const rest = defaultBackend(spec.defaultBackend);
  return rest === undefined
    ? routes
    : [...routes, trace('*', '/', 'Whatever no other path takes', backendOf(rest, namespace), 'default')];
}

type ServiceBackend = {
  readonly name: string;
  readonly port?: { readonly number?: number | undefined; readonly name?: string | undefined } | undefined;
};

function backendOf(service: ServiceBackend | undefined, namespace: string): Backend | undefined {
  if (service === undefined) return undefined;
  const { number, name } = service.port ?? {};
  return { namespace, service: service.name, port: number?.toString() ?? name };
}

/** The schema leaves it as it came. */
function defaultBackend(value: unknown): ServiceBackend | undefined {
  if (typeof value !== 'object' || value === null || !('service' in value)) return undefined;
  const { service } = value;
  if (typeof service !== 'object' || service === null || !('name' in service)) return undefined;
  if (typeof service.name !== 'string') return undefined;
  const port: unknown = 'port' in service ? service.port : undefined;
  const field = (name: string): unknown =>
    typeof port === 'object' && port !== null ? Reflect.get(port, name) : undefined;
  const number = field('number');
  const name = field('name');
  return {
    name: service.name,
    port: {
      number: typeof number === 'number' ? number : undefined,
      name: typeof name === 'string' ? name : undefined,
    },
  };
}

function hostHop({ spec }: Ingress, host: string): Hop {
  const tls = spec.tls.find(({ hosts }) => hosts.length === 0 || hosts.includes(host));
  return {
    step: 'host',
    name: host,
    state: 'holds',
    detail: tls === undefined ? 'Without TLS' : `TLS with Secret ${tls.secretName ?? 'of the controller'}`,
  };
}

/** An Ingress has no gateway object: its controller shows itself by the address it gives. */
function gatewayHop({ spec, status }: Ingress): Hop {
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
  const name = spec.ingressClassName ?? 'the default class';
  return addresses.length > 0
    ? { step: 'gateway', name, state: 'holds', detail: `Address ${addresses.join(', ')}` }
    : {
        step: 'gateway',
        name,
        state: 'not_read',
        detail: 'No controller has given it an address: whether one serves it is not known.',
      };
}
