import type { Listing, Named, RawObject, Resource } from '../../src-main/cluster-model/index.ts';
import { resources } from '../../src-main/cluster-model/index.ts';
import type { Cluster } from '../../src-main/sources/cluster/index.ts';

const minute = 60_000;

/** Objects of `count` for each kind that is paired with another, in an arrangement that made a diagnosis quadratic. */
export type Arrangement = (count: number) => RawObject[];

/** Kinds (plural) that are listed as `partly`, with their gaps. */
type Partly = Readonly<Record<string, readonly string[]>>;

/** A cluster of very many objects: they are parsed once, and every listing is the same until it is closed. */
export function clusterOfMany(objects: readonly RawObject[], partly: Partly = {}): Cluster {
  const readAt = Date.now();
  const listings = new Map<string, Listing<Named>>(
    resources.everyKind.map((resource) => {
      const gaps = partly[resource.plural] ?? [];
      const items = objects
        .filter(({ kind, apiVersion }) => kind === resource.kind && groupOf(apiVersion) === resource.group)
        .map((object) => resource.schema.parse(object));
      return [
        keyOf(resource),
        { state: gaps.length > 0 ? 'partly' : 'read', items, gaps, readAt, revision: '1' },
      ];
    }),
  );
  return {
    source: 'kubernetes',
    takenAt: undefined,
    async list<T extends Named>(resource: Resource<T>): Promise<Listing<T>> {
      const found = listings.get(keyOf(resource));
      if (found === undefined) throw new Error(`${resource.plural} are not read by the console.`);
      // What is kept under a resource was parsed by its schema.
      return found as Listing<T>;
    },
    get: async () => ({ state: 'unread', reason: 'Objects are listed only.' }),
    watch: () => () => undefined,
    logs: async () => ({ state: 'missing', reason: 'There is no log.' }),
    patch: async () => ({ state: 'read_only', reason: 'The target is not marked writable.' }),
    httpGet: async () => ({ state: 'unread', reason: 'connection refused' }),
    status: () => ({ state: 'ready', readAt }),
    close: () => undefined,
  };
}

const keyOf = ({ plural, group }: Resource): string => `${plural}.${group}`;
const groupOf = (apiVersion: unknown): string =>
  String(apiVersion).includes('/') ? (String(apiVersion).split('/')[0] ?? '') : '';

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const range = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at));

function object(kind: string, name: string, rest: RawObject, metadata: RawObject = {}): RawObject {
  return {
    apiVersion: versions[kind] ?? 'v1',
    kind,
    metadata: { name, namespace: 'shop', creationTimestamp: ago(60 * minute), ...metadata },
    ...rest,
  };
}

const versions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  CronJob: 'batch/v1',
  Job: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  CockpitControlPlane: 'platform.dev/v1alpha1',
  ClientInstance: 'platform.dev/v1alpha1',
};

type PodFacts = {
  readonly labels?: RawObject;
  readonly node?: string;
  readonly status?: RawObject;
  readonly metadata?: RawObject;
};

function pod(
  name: string,
  { labels = {}, node = 'node-1', status = running, metadata = {} }: PodFacts,
): RawObject {
  return object(
    'Pod',
    name,
    {
      spec: {
        nodeName: node,
        containers: [{ name: 'app', image: 'app:1', ports: [{ name: 'http', containerPort: 80 }] }],
      },
      status,
    },
    { labels, ...metadata },
  );
}

const running: RawObject = {
  phase: 'Running',
  startTime: ago(60 * minute),
  conditions: ['Initialized', 'Ready', 'PodScheduled'].map((type) => ({ type, status: 'True' })),
  containerStatuses: [{ name: 'app', ready: true, restartCount: 0, state: { running: {} } }],
};

/** Waits for a Secret that does not exist. */
const withoutSecret: RawObject = {
  phase: 'Pending',
  startTime: ago(60 * minute),
  conditions: [{ type: 'PodScheduled', status: 'True' }],
  containerStatuses: [
    {
      name: 'app',
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "keys" not found' } },
    },
  ],
};

const unschedulable: RawObject = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no volume' }],
};

const restarted = (index: number): RawObject => ({
  ...running,
  containerStatuses: [
    {
      name: 'app',
      ready: true,
      restartCount: 3,
      state: { running: { startedAt: ago(minute) } },
      lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: ago((index + 1) * 5 * minute) } },
    },
  ],
});

const service = (name: string, selector: RawObject): RawObject =>
  object('Service', name, { spec: { selector, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } });

function workload(kind: string, name: string, template: RawObject = {}, metadata: RawObject = {}): RawObject {
  return object(
    kind,
    name,
    {
      spec: {
        replicas: 1,
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'app', image: 'app:1', ...template }] },
        },
      },
      status: { replicas: 1, readyReplicas: 0, observedGeneration: 1 },
    },
    metadata,
  );
}

