import type { EdgeRoute, Hop } from '#shared/api/cluster.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { objectIn, wasReadWhole } from '../listings.ts';
import { clipped } from '../text.ts';
import { type Traced, type TracedServices, tracedRoute, traceService } from './traced-routes.ts';

type HttpRoute = ObjectOf<typeof resources.httpRoutes>;
type Gateway = ObjectOf<typeof resources.gateways>;
type ParentRef = HttpRoute['spec']['parentRefs'][number];

/** A route for each host, path and backend of an HTTPRoute. */
export function httpRouteRoutes(
  route: HttpRoute,
  gateways: Listing<Gateway>,
  services: TracedServices,
): EdgeRoute[] {
  const { metadata, spec } = route;
  const namespace = metadata.namespace ?? '';
  const parent = spec.parentRefs[0];
  const gateway = parent === undefined ? undefined : gatewayOf(parent, namespace, gateways.items);
  const gatewayHop = traceGateway(route, parent, gateway, gateways);
  const hosts = spec.hostnames.length > 0 ? spec.hostnames : listenerHosts(gateway, parent);
  return hosts.flatMap((host, hostIndex) =>
    spec.rules.flatMap((rule, ruleIndex) => {
      const matches = rule.matches.length > 0 ? rule.matches : [{ path: undefined }];
      return matches.flatMap(({ path }, matchIndex) => {
        const place = `HTTPRoute/${namespace}/${metadata.name}/${hostIndex}/${ruleIndex}/${matchIndex}`;
        const at = path?.value ?? '/';
        const of = (id: string, pathHop: Hop, traced?: Traced): EdgeRoute =>
          tracedRoute(
            { id, kind: 'HTTPRoute', name: metadata.name, namespace, host, path: at },
            [hostHop(host, gateway, parent), gatewayHop, pathHop],
            traced,
          );
        const pathHop: Hop = { step: 'path', name: at, state: 'holds', detail: path?.type ?? 'PathPrefix' };
        const backends = rule.backendRefs.filter(({ weight }) => weight !== 0);
        if (backends.length === 0) return [of(place, withoutBackend(rule, pathHop))];
        return backends.map((backend, index) =>
          of(
            `${place}/${index}`,
            pathHop,
            withResolvedRefs(route, traceBackend(backend, namespace, services)),
          ),
        );
      });
    }),
  );
}

function withoutBackend(rule: HttpRoute['spec']['rules'][number], hop: Hop): Hop {
  const redirects = rule.filters.some(({ type }) => type === 'RequestRedirect');
  return redirects
    ? { ...hop, detail: `${hop.detail}, answered by a redirect` }
    : { ...hop, state: 'broken', detail: 'The path leads to no service.' };
}

function traceBackend(
  { kind = 'Service', name, namespace, port }: HttpRoute['spec']['rules'][number]['backendRefs'][number],
  own: string,
  services: TracedServices,
): Traced {
  if (kind !== 'Service')
    return {
      hops: [
        {
          step: 'service',
          name,
          state: 'not_read',
          detail: `It leads to ${kind} ${name}, which is not followed.`,
        },
      ],
    };
  return traceService({ namespace: namespace ?? own, service: name, port: port?.toString() }, services);
}

/**
 * Marks the hop as broken when the gateway rejects its backend references, even though the service exists:
 * for a missing grant, for one.
 */
function withResolvedRefs({ status }: HttpRoute, traced: Traced): Traced {
  const refused = (status?.parents ?? [])
    .flatMap(({ conditions }) => conditions)
    .find(({ type, status: is }) => type === 'ResolvedRefs' && is === 'False');
  const [first, ...rest] = traced.hops;
  if (refused === undefined || first?.state !== 'holds') return traced;
  return { hops: [{ ...first, state: 'broken', detail: refusal(refused) }, ...rest] };
}

