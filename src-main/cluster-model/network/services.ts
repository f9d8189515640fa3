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
import { indexLabels } from './label-index.ts';

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

/**
 * A row for each service, by namespace and name. Services of the same selector share what is known of their pods, and
 * no more pods than `mostLooks` are looked at for all of them together. `now`: epoch ms.
 */
export function describeServices(
  listings: ServiceListings,
  now: number,
  running: Running = judgeRunning(listings.running, now),
): ServiceRow[] {
  const pods = indexLabels(
    running.pods.filter(({ pod }) => !isFinished(pod)),
    ({ pod }) => pod.metadata.labels,
    ({ pod }) => pod.metadata.namespace,
  );
  const workloads = indexLabels(
    running.workloads,
    ({ podLabels }) => podLabels,
    ({ row }) => row.namespace,
  );
  const byKey = new Map(running.workloads.map((read) => [keyOf(read.row), read]));
  const known = new Map<string, Selected>();
  let looks = 0;
  const selectedBy = (namespace: string, selector: Readonly<Record<string, string>>): Selected => {
    const key = `${namespace} ${JSON.stringify(selector)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (looks > mostLooks) return unseen;
    const selected = pods.select(namespace, selector);
    looks += selected.length;
    const first = workloads.select(namespace, selector)[0];
    const made = summarize(selected, first, byKey);
    known.set(key, made);
    return made;
  };
  const decisive = decisiveOf(listings.endpoints);
  const endpoints = countEndpoints(listings.endpoints);
  const podsRead = wasRead(listings.running.pods);
  return listings.services.items
    .map((service) => ({ service, key: sortKey(service) }))
    .sort((a, b) => byName.compare(a.key, b.key))
    .map(({ service }) => {
      const { metadata, spec } = service;
      const namespace = metadata.namespace ?? '';
      const selected = selectedBy(namespace, spec.selector);
      const { workload } = selected;
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
        readiness_probe: selected.count === 0 || !podsRead ? undefined : selected.probed,
        endpoints: count,
        ...healthOf({ service, selected, podsRead: wasReadWhole(listings.running.pods), count }),
      };
    });
}

/** Pods that all services together may select: beyond it what is behind a service is not looked up. */
const mostLooks = 500_000;

const byName = new Intl.Collator('en');

/** The pods a selector selects, as far as known. */
type Selected = {
  /** Undefined when they were not looked up. */
  readonly count: number | undefined;
  readonly probed: boolean;
  /** Names of their containers' ports. */
  readonly ports: ReadonlySet<string>;
  /** The least healthy, where one is not well. */
  readonly worst: string | undefined;
  readonly workload: Behind | undefined;
};

const unseen: Selected = {
  count: undefined,
  probed: false,
  ports: new Set(),
  worst: undefined,
  workload: undefined,
};

function summarize(
  pods: readonly JudgedPod[],
  template: ReadWorkload | undefined,
  byKey: ReadonlyMap<string, ReadWorkload>,
): Selected {
  return {
    count: pods.length,
    probed: pods.every(hasReadinessProbe),
    ports: portNames(pods),
    worst: worstOf(pods),
    workload: workloadBehind(pods, template, byKey),
  };
}

type Behind = { readonly ref: ObjectRef; readonly read: ReadWorkload | undefined };

function sortKey({ metadata }: ServiceObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function isElsewhere({ spec }: ServiceObject): boolean {
  return spec.type === 'ExternalName';
}

/** The controller of most of its pods; without any the workload that would make some, such as one scaled to 0. */
function workloadBehind(
  selected: readonly JudgedPod[],
  template: ReadWorkload | undefined,
  byKey: ReadonlyMap<string, ReadWorkload>,
): Behind | undefined {
  const owners = groupBy(selected, ({ owner }) => (owner === undefined ? '' : keyOf(owner)));
  const [most] = [...owners.values()].toSorted((a, b) => b.length - a.length);
  const ref = most?.[0]?.owner;
  if (ref !== undefined) return { ref, read: byKey.get(keyOf(ref)) };
  if (selected.length > 0 || template === undefined) return undefined;
  const { kind, name, namespace } = template.row;
  return { ref: { kind, name, namespace }, read: template };
}

function hasReadinessProbe({ pod }: JudgedPod): boolean {
  return pod.spec.containers.some(({ readinessProbe }) => readinessProbe);
}

function healthOf(facts: {
  readonly service: ServiceObject;
  readonly selected: Selected;
  readonly podsRead: boolean;
  readonly count: EndpointCount | undefined;
}): Pick<ServiceRow, 'state' | 'reason'> {
  const { service, selected, count } = facts;
  if (isElsewhere(service))
    return {
      state: 'idle',
      reason: `points outside the cluster, to ${service.spec.externalName ?? 'no name'}`,
    };
  if (count === undefined) return { state: 'not_read', reason: 'its endpoints were not read' };
  if (selected.count === undefined && count.ready < count.total)
    return { state: 'not_read', reason: 'services select more pods than are looked up' };
  if (count.ready === 0) {
    if (selected.workload?.read?.row.state === 'idle')
      return {
        state: 'idle',
        reason: `${nameOf(selected.workload.ref)} is ${selected.workload.read.row.reason}`,
      };
    return { state: 'failing', reason: whyNone(facts, count) };
  }
  if (count.ready === count.total) return { state: 'healthy' };
  const bad = selected.worst;
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
  }: { readonly service: ServiceObject; readonly selected: Selected; readonly podsRead: boolean },
  count: EndpointCount,
): string {
  const selector = Object.entries(service.spec.selector).map(([name, value]) => `${name}=${value}`);
  if (selector.length === 0) return 'no endpoints: it selects no pods, and nobody has given it any';
  if (selected.count === 0)
    return podsRead ? `no endpoints: no pod has the labels ${selector.join(', ')}` : 'no endpoints are ready';
  const named = selected.count === undefined ? undefined : unknownPort(service, selected.ports);
  if (named !== undefined) return `no endpoints: no container of its pods has a port named ${named}`;
  const bad = selected.worst;
  const share = `none of ${counted(Math.max(count.total, selected.count ?? 0), 'endpoint')} ready`;
  return bad === undefined ? share : `${share}; ${bad}`;
}

/** A target port by name that is none of those that the pods' containers have. */
export function unknownPort(
  { spec }: Pick<ServiceObject, 'spec'>,
  names: ReadonlySet<string>,
): string | undefined {
  return spec.ports
    .map(({ targetPort }) => targetPort)
    .find((target) => target !== undefined && !/^\d+$/.test(target) && !names.has(target));
}

/** Names of the ports of all containers of pods. */
export function portNames(pods: readonly Pick<JudgedPod, 'pod'>[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { pod } of pods)
    for (const { ports } of [...pod.spec.containers, ...pod.spec.initContainers])
      for (const { name } of ports) if (name !== undefined) names.add(name);
  return names;
}

function worstOf(pods: readonly JudgedPod[]): string | undefined {
  const bad =
    pods.find(({ verdict }) => verdict.state === 'failing') ??
    pods.find(({ verdict }) => verdict.state === 'degraded');
  return bad === undefined
    ? undefined
    : `${bad.pod.metadata.name} ${bad.verdict.reason ?? bad.verdict.label}`;
}