const event = (index: number, about: RawObject, reason: string, message: string): RawObject =>
  object('Event', `event-${index}`, {
    type: 'Warning',
    reason,
    message,
    lastTimestamp: ago(minute),
    involvedObject: { namespace: 'shop', ...about },
  });

const owned = (kind: string, name: string): RawObject => ({
  ownerReferences: [{ kind, name, controller: true }],
});

/** By what is paired in it. */
export const arrangements: Readonly<Record<string, Arrangement>> = {
  'pods and services that select one each': (count) => [
    ...range(count, (at) => pod(`pod-${at}`, { labels: { app: `app-${at}` } })),
    ...range(count, (at) => service(`app-${at}`, { app: `app-${at}` })),
  ],
  'pods and services without endpoints that select them all': (count) => [
    ...range(count, (at) => pod(`pod-${at}`, { labels: { app: 'app' } })),
    ...range(count, (at) => service(`app-${at}`, { app: 'app' })),
  ],
  'pods that wait for one Secret, each a workload of its own': (count) => [
    ...range(count, (at) => pod(`pod-${at}`, { status: withoutSecret })),
    ...range(count, (at) =>
      workload('Deployment', `app-${at}`, {
        env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'k' } } }],
      }),
    ),
  ],
  'claims and the pods that wait for them': (count) => [
    ...range(count, (at) =>
      pod(`db-${at}`, { status: unschedulable, metadata: owned('StatefulSet', `db-${at}`) }),
    ),
    ...range(count, (at) =>
      object('PersistentVolumeClaim', `other-${at}`, { spec: {}, status: { phase: 'Pending' } }),
    ),
    ...range(count, (at) => workload('StatefulSet', `db-${at}`)),
  ],
  'control planes, their Deployments and services': (count) => [
    ...range(count, (at) =>
      object('CockpitControlPlane', `plane-${at}`, { spec: { image: 'cockpit:1', replicas: 2, env: [] } }),
    ),
    ...range(count, (at) => workload('Deployment', `plane-${at}`)),
    ...range(count, (at) => service(`plane-${at}`, { app: `plane-${at}` })),
  ],
  'Jobs of one CronJob, and ReplicaSets of one Deployment': (count) => [
    object('CronJob', 'nightly', {
      spec: { schedule: '0 5 * * *', jobTemplate: { spec: { template: {} } } },
    }),
    ...range(count, (at) =>
      object(
        'Job',
        `nightly-${at}`,
        {
          spec: { template: {} },
          status: { conditions: [{ type: 'Failed', status: 'True', message: 'too many failures' }] },
        },
        owned('CronJob', 'nightly'),
      ),
    ),
    workload('Deployment', 'app'),
    ...range(count, (at) => workload('ReplicaSet', `app-${at}`, {}, owned('Deployment', 'app'))),
  ],
  'Ingresses, each of a class of its own': (count) =>
    range(count, (at) =>
      object('Ingress', `web-${at}`, {
        spec: {
          ingressClassName: `class-${at}`,
          tls: [{ hosts: [`h${at}.example.com`], secretName: `tls-${at}` }],
          rules: [
            {
              host: `h${at}.example.com`,
              http: {
                paths: [{ path: '/', backend: { service: { name: `web-${at}`, port: { number: 80 } } } }],
              },
            },
          ],
        },
        status: { loadBalancer: at % 2 === 0 ? { ingress: [{ ip: '10.0.0.1' }] } : {} },
      }),
    ),
  'pods of one node that restarted one after the other, and events of them': (count) => [
    ...range(count, (at) => pod(`pod-${at}`, { status: restarted(at) })),
    ...range(count, (at) =>
      event(
        at,
        { kind: 'Pod', name: `pod-${at}`, fieldPath: 'spec.containers{app}' },
        'BackOff',
        'Back-off restarting failed container app',
      ),
    ),
  ],
  'nodes that were restarted, and the pods on them': (count) => [
    ...range(count, (at) => pod(`pod-${at}`, { node: `node-${at}`, status: restarted(at) })),
    ...range(count, (at) =>
      event(at, { kind: 'Node', name: `node-${at}` }, 'Rebooted', `Node node-${at} has been rebooted`),
    ),
  ],
  'variables that name services, where not all services may be read': (count) => [
    ...range(count, (at) =>
      workload('Deployment', `app-${at}`, {
        env: [{ name: 'API_URL', value: `http://api-${at}.shop.svc:80` }],
      }),
    ),
    ...range(count, (at) => service(`other-${at}`, { app: `app-${at}` })),
  ],
};

/** Gaps that an arrangement is read with. */
export const gapsOf: Readonly<Record<string, Partly>> = {
  'variables that name services, where not all services may be read': {
    services: ['Forbidden: list services in team-1.'],
    pods: ['Forbidden: list pods in team-1.'],
  },
};
