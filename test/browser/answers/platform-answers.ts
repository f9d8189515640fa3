import type { Page } from 'playwright-core';
import type {
  Attention,
  ClusterEvent,
  NamespaceRow,
  NodeRow,
  Pod,
  Workload,
} from '../../../src-shared/api/cluster.ts';
import { type RouteId, routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import type { Run } from '../../../src-shared/api/runs.ts';
import type { Target } from '../../../src-shared/api/targets.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { type Answer, answerRoute, minutesAgo } from './answer-route.ts';
import { clusterReading } from './cluster-answers.ts';
import { wholeReading } from './delivery-answers.ts';
import { withoutSharedEvents } from './own-streams.ts';

/** Answers a route with parameters in its path; the route's own schema reads the answer first, so it cannot drift. */
async function answerNamed<Id extends RouteId>(
  page: Page,
  id: Id,
  answer: (name: string) => Answer<Id>,
): Promise<void> {
  const route: Route | undefined = routeTable.find((row) => row.id === id);
  if (route === undefined || typeof route.answer === 'string') throw new Error(`${id} answers no JSON.`);
  const { answer: schema, path } = route;
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);
  await intercept(
    page,
    (url) => pattern.test(url.pathname),
    (request) => {
      const name = pattern.exec(new URL(request.request().url()).pathname)?.at(-1) ?? '';
      return request.fulfill({ json: schema.parse(answer(decodeURIComponent(name))) });
    },
  );
}

export const targetOf = (name: string, over: Partial<Target> = {}): Target => ({
  id: name,
  kind: 'context',
  name,
  state: 'ready',
  address: `${name}.northgate.example:6443`,
  version: 'v1.34.2',
  writable: false,
  read_at: minutesAgo(0),
  ...over,
});

export const targetsOf = (items: Target[], chosen = items[0]?.id): Answer<'targets.list'> => ({
  items,
  ...(chosen !== undefined && { chosen }),
  source: 'console',
  complete: true,
  read_at: minutesAgo(0),
  unmeasured: [],
});

const runOf = (number: number): Run => ({
  id: `workflow:harbour:${number}`,
  kind: 'workflow',
  family: 'other',
  repo: 'harbour',
  name: `Build ${number}`,
  state: 'success',
  started: minutesAgo(90 * number),
  took_seconds: 61,
  run_id: number,
});

const podOf = (name: string, over: Partial<Pod> = {}): Pod => ({
  name,
  namespace: 'cockpit',
  status: 'Running',
  state: 'healthy',
  ready: 1,
  containers: [
    {
      name: 'api',
      kind: 'container',
      image: 'registry.northgate.example/cockpit/api:1.42.0',
      ready: true,
      restarts: 0,
      status: 'Running',
    },
  ],
  restarts: 0,
  node: 'worker-a-01',
  requests: { cpu_cores: 0.25, memory_bytes: 512 * 1024 ** 2 },
  created_at: minutesAgo(600),
  ...over,
});

const failingPod = podOf('cockpit-api-7c9d-2kx4m', {
  status: 'CreateContainerConfigError',
  state: 'failing',
  reason: 'Secret cockpit-db-credentials does not exist',
  ready: 0,
  restarts: 3,
  containers: [
    {
      name: 'migrate',
      kind: 'init',
      image: 'registry.northgate.example/cockpit/api:1.42.0',
      ready: false,
      restarts: 0,
      status: 'Completed',
    },
    {
      name: 'api',
      kind: 'container',
      image: 'registry.northgate.example/cockpit/api:1.42.0',
      ready: false,
      restarts: 3,
      status: 'CreateContainerConfigError',
      last_ended: 'Error, exit code 1',
      last_ended_at: minutesAgo(12),
    },
  ],
});

const workloadOf = (name: string, over: Partial<Workload> = {}): Workload => ({
  kind: 'Deployment',
  name,
  namespace: 'cockpit',
  ready: 2,
  desired: 2,
  image: `registry.northgate.example/cockpit/${name}:1.42.0`,
  restarts: 0,
  state: 'healthy',
  since: minutesAgo(8640),
  ...over,
});

const eventOf = (message: string, over: Partial<ClusterEvent> = {}): ClusterEvent => ({
  type: 'Warning',
  reason: 'Failed',
  message,
  object: { kind: 'Pod', name: 'cockpit-api-7c9d-2kx4m', namespace: 'cockpit' },
  count: 11,
  first_at: minutesAgo(40),
  last_at: minutesAgo(2),
  ...over,
});

export const namespaceOf = (name: string, over: Partial<NamespaceRow> = {}): NamespaceRow => ({
  name,
  phase: 'Active',
  created_at: minutesAgo(90_000),
  counts: { pods: 9, deployments: 3, statefulsets: 1, services: 3 },
  pods_ready: 9,
  restarts: 0,
  failing_pods: [],
  warning_events: 0,
  quotas: [
    {
      name: 'compute',
      items: [
        { resource: 'requests.cpu', used: '9900m', hard: '16', share: 0.62 },
        { resource: 'requests.memory', used: '12Gi', hard: '32Gi', share: 0.375 },
      ],
    },
  ],
  verdict: { state: 'healthy', reasons: [] },
  ...over,
});

