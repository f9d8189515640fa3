import type { z } from 'zod';
import type {
  ControlPlane,
  EdgeRoute,
  HeldCertificate,
  Hop,
  MeshCa,
  ServiceRow,
} from '../../../src-shared/api/cluster.ts';
import type {
  Agent,
  AgentSchedule,
  Allocation,
  agent,
  InferenceWorkload,
  ModelCard,
  Tier,
} from '../../../src-shared/api/fleet.ts';
import { minutesAgo } from './answer-route.ts';

/** What every read of a cluster says of itself when all of it was read. */
export const clusterReading = (target = 'prod-eu-1') => ({
  source: 'kubernetes',
  complete: true,
  read_at: minutesAgo(0),
  unmeasured: [] as string[],
  target,
});

/** The same when the cluster did not answer. */
export const clusterSilent = (reason: string, target = 'prod-eu-1') => ({
  ...clusterReading(target),
  source: 'unavailable',
  complete: false,
  unmeasured: [reason],
});

/** The same when no cluster is attached. */
export const noCluster = () => ({
  source: 'unavailable',
  complete: false,
  read_at: minutesAgo(0),
  unmeasured: ['No cluster is attached to this console.'],
});

const probe = (path: string, over: object = {}) => ({
  path,
  port: '7100',
  period_seconds: 10,
  timeout_seconds: 5,
  failure_threshold: 3,
  ...over,
});

export const controlPlaneOf = (name: string, over: Partial<ControlPlane> = {}): ControlPlane => ({
  backend: 'cockpit',
  kind: 'CockpitControlPlane',
  name,
  namespace: 'cockpit',
  image: 'registry.northgate.example/cockpit/control-plane:1.42.0',
  runner: true,
  phase: 'Ready',
  endpoint: `https://${name}.northgate.example`,
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Serving',
      message: '2 of 2 replicas serve.',
      since: minutesAgo(4000),
    },
  ],
  observed: true,
  effective_probes: {
    startup: probe('/auth/config', { failure_threshold: 90 }),
    readiness: probe('/readyz'),
    liveness: probe('/livez', { period_seconds: 30, failure_threshold: 6 }),
  },
  probes_disabled: false,
  probe_refusals: [],
  live_probes: {
    startup: probe('/auth/config', { failure_threshold: 90 }),
    readiness: probe('/readyz'),
    liveness: probe('/livez', { period_seconds: 30, failure_threshold: 6 }),
  },
  workload: {
    kind: 'Deployment',
    name,
    namespace: 'cockpit',
    ready: 2,
    desired: 2,
    restarts: 0,
    state: 'healthy',
  },
  drift: [],
  health: {
    livez: { state: 'pass', status: 200, detail: 'alive' },
    readyz: {
      state: 'pass',
      status: 200,
      detail: 'ready',
      checks: [
        { name: 'mesh_ca', status: 'pass', detail: 'certificate valid until 30 Nov 2026, 14:02 UTC' },
        { name: 'consensus', status: 'pass' },
        { name: 'runner', status: 'skipped', detail: 'no runner is configured' },
      ],
    },
    auth_config: { state: 'pass', status: 200, detail: 'sign-in configuration' },
  },
  state: 'healthy',
  ...over,
});

/** A control plane whose readiness fails, whose probes drifted, and whose specification asks for what must not be. */
export const failingPlane = (): ControlPlane =>
  controlPlaneOf('harbour-cockpit', {
    phase: 'Degraded',
    state: 'failing',
    reason: '/readyz answers 503: consensus has no leader',
    probe_refusals: [
      'spec.probes.livenessPath must not be /readyz: a shared failure such as an expired CA would restart every pod.',
    ],
    effective_probes: {
      startup: probe('/auth/config', { failure_threshold: 90 }),
      readiness: probe('/readyz', { timeout_seconds: 5 }),
    },
    live_probes: {
      startup: probe('/auth/config', { failure_threshold: 90 }),
      readiness: probe('/auth/config', { timeout_seconds: 2 }),
      liveness: probe('/livez', { period_seconds: 30, failure_threshold: 6 }),
    },
    drift: [
      {
        field: 'spec.template.spec.containers[0].readinessProbe.httpGet.path',
        wanted: '/readyz',
        live: '/auth/config',
        manager: 'kubectl-edit',
      },
      { field: 'spec.replicas', wanted: '2', live: '3', manager: 'kubectl-scale' },
    ],
    health: {
      livez: { state: 'pass', status: 200, detail: 'alive' },
      readyz: {
        state: 'fail',
        status: 503,
        detail: 'not_ready',
        checks: [
          { name: 'mesh_ca', status: 'pass', detail: 'certificate valid until 30 Nov 2026, 14:02 UTC' },
          { name: 'consensus', status: 'fail', detail: 'no leader since 14:41 UTC: 1 of 3 peers answers' },
        ],
      },
      auth_config: { state: 'not_read', detail: 'it did not answer in 5 s' },
    },
  });

