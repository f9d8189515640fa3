import type { ObjectRef, ServiceRow } from '#shared/api/cluster.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { groupBy, wasRead, wasReadWhole } from '../listings.ts';
import { keyOf, nameOf } from '../owners.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { isFinished } from '../pods/pod-status.ts';
import { counted } from '../text.ts';
import { judgeRunning, type Running, type RunningListings } from '../workloads/running.ts';
import type { ReadWorkload } from '../workloads/workloads.ts';
import { countEndpoints, decisiveOf, type EndpointCount, type EndpointListings } from './endpoints.ts';

type ServiceObject = ObjectOf<typeof resources.services>;

export type ServiceListings = {
  readonly services: Listing<ServiceObject>;
  readonly running: RunningListings;
  readonly endpoints: EndpointListings;
};

/** Every listing that services were read from. */
export function listingsOf({ services, running, endpoints }: ServiceListings): Listing<unknown>[] {
  return [services, ...Object.values(running), decisiveOf(endpoints)];
}

/** A row for each service, by namespace and name. `now`: epoch ms. */
export function describeServices(
  listings: ServiceListings,
  now: number,
  running: Running = judgeRunning(listings.running, now),
): ServiceRow[] {
  const pods = groupBy(
    running.pods.filter(({ pod }) => !isFinished(pod)),
    ({ pod }) => pod.metadata.namespace,
  );
  const workloads = groupBy(running.workloads, ({ row }) => row.namespace);
  const decisive = decisiveOf(listings.endpoints);
  const endpoints = countEndpoints(listings.endpoints);
  const podsRead = wasRead(listings.running.pods);
  return listings.services.items
    .toSorted((a, b) => sortKey(a).localeCompare(sortKey(b)))
    .map((service) => {
      const { metadata, spec } = service;
      const namespace = metadata.namespace ?? '';
      const selected = selectedBy(spec.selector, pods.get(namespace) ?? []);
      const workload = workloadBehind(selected, spec.selector, workloads.get(namespace) ?? []);
      const count =
        endpoints.get(`${namespace}/${metadata.name}`) ??
        (wasReadWhole(decisive) && !isElsewhere(service) ? { ready: 0, total: 0 } : undefined);
      return {
        name: metadata.name,
        namespace,
        type: spec.type ?? 'ClusterIP',
        ports: spec.ports.map(({ name, port, targetPort, protocol }) => ({
          name,
          port,
          target: targetPort ?? String(port),
          protocol: protocol ?? 'TCP',
        })),
        workload: workload?.ref,
        ready: workload?.read?.row.ready,
        desired: workload?.read?.row.desired,
        readiness_probe: selected.length === 0 || !podsRead ? undefined : selected.every(hasReadinessProbe),
        endpoints: count,
        ...healthOf({ service, selected, podsRead: wasReadWhole(listings.running.pods), count, workload }),
      };
    });
}

type Behind = { readonly ref: ObjectRef; readonly read: ReadWorkload | undefined };

function sortKey({ metadata }: ServiceObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function isElsewhere({ spec }: ServiceObject): boolean {
  return spec.type === 'ExternalName';
}

function selectedBy(selector: Readonly<Record<string, string>>, pods: readonly JudgedPod[]): JudgedPod[] {
  return pods.filter(({ pod }) => matches(selector, pod.metadata.labels));
}

/** Whether a service's selector takes these labels; an empty one takes nothing. */
export function matches(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value);
}

/** The controller of most of its pods; without any the workload that would make some, such as one scaled to 0. */
function workloadBehind(
  selected: readonly JudgedPod[],
  selector: Readonly<Record<string, string>>,
  near: readonly ReadWorkload[],
): Behind | undefined {
  const owners = groupBy(selected, ({ owner }) => (owner === undefined ? '' : keyOf(owner)));
  const [most] = [...owners.values()].toSorted((a, b) => b.length - a.length);
  const ref = most?.[0]?.owner;
  if (ref !== undefined) return { ref, read: near.find(({ row }) => keyOf(row) === keyOf(ref)) };
  const read = selected.length > 0 ? undefined : near.find(({ podLabels }) => matches(selector, podLabels));
  if (read === undefined) return undefined;
  const { kind, name, namespace } = read.row;
  return { ref: { kind, name, namespace }, read };
}

function hasReadinessProbe({ pod }: JudgedPod): boolean {
  return pod.spec.containers.some(({ readinessProbe }) => readinessProbe);
}

function healthOf(facts: {
  readonly service: ServiceObject;
  readonly selected: readonly JudgedPod[];
  readonly podsRead: boolean;
  readonly count: EndpointCount | undefined;
  readonly workload: Behind | undefined;
}): Pick<ServiceRow, 'state' | 'reason'> {
  const { service, selected, count } = facts;
  if (isElsewhere(service))
    return {
      state: 'idle',
      reason: `points outside the cluster, to ${service.spec.externalName ?? 'no name'}`,
    };
  if (count === undefined) return { state: 'not_read', reason: 'its endpoints were not read' };
  if (count.ready === 0) {
    if (facts.workload?.read?.row.state === 'idle')
      return { state: 'idle', reason: `${nameOf(facts.workload.ref)} is ${facts.workload.read.row.reason}` };
    return { state: 'failing', reason: whyNone(facts, count) };
  }
  if (count.ready === count.total) return { state: 'healthy' };
  const bad = worstOf(selected);
  const share = `${count.ready} of ${count.total} endpoints ready`;
  return bad === undefined
    ? { state: 'working', reason: share }
    : { state: 'degraded', reason: `${share}; ${bad}` };
}

function whyNone(
  {
    service,
    selected,
    podsRead,
  }: { readonly service: ServiceObject; readonly selected: readonly JudgedPod[]; readonly podsRead: boolean },
  count: EndpointCount,
): string {
  const selector = Object.entries(service.spec.selector).map(([name, value]) => `${name}=${value}`);
  if (selector.length === 0) return 'no endpoints: it selects no pods, and nobody has given it any';
  if (selected.length === 0)
    return podsRead ? `no endpoints: no pod has the labels ${selector.join(', ')}` : 'no endpoints are ready';
  const named = unknownPort(service, selected);
  if (named !== undefined) return `no endpoints: no container of its pods has a port named ${named}`;
  const bad = worstOf(selected);
  const share = `none of ${counted(Math.max(count.total, selected.length), 'endpoint')} ready`;
  return bad === undefined ? share : `${share}; ${bad}`;
}

/** A target port by name that none of the pods has. */
export function unknownPort(
  { spec }: Pick<ServiceObject, 'spec'>,
  selected: readonly JudgedPod[],
): string | undefined {
  const names = new Set(
    selected.flatMap(({ pod }) =>
      [...pod.spec.containers, ...pod.spec.initContainers].flatMap(({ ports }) =>
        ports.map(({ name }) => name),
      ),
    ),
  );
  return spec.ports
    .map(({ targetPort }) => targetPort)
    .find((target) => target !== undefined && !/^\d+$/.test(target) && !names.has(target));
}

function worstOf(pods: readonly JudgedPod[]): string | undefined {
  const bad =
    pods.find(({ verdict }) => verdict.state === 'failing') ??
    pods.find(({ verdict }) => verdict.state === 'degraded');
  return bad === undefined
    ? undefined
    : `${bad.pod.metadata.name} ${bad.verdict.reason ?? bad.verdict.label}`;
}