export const namespaces = (): NamespaceRow[] => [
  namespaceOf('platform'),
  namespaceOf('cockpit', {
    tenant: 'northgate',
    pods_ready: 5,
    counts: { pods: 8, deployments: 3, services: 3 },
    restarts: 14,
    warning_events: 14,
    failing_pods: [
      {
        name: failingPod.name,
        status: failingPod.status,
        reason: 'Secret cockpit-db-credentials does not exist',
      },
    ],
    verdict: {
      state: 'failing',
      reasons: [
        '3 pods wait for Secret cockpit-db-credentials, which does not exist',
        'nothing serves api.cockpit',
      ],
    },
  }),
  namespaceOf('tenant-orchard', {
    tenant: 'orchard',
    warning_events: 1,
    quotas: [
      { name: 'compute', items: [{ resource: 'requests.cpu', used: '15500m', hard: '16', share: 0.97 }] },
    ],
    verdict: { state: 'degraded', reasons: ['CPU quota 97 % used'] },
  }),
  {
    name: 'tenant-willow',
    tenant: 'willow',
    counts: {},
    failing_pods: [],
    quotas: [],
    verdict: { state: 'not_read', reasons: ['Forbidden: list pods in tenant-willow'] },
  },
  namespaceOf('voice', {
    counts: { pods: 0, deployments: 1 },
    pods_ready: 0,
    quotas: [],
    verdict: { state: 'empty', reasons: ['everything is scaled to 0'] },
  }),
];

const namespaceDetail = (name: string): Answer<'cluster.namespace'> => ({
  namespace: namespaces().find((row) => row.name === name) ?? namespaceOf(name),
  workloads: [
    workloadOf('cockpit-worker'),
    workloadOf('cockpit-api', {
      ready: 0,
      desired: 3,
      restarts: 14,
      state: 'failing',
      reason: 'Secret cockpit-db-credentials does not exist',
      since: minutesAgo(12),
    }),
  ],
  pods: [podOf('cockpit-worker-5f77-aaaaa'), failingPod, podOf('cockpit-worker-5f77-bbbbb')],
  events: [eventOf('secret "cockpit-db-credentials" not found')],
  ...clusterReading(),
});

const gi = 1024 ** 3;

export const nodeOf = (name: string, over: Partial<NodeRow> = {}): NodeRow => ({
  name,
  ready: true,
  state: 'healthy',
  roles: ['worker'],
  version: 'v1.34.2',
  created_at: minutesAgo(90_000),
  capacity: { cpu_cores: 16, memory_bytes: 64 * gi, pods: 110 },
  allocatable: { cpu_cores: 15.5, memory_bytes: 60 * gi, pods: 110 },
  requested: { cpu_cores: 7.4, memory_bytes: 31 * gi },
  pods: 41,
  taints: [],
  pressures: [],
  unschedulable: false,
  ...over,
});

const nodes = (): NodeRow[] => [
  nodeOf('worker-a-01'),
  nodeOf('worker-a-02', {
    state: 'degraded',
    reason: 'memory pressure for 12 min',
    pressures: ['memory'],
    requested: { cpu_cores: 14.8, memory_bytes: 58 * gi },
  }),
  nodeOf('worker-a-03', { state: 'failing', reason: 'kubelet has not reported for 6 min', ready: false }),
  nodeOf('tenant-orchard-01', {
    state: 'degraded',
    reason: '1 pod of somebody else is on it',
    dedicated_to: 'orchard',
    taints: [{ key: 'platform.dev/dedicated', value: 'orchard', effect: 'NoSchedule' }],
    isolation: {
      holds: false,
      intruders: [{ kind: 'Pod', name: 'report-builder-66d8-x2x2x', namespace: 'platform' }],
    },
  }),
];

const nodeDetail = (name: string): Answer<'cluster.node'> => {
  const node = nodes().find((row) => row.name === name);
  return {
    ...(node !== undefined && { node }),
    conditions: [
      { type: 'Ready', status: 'True', since: minutesAgo(9000) },
      {
        type: 'MemoryPressure',
        status: 'True',
        reason: 'KubeletHasInsufficientMemory',
        message: 'kubelet has insufficient memory available',
        since: minutesAgo(12),
      },
    ],
    labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'eu-1a' },
    namespaces: [{ namespace: 'cockpit', pods: [failingPod, podOf('cockpit-worker-5f77-aaaaa')] }],
    events: [eventOf('Evicted 2 pods', { reason: 'EvictionThresholdMet', object: { kind: 'Node', name } })],
    ...clusterReading(),
  };
};

