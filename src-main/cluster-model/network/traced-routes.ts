import type { EdgeRoute, Hop, ServiceRow } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import type { Listing } from '../kinds/types.ts';
import { wasReadWhole } from '../listings.ts';
import { nameOf } from '../owners.ts';

/** The service a route leads to; the port by number or name, as the route has it. */
export type Backend = {
  readonly namespace: string;
  readonly service: string;
  readonly port: string | undefined;
};

/** Services as they were described, and whether one that is not among them does not exist. */
export type TracedServices = {
  readonly rows: ReadonlyMap<string, ServiceRow>;
  readonly whole: boolean;
};

export function tracedServices(
  rows: readonly ServiceRow[],
  listing: Pick<Listing<unknown>, 'state'>,
): TracedServices {
  return {
    rows: new Map(rows.map((row) => [`${row.namespace}/${row.name}`, row])),
    whole: wasReadWhole(listing),
  };
}

/** Hops that were followed, and what is not good about the end of them although all hold. */
export type Traced = { readonly hops: readonly Hop[]; readonly wanting?: string | undefined };

/** The last three hops: service, endpoints and workload. */
export function traceService(backend: Backend, services: TracedServices): Traced {
  const row = services.rows.get(`${backend.namespace}/${backend.service}`);
  return {
    hops: serviceHops(backend, row, services.whole),
    wanting: row?.state === 'degraded' ? row.reason : undefined,
  };
}

function serviceHops(
  { namespace, service, port }: Backend,
  row: ServiceRow | undefined,
  whole: boolean,
): Hop[] {
  const object = { kind: 'Service', name: service, namespace };
  const named = `${service}${port === undefined ? '' : `:${port}`}`;
  if (row === undefined)
    return [
      {
        step: 'service',
        name: named,
        object,
        ...(whole
          ? { state: 'broken', detail: `There is no Service ${service} in ${namespace}.` }
          : { state: 'not_read', detail: `Service ${service} in ${namespace} was not read.` }),
      },
    ];
  const hasPort =
    port === undefined || row.ports.some((each) => String(each.port) === port || each.name === port);
  if (!hasPort)
    return [
      {
        step: 'service',
        name: named,
        object,
        state: 'broken',
        detail: `Service ${service} has no port ${port}; it has ${row.ports.map((each) => each.port).join(', ')}.`,
      },
    ];
  const holds: Hop = {
    step: 'service',
    name: named,
    object,
    state: 'holds',
    detail: `${row.type} in ${namespace}`,
  };
  if (row.type === 'ExternalName') return [{ ...holds, detail: row.reason ?? holds.detail }];
  return [holds, endpointsHop(row), ...workloadHop(row)];
}

function endpointsHop({ name, endpoints, reason }: ServiceRow): Hop {
  const hop = { step: 'endpoints', name } as const;
  if (endpoints === undefined) return { ...hop, state: 'not_read', detail: 'Endpoints were not read.' };
  return {
    ...hop,
    name: `${endpoints.ready} of ${endpoints.total}`,
    state: endpoints.ready > 0 ? 'holds' : 'broken',
    detail: reason ?? `${counted(endpoints.ready, 'endpoint')} ready`,
  };
}

function workloadHop({ workload, ready, desired, readiness_probe }: ServiceRow): Hop[] {
  if (workload === undefined) return [];
  const share =
    desired === undefined ? 'its replicas were not read' : `${ready} of ${desired} replicas ready`;
  const probe = readiness_probe === false ? '; no readiness probe backs that' : '';
  return [
    {
      step: 'workload',
      name: workload.name,
      object: workload,
      state: desired === undefined ? 'not_read' : ready === 0 ? 'broken' : 'holds',
      detail: `${nameOf(workload)}: ${share}${probe}`,
    },
  ];
}

/** Joins hops into a route: those after the first broken one are not reached. */
export function tracedRoute(
  route: Pick<EdgeRoute, 'id' | 'kind' | 'name' | 'namespace' | 'host' | 'path'>,
  start: readonly Hop[],
  { hops: rest, wanting }: Traced = { hops: [] },
): EdgeRoute {
  const hops = [...start, ...rest];
  const broken = hops.findIndex(({ state }) => state === 'broken');
  const traced = hops.map(
    (hop, index): Hop =>
      broken === -1 || index <= broken ? hop : { ...hop, state: 'unreached', detail: 'Not reached.' },
  );
  const at = hops[broken];
  if (at !== undefined)
    return { ...route, hops: traced, broken_at: at.step, state: 'failing', reason: at.detail };
  const unread = hops.find(({ state }) => state === 'not_read');
  if (unread !== undefined) return { ...route, hops: traced, state: 'not_read', reason: unread.detail };
  return wanting === undefined
    ? { ...route, hops: traced, state: 'healthy' }
    : { ...route, hops: traced, state: 'degraded', reason: wanting };
}