export const serviceOf = (name: string, over: Partial<ServiceRow> = {}): ServiceRow => ({
  name,
  namespace: 'cockpit',
  type: 'ClusterIP',
  ports: [{ name: 'http', port: 80, target: '7100', protocol: 'TCP' }],
  workload: { kind: 'Deployment', name, namespace: 'cockpit' },
  ready: 2,
  desired: 2,
  readiness_probe: true,
  endpoints: { ready: 2, total: 2 },
  state: 'healthy',
  ...over,
});

export const deadService = (): ServiceRow =>
  serviceOf('cockpit-api', {
    ready: 0,
    desired: 3,
    endpoints: { ready: 0, total: 3 },
    state: 'failing',
    reason: 'none of its 3 endpoints is ready: Secret cockpit-db-credentials does not exist',
    ports: [
      { name: 'http', port: 80, target: '7100', protocol: 'TCP' },
      { name: 'metrics', port: 9090, target: 'metrics', protocol: 'TCP' },
    ],
  });

const hop = (step: Hop['step'], name: string, detail: string, state: Hop['state'] = 'holds'): Hop => ({
  step,
  name,
  state,
  detail,
});

export const routeOf = (host: string, path: string, over: Partial<EdgeRoute> = {}): EdgeRoute => ({
  id: `HTTPRoute/ingress/${host}${path}`,
  kind: 'HTTPRoute',
  name: host.split('.')[0] ?? host,
  namespace: 'ingress',
  host,
  path,
  hops: [
    hop('host', host, 'listener https, 443'),
    hop('gateway', 'ingress/edge', 'accepted, programmed'),
    hop('path', path, 'PathPrefix'),
    {
      ...hop('service', 'campaign-web', 'port 80'),
      object: { kind: 'Service', namespace: 'campaign', name: 'campaign-web' },
    },
    hop('endpoints', 'campaign-web', '3 of 3 ready'),
    hop('workload', 'campaign-web', 'Deployment, 3 of 3 ready'),
  ],
  state: 'healthy',
  ...over,
});

export const studioRoute = (): EdgeRoute => ({
  id: 'console/studio',
  kind: 'console',
  name: 'studio',
  host: 'localhost',
  path: '/studio/',
  hops: [
    hop('host', 'this console', 'origin of the window'),
    hop('path', '/studio/', 'proxied to STUDIO_UPSTREAM'),
    hop('service', 'studio/studio', 'port 8080'),
    hop('endpoints', 'studio', '2 of 2 ready'),
    hop('workload', 'studio', 'Deployment, 2 of 2 ready'),
  ],
  state: 'healthy',
});

export const brokenRoute = (): EdgeRoute =>
  routeOf('api.cockpit.northgate.example', '/v1', {
    hops: [
      hop('host', 'api.cockpit.northgate.example', 'listener https, 443'),
      hop('gateway', 'ingress/edge', 'accepted, programmed'),
      hop('path', '/v1', 'PathPrefix'),
      {
        ...hop('service', 'cockpit-api', 'port 80'),
        object: { kind: 'Service', namespace: 'cockpit', name: 'cockpit-api' },
      },
      hop('endpoints', 'cockpit-api', '0 of 3 ready', 'broken'),
      hop('workload', 'cockpit-api', 'not asked for', 'unreached'),
    ],
    broken_at: 'endpoints',
    state: 'failing',
    reason: 'Service cockpit-api has 3 endpoints and none is ready',
  });

const fingerprint = (pair: string): string => Array.from({ length: 32 }, () => pair).join(':');
const inDays = (days: number): string => minutesAgo(-days * 1440);

export const meshCaOf = (namespace: string, daysLeft: number, over: Partial<MeshCa> = {}): MeshCa => ({
  namespace,
  found_in: 'Secret mesh-ca, key ca.crt',
  subject: `CN=mesh ca ${namespace}, O=Northgate`,
  fingerprint: fingerprint('4F'),
  not_before: inDays(daysLeft - 365),
  not_after: inDays(daysLeft),
  days_left: daysLeft,
  chain_ok: true,
  state: daysLeft < 0 ? 'failing' : daysLeft < 30 ? 'degraded' : 'healthy',
  ...(daysLeft < 30 && {
    reason: daysLeft < 0 ? 'it has expired' : `it expires in ${Math.floor(daysLeft)} days`,
  }),
  ...over,
});

