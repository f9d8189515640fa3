import { request } from 'undici';
import { afterEach } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import { type RouteId, type RouteOf, routeTable } from '../../../../src-shared/api/index.ts';
import type { JsonAnswer } from '../../../../src-shared/api/route.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The routes these suites read: each answers JSON. */
type Read = Exclude<Extract<RouteId, `cluster.${string}`>, 'cluster.logs'>;

export type ClusterReader = {
  readonly console_: TestConsole;
  /** What the route answers, which must be as its contract says. `path` has the parameters filled in. */
  read<Id extends Read>(id: Id, path?: string): Promise<JsonAnswer<RouteOf<Id>>>;
  /** Status and body of any path. */
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Record<string, unknown> }>;
};

/** A console that reads this cluster. */
export async function readingCluster(
  cluster: Cluster,
  env: Record<string, string> = {},
): Promise<ClusterReader> {
  const console_ = await testConsole(env, { cluster });
  closers.push(() => console_.close());
  const cookie = await console_.cookie();
  const get: ClusterReader['get'] = async (path, headers = {}) => {
    const answer = await request(`${console_.url}${path}`, { headers: { cookie, ...headers } });
    return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers };
  };
  return {
    console_,
    get,
    async read<Id extends Read>(id: Id, path?: string) {
      const route = routeTable.find((candidate) => candidate.id === id);
      if (route === undefined || typeof route.answer === 'string') throw new Error(`${id} answers no JSON`);
      const { status, text } = await get(path ?? route.path);
      if (status !== 200) throw new Error(`${id} answered ${status}: ${text}`);
      // Parsed with that route's own shape just here; the lookup by id cannot carry the pairing.
      return route.answer.parse(JSON.parse(text)) as JsonAnswer<RouteOf<Id>>;
    },
  };
}

const begun = Math.floor(Date.now() / 1000) * 1000;

/** A time before this suite began, as Kubernetes writes it. */
export function minutesAgo(minutes: number): string {
  return new Date(begun - minutes * 60_000).toISOString();
}

type Fields = Readonly<Record<string, unknown>>;
type Meta = { readonly name: string; readonly namespace?: string } & Fields;

export const object = (apiVersion: string, kind: string, metadata: Meta, body: Fields = {}): RawObject => ({
  apiVersion,
  kind,
  metadata: { creationTimestamp: minutesAgo(600), ...metadata },
  ...body,
});

export const namespace = (name: string, labels: Record<string, string> = {}): RawObject =>
  object('v1', 'Namespace', { name, labels }, { status: { phase: 'Active' } });

type DeploymentFields = {
  readonly name: string;
  readonly namespace: string;
  readonly replicas?: number;
  readonly ready?: number;
  readonly labels?: Record<string, string>;
  readonly conditions?: readonly Fields[];
  readonly image?: string;
  readonly container?: Fields;
  readonly owner?: { readonly kind: string; readonly name: string };
};

/** A Deployment that is rolled out. */
export function deployment(fields: DeploymentFields): RawObject {
  const { name, namespace, replicas = 1, ready = replicas, labels = {}, conditions = [] } = fields;
  return object(
    'apps/v1',
    'Deployment',
    {
      name,
      namespace,
      labels,
      generation: 1,
      ...(fields.owner === undefined
        ? {}
        : { ownerReferences: [{ ...fields.owner, controller: true, uid: 'u' }] }),
    },
    {
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            containers: [{ name, image: fields.image ?? `registry.example/${name}:1`, ...fields.container }],
          },
        },
      },
      status: {
        observedGeneration: 1,
        replicas,
        readyReplicas: ready,
        updatedReplicas: replicas,
        availableReplicas: ready,
        conditions: [
          { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
          { type: 'Available', status: 'True', lastTransitionTime: minutesAgo(90) },
          ...conditions,
        ],
      },
    },
  );
}

type PodFields = {
  readonly name: string;
  readonly namespace: string;
  /** Name of the Deployment it belongs to, through a ReplicaSet that nobody lists. */
  readonly of?: string;
  readonly node?: string;
  readonly labels?: Record<string, string>;
  readonly status?: Fields;
  readonly spec?: Fields;
  readonly container?: Fields;
  readonly requests?: Record<string, string>;
  readonly owner?: { readonly kind: string; readonly name: string };
};

