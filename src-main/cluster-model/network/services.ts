import type { ObjectRef, ServiceRow } from '#shared/api/cluster.ts';
import type { Steps } from '#shared/steps.ts';
import { counted } from '#shared/text.ts';
import { type Kept, keep, keepNothing } from '../kept.ts';
import { keepGroups } from '../kept-groups.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { groupBy, wasRead, wasReadWhole } from '../listings.ts';
import { keyOf, nameOf } from '../owners.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { isFinished } from '../pods/pod-status.ts';
import type { Running, RunningListings } from '../workloads/running.ts';
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

/** A service's row, and what it was made of. */
export type ReadService = {
  readonly row: ServiceRow;
  readonly service: ServiceObject;
  readonly selected: SelectedPods;
};

/** A row for each service, by namespace and name. */
export function* describeServices(
  listings: ServiceListings,
  running: Running,
  kept: Kept = keepNothing,
): Steps<ServiceRow[]> {
  return (yield* readServices(listings, running, kept)).map(({ row }) => row);
}

/**
 * Pods and workloads that the selectors of all services together are tried on: beyond it what is behind a service is not
 * looked up.
 */
const mostLooks = 500_000;

/** Services of a namespace, and what they are described from; they select nothing of another. */
type InNamespace = {
  readonly services: readonly ServiceObject[];
  readonly counts: readonly (EndpointCount | undefined)[];
  readonly pods: readonly JudgedPod[];
  readonly workloads: readonly ReadWorkload[];
  readonly podListing: Listing<unknown>;
};

/** The services of a namespace, and how many objects their selectors were tried on. */
type Described = {
  readonly services: readonly ReadService[];
  readonly looks: number;
  readonly isCut: boolean;
};

const places = { pods: {}, workloads: {}, services: {} };
const nothing: readonly never[] = [];

/** Every service, by namespace and name. */
export function* readServices(
  listings: ServiceListings,
  running: Running,
  kept: Kept = keepNothing,
): Steps<ReadService[]> {
  const decisive = decisiveOf(listings.endpoints);
  const endpoints = countEndpoints(listings.endpoints);
  const podListing = listings.running.pods;
  const pods = keepGroups(kept, places.pods, running.pods, ({ pod }) => pod.metadata.namespace);
  const workloads = keepGroups(kept, places.workloads, running.workloads, ({ row }) => row.namespace);
  yield;
  const read = new Map<ServiceObject, ReadService>();
  let left = mostLooks;
  for (const [namespace, services] of keepGroups(
    kept,
    places.services,
    listings.services.items,
    namespaceOf,
  )) {
    const counts = services.map(
      (service) =>
        endpoints.get(`${namespace}/${service.metadata.name}`) ??
        (wasReadWhole(decisive) && !isElsewhere(service) ? none : undefined),
    );
    const given: InNamespace = {
      services,
      counts,
      pods: pods.get(namespace) ?? nothing,
      workloads: workloads.get(namespace) ?? nothing,
      podListing,
    };
    const inputs = [
      podListing.state,
      services,
      given.pods,
      given.workloads,
      ...counts.flatMap((count) => [count?.ready, count?.total]),
    ];
    const [first = given] = services;
    let described = kept.recall<Described>(first, 'services', inputs);
    if (described === undefined || described.isCut || described.looks > left) {
      described = yield* describeIn(given, left);
      kept.remember(first, 'services', inputs, described);
    }
    left -= described.looks;
    for (const one of described.services) read.set(one.service, one);
    yield;
  }
  return sorted(listings.services.items, kept).flatMap((service) => read.get(service) ?? []);
}

const none: EndpointCount = { ready: 0, total: 0 };

/** Services of the same selector share what is known of their pods. */
function* describeIn(
  { services, counts, pods, workloads, podListing }: InNamespace,
  left: number,
): Steps<Described> {
  const podIndex = indexLabels(
    pods.filter(({ pod }) => !isFinished(pod)),
    ({ pod }) => pod.metadata.labels,
  );
  yield;
  const workloadIndex = indexLabels(workloads, ({ podLabels }) => podLabels);
  const byKey = new Map(workloads.map((each) => [keyOf(each.row), each]));
  yield;
  const known = new Map<string, SelectedPods>();
  const looks = (): number => podIndex.looks + workloadIndex.looks;
  let isCut = false;
  const selectedBy = (selector: Readonly<Record<string, string>>): SelectedPods => {
    const key = JSON.stringify(selector);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (looks() > left) {
      isCut = true;
      return unseen;
    }
    const made = summarize(podIndex.select(selector), workloadIndex.select(selector)[0], byKey);
    known.set(key, made);
    return made;
  };
  const podsRead = wasRead(podListing);
  const podsReadWhole = wasReadWhole(podListing);
  const described: ReadService[] = [];
  for (const [at, service] of services.entries()) {
    if (at % 50 === 0) yield;
    const { metadata, spec } = service;
    const selected = selectedBy(spec.selector);
    const { workload } = selected;
    const count = counts[at];
    const row: ServiceRow = {
      name: metadata.name,
      namespace: namespaceOf(service),
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
      ...healthOf({ service, selected, podsRead: podsReadWhole, count }),
    };
    described.push({ row, service, selected });
  }
  return { services: described, looks: looks(), isCut };
}

const namespaceOf = ({ metadata }: ServiceObject): string => metadata.namespace ?? '';

/** Services by namespace and name; sorted once for the same services. */
function sorted(services: readonly ServiceObject[], kept: Kept): readonly ServiceObject[] {
  return keep(kept, services, 'sorted', [], () =>
    services
      .map((service) => ({ service, key: `${namespaceOf(service)}/${service.metadata.name}` }))
      .sort((a, b) => byName.compare(a.key, b.key))
      .map(({ service }) => service),
  );
}

const byName = new Intl.Collator('en');

/** The pods a selector selects, as far as known. */
export type SelectedPods = {
  /** Undefined when they were not looked up. */
  readonly count: number | undefined;
  readonly probed: boolean;
  /** Names of their containers' ports. */
  readonly ports: ReadonlySet<string>;
  /** The least healthy, where one is not well. */
  readonly worst: string | undefined;
  readonly workload: Behind | undefined;
};

const unseen: SelectedPods = {
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
): SelectedPods {
  return {
    count: pods.length,
    probed: pods.every(hasReadinessProbe),
    ports: portNames(pods),
    worst: worstOf(pods),
    workload: workloadBehind(pods, template, byKey),
  };
}

type Behind = { readonly ref: ObjectRef; readonly read: ReadWorkload | undefined };

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
  readonly selected: SelectedPods;
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
  }: { readonly service: ServiceObject; readonly selected: SelectedPods; readonly podsRead: boolean },
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
function portNames(pods: readonly Pick<JudgedPod, 'pod'>[]): ReadonlySet<string> {
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