export const certificateOf = (
  name: string,
  daysLeft: number,
  over: Partial<HeldCertificate> = {},
): HeldCertificate => ({
  use: 'ca_bundle',
  namespace: 'shop',
  found_in: 'ConfigMap trust, key ca.crt',
  subject: `CN=${name}`,
  issuer: 'CN=root of shops',
  fingerprint: fingerprint(name.length.toString(16).padStart(2, '0').toUpperCase()),
  not_before: inDays(daysLeft - 365),
  not_after: inDays(daysLeft),
  days_left: daysLeft,
  places: [{ namespace: 'shop', found_in: 'ConfigMap trust, key ca.crt' }],
  place_count: 1,
  state: daysLeft < 0 ? 'failing' : daysLeft < 30 ? 'degraded' : 'healthy',
  ...(daysLeft < 30 && { reason: daysLeft < 0 ? 'expired 3 days ago' : 'expires in 9 days' }),
  ...over,
});

export const agentOf = (name: string, over: Partial<z.input<typeof agent>> = {}): Agent => ({
  name,
  agent_kind: 'governance',
  workload: { kind: 'CronJob', name, namespace: 'agents' },
  schedule: '30 2 * * *',
  time_zone: 'Europe/Berlin',
  enabled: true,
  last_run: { state: 'success', started: minutesAgo(700), took_seconds: 212 },
  next_run: minutesAgo(-740),
  state: 'healthy',
  ...over,
});

export const tierOf = (name: string, over: Partial<Tier> = {}): Tier => ({
  name,
  state: 'healthy',
  models: ['qwen3-30b'],
  replicas_ready: 2,
  replicas_desired: 2,
  ...over,
});

export const scheduleOf = (name: string, over: Partial<AgentSchedule> = {}): AgentSchedule => ({
  name,
  namespace: 'agents',
  agent: name,
  schedule: '30 2 * * *',
  time_zone: 'Europe/Berlin',
  enabled: true,
  editable: true,
  last_run: minutesAgo(700),
  next_run: minutesAgo(-740),
  ...over,
});

export const inferenceOf = (name: string, over: Partial<InferenceWorkload> = {}): InferenceWorkload => ({
  kind: 'Deployment',
  name,
  namespace: 'inference',
  tier: 'standard',
  engine: 'vllm',
  model: 'Qwen/Qwen3-30B-A3B',
  quantisation: 'awq',
  context_length: 32_768,
  gpus: 1,
  image: 'vllm/vllm-openai:v0.11.2',
  replicas_ready: 2,
  replicas_desired: 2,
  requests: { cpu_cores: 8, memory_bytes: 64 * 2 ** 30, gpus: 1 },
  limits: { memory_bytes: 64 * 2 ** 30, gpus: 1 },
  out_of_memory: [],
  state: 'healthy',
  ...over,
});

export const modelCardOf = (name: string, over: Partial<ModelCard> = {}): ModelCard => ({
  name,
  title: 'Qwen3 30B A3B',
  summary: 'A mixture of experts with 3 billion active parameters, for general work in many languages.',
  family: 'Qwen3',
  licence: 'Apache-2.0',
  parameters_billion: 30.5,
  context_length: 32_768,
  tiers: ['standard'],
  uses: ['Review of changes', 'Summaries of runs'],
  limits: ['No images', 'Long documents beyond its context are cut'],
  found_in: 'ConfigMap inference/model-cards',
  live: [
    {
      tier: 'standard',
      workload: 'vllm-standard',
      namespace: 'inference',
      replicas_ready: 2,
      replicas_desired: 2,
    },
  ],
  catalogue: false,
  verdict: 'healthy',
  tokens: { prompt: 48_230_112, generated: 6_120_404 },
  tenant_units: [
    { tenant: 'orchard', units: 812.5 },
    { tenant: 'quarry', units: 204 },
  ],
  ...over,
});

export const allocationOf = (
  name: string | undefined,
  cores: number,
  over: Partial<Allocation> = {},
): Allocation => ({
  ...(name !== undefined && { name }),
  cpu_cores: cores,
  memory_bytes: cores * 4 * 2 ** 30,
  gpus: 0,
  pods: Math.ceil(cores * 2),
  cpu_core_hours: cores * 96,
  memory_gib_hours: cores * 4 * 96,
  cpu_share: cores / 96,
  ...over,
});