function refusal({
  type,
  message,
  reason,
}: {
  type: string;
  message?: string | undefined;
  reason?: string | undefined;
}) {
  return clipped(`${type} is False: ${message || reason || 'no reason given'}`);
}

function gatewayOf(
  { name, namespace, kind }: ParentRef,
  own: string,
  gateways: readonly Gateway[],
): Gateway | undefined {
  if (kind !== undefined && kind !== 'Gateway') return undefined;
  return objectIn(gateways, { name, namespace: namespace ?? own });
}

function listenersOf(gateway: Gateway | undefined, parent: ParentRef | undefined) {
  const { sectionName } = parent ?? {};
  return (gateway?.spec.listeners ?? []).filter(
    ({ name }) => sectionName === undefined || name === sectionName,
  );
}

function listenerHosts(gateway: Gateway | undefined, parent: ParentRef | undefined): string[] {
  const hosts = new Set(listenersOf(gateway, parent).map(({ hostname }) => hostname ?? '*'));
  return hosts.size > 0 ? [...hosts] : ['*'];
}

function hostHop(host: string, gateway: Gateway | undefined, parent: ParentRef | undefined): Hop {
  const listeners = listenersOf(gateway, parent);
  const taken = listeners.filter(({ hostname }) => hostname === undefined || hostsMeet(hostname, host));
  if (gateway !== undefined && taken.length === 0)
    return {
      step: 'host',
      name: host,
      state: 'broken',
      detail: `No listener of Gateway ${gateway.metadata.name} takes the host ${host}.`,
    };
  const ports = taken.map(({ protocol, port }) => `${protocol} ${port}`);
  return {
    step: 'host',
    name: host,
    state: 'holds',
    detail: ports.length > 0 ? ports.join(', ') : 'As the route names it',
  };
}

/**
 * Returns whether a listener's host and a route's have a name in common; either may begin with `*.` (Gateway API,
 * Hostname).
 */
function hostsMeet(left: string, right: string): boolean {
  if (left === right || left === '*' || right === '*') return true;
  const within = (wild: string, name: string): boolean =>
    wild.startsWith('*.') && name.endsWith(wild.slice(1));
  return within(left, right) || within(right, left);
}

function traceGateway(
  { metadata, status }: HttpRoute,
  parent: ParentRef | undefined,
  gateway: Gateway | undefined,
  gateways: Listing<Gateway>,
): Hop {
  const step = 'gateway';
  if (parent === undefined)
    return { step, name: 'none', state: 'broken', detail: `HTTPRoute ${metadata.name} names no Gateway.` };
  const { name } = parent;
  const namespace = parent.namespace ?? metadata.namespace;
  const object = { kind: parent.kind ?? 'Gateway', name, namespace };
  if (object.kind !== 'Gateway')
    return { step, name, object, state: 'not_read', detail: `${object.kind} ${name} is not followed.` };
  if (gateway === undefined)
    return wasReadWhole(gateways)
      ? { step, name, object, state: 'broken', detail: `There is no Gateway ${name} in ${namespace}.` }
      : { step, name, object, state: 'not_read', detail: `Gateway ${name} in ${namespace} was not read.` };
  const refused =
    (status?.parents ?? [])
      .filter(({ parentRef }) => parentRef.name === name)
      .flatMap(({ conditions }) => conditions)
      .find(({ type, status: is }) => type === 'Accepted' && is === 'False') ??
    gateway.status?.conditions.find(
      ({ type, status: is }) => (type === 'Accepted' || type === 'Programmed') && is === 'False',
    );
  if (refused !== undefined)
    return {
      step,
      name,
      object,
      state: 'broken',
      detail: refusal(refused),
    };
  const addresses = (gateway.status?.addresses ?? []).flatMap(({ value }) => value ?? []);
  return {
    step,
    name,
    object,
    state: 'holds',
    detail:
      addresses.length > 0
        ? `Address ${addresses.join(', ')}`
        : `Class ${gateway.spec.gatewayClassName ?? 'not named'}`,
  };
}