const readyNow = (ready: boolean) =>
  ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: ready || type === 'PodScheduled' || type === 'Initialized' ? 'True' : 'False',
  }));

/** A pod that runs and is ready. */
export function pod(fields: PodFields): RawObject {
  const { name, namespace, of, labels = {} } = fields;
  const owner = fields.owner ?? (of === undefined ? undefined : { kind: 'ReplicaSet', name: `${of}-7f` });
  return object(
    'v1',
    'Pod',
    {
      name,
      namespace,
      labels: { ...(of === undefined ? {} : { app: of, 'pod-template-hash': '7f' }), ...labels },
      ...(owner === undefined ? {} : { ownerReferences: [{ ...owner, controller: true, uid: 'u' }] }),
    },
    {
      spec: {
        nodeName: fields.node ?? 'node-a',
        containers: [
          {
            name: 'main',
            image: 'registry.example/main:1',
            resources: { requests: fields.requests ?? { cpu: '100m', memory: '64Mi' } },
            ...fields.container,
          },
        ],
        ...fields.spec,
      },
      status: {
        phase: 'Running',
        startTime: minutesAgo(590),
        conditions: readyNow(true),
        containerStatuses: [
          {
            name: 'main',
            ready: true,
            started: true,
            restartCount: 0,
            image: 'registry.example/main:1',
            state: { running: { startedAt: minutesAgo(589) } },
          },
        ],
        ...fields.status,
      },
    },
  );
}

/** Status of a pod whose one container waits. */
export const waiting = (reason: string, message: string, more: Fields = {}): Fields => ({
  conditions: readyNow(false),
  containerStatuses: [
    {
      name: 'main',
      ready: false,
      started: false,
      restartCount: 0,
      image: 'registry.example/main:1',
      state: { waiting: { reason, message } },
      ...more,
    },
  ],
});

type ServiceFields = {
  readonly name: string;
  readonly namespace: string;
  readonly selector?: Record<string, string>;
  readonly port?: number;
  readonly target?: number | string;
  readonly spec?: Fields;
};

export function service({
  name,
  namespace,
  selector = { app: name },
  port = 80,
  target,
  spec,
}: ServiceFields): RawObject {
  return object(
    'v1',
    'Service',
    { name, namespace },
    {
      spec: {
        type: 'ClusterIP',
        selector,
        ports: [{ name: 'http', port, targetPort: target ?? port, protocol: 'TCP' }],
        ...spec,
      },
    },
  );
}

/** A slice of a service with an endpoint for each pod, ready or not. */
export function slice(service_: string, namespace: string, ready: Record<string, boolean>): RawObject {
  return object(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    { name: `${service_}-x1`, namespace, labels: { 'kubernetes.io/service-name': service_ } },
    {
      endpoints: Object.entries(ready).map(([name, isReady], index) => ({
        addresses: [`10.0.0.${index}`],
        conditions: { ready: isReady },
        targetRef: { kind: 'Pod', name, namespace },
      })),
      ports: [{ name: 'http', port: 80 }],
    },
  );
}

export function node(
  name: string,
  more: { labels?: Record<string, string>; spec?: Fields; conditions?: Fields[] } = {},
): RawObject {
  return object(
    'v1',
    'Node',
    { name, labels: more.labels ?? {} },
    {
      spec: more.spec ?? {},
      status: {
        capacity: { cpu: '4', memory: '16Gi', pods: '110', 'nvidia.com/gpu': '2' },
        allocatable: { cpu: '3800m', memory: '15Gi', pods: '110', 'nvidia.com/gpu': '2' },
        nodeInfo: { kubeletVersion: 'v1.36.0' },
        conditions: more.conditions ?? [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      },
    },
  );
}

/** Every kind ends as when the cluster does not answer. */
export const unanswered = {
  state: 'unavailable',
  gaps: ['The cluster did not answer: connection refused.'],
} as const;