const attention: Attention[] = [
  {
    id: 'workload/cockpit/cockpit-api',
    state: 'failing',
    title: 'cockpit-api cannot start',
    cause: 'Secret cockpit-db-credentials does not exist. 3 pods wait for it',
    object: { kind: 'Deployment', name: 'cockpit-api', namespace: 'cockpit' },
    place: { tab: 'namespaces', record: 'cockpit' },
    since: minutesAgo(12),
  },
  {
    id: 'node/worker-a-02',
    state: 'degraded',
    title: 'worker-a-02 is under memory pressure',
    cause: 'pods ask for 58 of 60 GiB',
    object: { kind: 'Node', name: 'worker-a-02' },
    place: { tab: 'nodes', record: 'worker-a-02' },
    since: minutesAgo(38),
  },
  {
    id: 'route/shop',
    state: 'degraded',
    title: 'shop.northgate.example leads nowhere',
    cause: 'its Ingress names service shop-web, which does not exist',
    object: { kind: 'Ingress', name: 'shop', namespace: 'tenant-orchard' },
    place: { tab: 'routes', record: 'shop' },
    since: minutesAgo(2900),
  },
];

export const dashboard = (): Answer<'cluster.dashboard'> => ({
  workloads: [
    workloadOf('operator-console', { namespace: 'platform' }),
    workloadOf('cockpit-api', {
      ready: 0,
      desired: 3,
      restarts: 14,
      state: 'failing',
      reason: 'Secret cockpit-db-credentials does not exist',
      since: minutesAgo(12),
    }),
    workloadOf('campaign-control-plane', {
      namespace: 'campaign',
      ready: 1,
      state: 'degraded',
      reason: '/readyz answers 503: auth_config failed',
      since: minutesAgo(38),
    }),
    {
      kind: 'CronJob',
      name: 'ops-doctor',
      namespace: 'platform',
      state: 'not_read',
      reason: 'Forbidden: list cronjobs',
    },
    workloadOf('campaign-worker', {
      namespace: 'campaign',
      ready: 3,
      desired: 4,
      state: 'working',
      reason: '3 of 4 pods are of the new revision',
      since: minutesAgo(2),
    }),
    workloadOf('ttsd', {
      namespace: 'voice',
      ready: 0,
      desired: 0,
      state: 'idle',
      since: minutesAgo(30_000),
    }),
    ...Array.from({ length: 8 }, (_, index) => workloadOf(`service-${index}`, { namespace: 'platform' })),
  ],
  instances: [
    {
      name: 'orchard',
      namespace: 'tenant-orchard',
      tenant: 'orchard',
      phase: 'Degraded',
      ready: false,
      state: 'degraded',
      reason: '3 of 4 parts are ready',
    },
    { name: 'willow', namespace: 'tenant-willow', tenant: 'willow', state: 'not_read', reason: 'Forbidden' },
    {
      name: 'harbor',
      namespace: 'tenant-harbor',
      tenant: 'harbor',
      phase: 'Ready',
      ready: true,
      state: 'healthy',
    },
  ],
  attention,
  ...clusterReading(),
});

/** Answers everything that the cluster's first pages read. */
export async function answerPlatform(page: Page): Promise<void> {
  await answerRoute(page, 'targets.list', () =>
    targetsOf([targetOf('prod-eu-1'), targetOf('staging-eu-1', { state: 'unread' })]),
  );
  await answerRoute(page, 'cluster.dashboard', dashboard);
  await answerRoute(page, 'cluster.namespaces', () => ({ items: namespaces(), ...clusterReading() }));
  await answerRoute(page, 'cluster.nodes', () => ({ items: nodes(), ...clusterReading() }));
  await answerRoute(page, 'cluster.security', () => ({ items: [], certificates: [], ...clusterReading() }));
  await answerRoute(page, 'runs.list', () => ({
    items: [runOf(1), runOf(2)],
    counts: { success: 2 },
    repos: ['harbour'],
    ...wholeReading(),
  }));
  await answerNamed(page, 'cluster.namespace', namespaceDetail);
  await answerNamed(page, 'cluster.node', nodeDetail);
  await answerNamed(page, 'cluster.object', (name) => ({
    yaml: `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`,
    ...clusterReading(),
  }));
  await withoutSharedEvents(page);
  await intercept(
    page,
    (url) => url.pathname === '/api/targets/changes',
    (request) => request.fulfill({ contentType: 'text/event-stream', body: ': nothing changes\n\n' }),
  );
}

/** Answers the log of every pod with so many lines. */
export async function answerLogs(page: Page, lines: number): Promise<void> {
  await intercept(page, /\/api\/pods\/[^/]+\/[^/]+\/logs/, (request) =>
    request.fulfill({
      contentType: 'text/plain; charset=utf-8',
      body: Array.from(
        { length: lines },
        (_, index) =>
          `2026-11-21T10:00:00.${String(index % 1000).padStart(3, '0')}Z ${
            index % 50 === 7 ? '\u001b[31mERROR\u001b[0m cannot reach' : 'INFO served'
          } request ${index}`,
      ).join('\n'),
    }),
  );
}
