import { z } from 'zod';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();

/** An object, for links and evidence. */
export const objectRef = z.object({
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
});
export type ObjectRef = z.infer<typeof objectRef>;

/** The states of everything on a cluster page. `not_read`: unknown. */
export const healthState = z.enum(['healthy', 'working', 'degraded', 'failing', 'idle', 'not_read']);
export type HealthState = z.infer<typeof healthState>;

/** A condition of an object's status. */
export const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string().optional(),
  message: z.string().optional(),
  since: time.optional(),
});
export type Condition = z.infer<typeof condition>;

/** CPU in cores and memory in bytes; a part that was not read, or is not set, is absent. */
export const quantities = z.object({
  cpu_cores: z.number().optional(),
  memory_bytes: z.number().optional(),
  pods: z.number().optional(),
  gpus: z.number().optional(),
});
export type Quantities = z.infer<typeof quantities>;

export const workload = z.object({
  kind: z.enum(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet']),
  name: z.string(),
  namespace: z.string(),
  ready: count.optional(),
  desired: count.optional(),
  image: z.string().optional(),
  /** Restarts of all its pods; absent when pods were not read. */
  restarts: count.optional(),
  state: healthState,
  /** Reason, one clause; always set unless healthy or idle. */
  reason: z.string().optional(),
  since: time.optional(),
});
export type Workload = z.infer<typeof workload>;

export const instance = z.object({
  name: z.string(),
  namespace: z.string(),
  tenant: z.string(),
  phase: z.string().optional(),
  endpoint: z.string().optional(),
  /** Whether its condition Ready is True; absent when the operator has not said. */
  ready: z.boolean().optional(),
  state: healthState,
  reason: z.string().optional(),
});
export type Instance = z.infer<typeof instance>;

/** Something that needs a person, worst first. */
export const attention = z.object({
  id: z.string(),
  state: z.enum(['failing', 'degraded']),
  title: z.string(),
  /** Known cause, one clause. */
  cause: z.string().optional(),
  object: objectRef.optional(),
  /** The tab that shows it, and what to narrow it to. */
  place: z.record(z.string(), z.string()),
  since: time.optional(),
});
export type Attention = z.infer<typeof attention>;

export const pod = z.object({
  name: z.string(),
  namespace: z.string(),
  /** The word kubectl prints as STATUS, such as `CrashLoopBackOff` or `Running`. */
  status: z.string(),
  state: healthState,
  reason: z.string().optional(),
  ready: count,
  containers: z.array(
    z.object({
      name: z.string(),
      /** `init` ran before the others; `sidecar` is an init container that keeps running. */
      kind: z.enum(['init', 'sidecar', 'container']),
      image: z.string(),
      ready: z.boolean(),
      restarts: count,
      status: z.string(),
      /** End of its last run, such as `OOMKilled, exit code 137`. */
      last_ended: z.string().optional(),
      last_ended_at: time.optional(),
    }),
  ),
  restarts: count,
  node: z.string().optional(),
  /** Its controller, such as a Deployment (through its ReplicaSet). */
  owner: objectRef.optional(),
  requests: quantities,
  created_at: time.optional(),
});
export type Pod = z.infer<typeof pod>;

export const clusterEvent = z.object({
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  object: objectRef,
  count: count,
  first_at: time.optional(),
  last_at: time,
});
export type ClusterEvent = z.infer<typeof clusterEvent>;

const namespaceVerdict = z.object({
  state: z.enum(['healthy', 'degraded', 'failing', 'empty', 'not_read']),
  /** Worst first, a clause each; empty when healthy. */
  reasons: z.array(z.string()),
});

export const namespaceRow = z.object({
  name: z.string(),
  phase: z.string().optional(),
  created_at: time.optional(),
  tenant: z.string().optional(),
  /** By kind; a kind that was not read is absent. */
  counts: z.object({
    pods: count.optional(),
    deployments: count.optional(),
    statefulsets: count.optional(),
    daemonsets: count.optional(),
    jobs: count.optional(),
    cronjobs: count.optional(),
    services: count.optional(),
  }),
  /** Ready, or succeeded, as the pods of finished Jobs are. */
  pods_ready: count.optional(),
  restarts: count.optional(),
  /** At most 20, worst first. */
  failing_pods: z.array(z.object({ name: z.string(), status: z.string(), reason: z.string().optional() })),
  /** Warnings of the hour before `read_at`; absent when events were not read. */
  warning_events: count.optional(),
  quotas: z.array(
    z.object({
      name: z.string(),
      items: z.array(
        z.object({
          resource: z.string(),
          used: z.string(),
          hard: z.string(),
          /** used / hard; absent when hard is zero. */
          share: z.number().optional(),
        }),
      ),
    }),
  ),
  verdict: namespaceVerdict,
});
export type NamespaceRow = z.infer<typeof namespaceRow>;

const taint = z.object({ key: z.string(), value: z.string().optional(), effect: z.string() });

export const nodeRow = z.object({
  name: z.string(),
  ready: z.boolean().optional(),
  state: healthState,
  reason: z.string().optional(),
  roles: z.array(z.string()),
  version: z.string().optional(),
  created_at: time.optional(),
  capacity: quantities,
  allocatable: quantities,
  /** Sum of the requests of its pods that still run; absent when pods were not read. */
  requested: quantities.optional(),
  /** Pods on it; absent when pods were not read. */
  pods: count.optional(),
  /** Whether pods of some namespaces were not read, so that `requested` and `pods` are lower bounds. */
  at_least: z.boolean().optional(),
  taints: z.array(taint),
  /** Names of pressures that hold: memory, disk, pid, network. */
  pressures: z.array(z.string()),
  unschedulable: z.boolean(),
  /** Value of the dedicated taint. */
  dedicated_to: z.string().optional(),
  /**
   * For a dedicated node: whether only pods that belong there run on it. Absent without dedication or when
   * pods were not read.
   */
  isolation: z.object({ holds: z.boolean(), intruders: z.array(objectRef) }).optional(),
});
export type NodeRow = z.infer<typeof nodeRow>;

export const serviceRow = z.object({
  name: z.string(),
  namespace: z.string(),
  type: z.string(),
  ports: z.array(
    z.object({ name: z.string().optional(), port: count, target: z.string(), protocol: z.string() }),
  ),
  workload: objectRef.optional(),
  ready: count.optional(),
  desired: count.optional(),
  /** Whether a readiness probe backs what it calls ready; absent when it selects nothing or pods were not read. */
  readiness_probe: z.boolean().optional(),
  endpoints: z.object({ ready: count, total: count }).optional(),
  state: healthState,
  reason: z.string().optional(),
});
export type ServiceRow = z.infer<typeof serviceRow>;

/** One hop of a route; `broken` at the first that fails, `unreached` after it. */
export const hop = z.object({
  step: z.enum(['host', 'gateway', 'path', 'service', 'endpoints', 'workload']),
  name: z.string(),
  state: z.enum(['holds', 'broken', 'unreached', 'not_read']),
  detail: z.string(),
  object: objectRef.optional(),
});
export type Hop = z.infer<typeof hop>;

export const edgeRoute = z.object({
  id: z.string(),
  kind: z.enum(['HTTPRoute', 'Ingress', 'console']),
  name: z.string(),
  namespace: z.string().optional(),
  host: z.string(),
  path: z.string(),
  hops: z.array(hop),
  broken_at: z.enum(['host', 'gateway', 'path', 'service', 'endpoints', 'workload']).optional(),
  state: healthState,
  reason: z.string().optional(),
});
export type EdgeRoute = z.infer<typeof edgeRoute>;

/** One kubelet probe as it is configured. Seconds. */
export const probe = z.object({
  path: z.string().optional(),
  port: z.string().optional(),
  period_seconds: z.number().optional(),
  timeout_seconds: z.number().optional(),
  failure_threshold: z.number().optional(),
  initial_delay_seconds: z.number().optional(),
  /** Action of a probe that is not an HTTP GET, such as `exec` or `tcpSocket`. */
  other: z.string().optional(),
});
export type Probe = z.infer<typeof probe>;

export const probes = z.object({
  startup: probe.optional(),
  readiness: probe.optional(),
  liveness: probe.optional(),
});
export type Probes = z.infer<typeof probes>;

/** Days before its end at which a certificate needs a person. */
export const certificateSoonDays = 30;

export const healthCheck = z.object({
  name: z.string(),
  status: z.enum(['pass', 'fail', 'skipped']),
  detail: z.string().optional(),
  /** Expiry of what it checks, such as the mesh CA of `mesh_identity`. */
  expires_at: time.optional(),
});
export type HealthCheck = z.infer<typeof healthCheck>;

/** The answer of a backend's health endpoint. */
export const healthAnswer = z.object({
  /** Path requested; endpoints with the same purpose have different paths on different backends. */
  path: z.string().optional(),
  state: z.enum(['pass', 'fail', 'not_read']),
  status: z.number().int().optional(),
  detail: z.string(),
  checks: z.array(healthCheck).optional(),
  /** Whether its model endpoint lists a model (campaign backend). */
  model_ready: z.boolean().optional(),
  /** Time of the request; absent for a bundle, whose answers are as old as the bundle. */
  asked_at: time.optional(),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;

export const controlPlane = z.object({
  backend: z.enum(['cockpit', 'campaign', 'instance']),
  kind: z.string(),
  name: z.string(),
  namespace: z.string(),
  tenant: z.string().optional(),
  image: z.string().optional(),
  runner: z.boolean(),
  phase: z.string().optional(),
  endpoint: z.string().optional(),
  conditions: z.array(condition),
  /** Whether the operator has seen the newest spec; absent when it says nothing. */
  observed: z.boolean().optional(),
  /** Computed from `spec.probes` by BCK-034 to BCK-041; absent with a `probe_refusals` entry, or disabled. */
  effective_probes: probes,
  /** As `spec.probes` asks for them, where some settings are refused and the operator makes none of them. */
  specified_probes: probes.optional(),
  /** Settings of `specified_probes` that are refused, such as `liveness.path`. */
  refused_settings: z.array(z.string()).optional(),
  probes_disabled: z.boolean(),
  /** Settings of `spec.probes` that must not be, a sentence each. */
  probe_refusals: z.array(z.string()),
  /** Probes of the live Deployment; absent when it was not found or not read. */
  live_probes: probes.optional(),
  workload: workload.optional(),
  /** Fields of the live Deployment that the operator will put back. */
  drift: z.array(
    z.object({ field: z.string(), live: z.string(), wanted: z.string(), manager: z.string().optional() }),
  ),
  /** Answers of its health endpoints; absent for a bundle that has none. */
  health: z
    .object({ livez: healthAnswer, readyz: healthAnswer, auth_config: healthAnswer })
    .partial()
    .optional(),
  state: healthState,
  reason: z.string().optional(),
  /** Clauses that `reason` is composed of, worst first. */
  reasons: z.array(z.string()).optional(),
});
export type ControlPlane = z.infer<typeof controlPlane>;

export const meshCa = z.object({
  namespace: z.string(),
  /** Location of the certificate, such as `Secret mesh-ca, key ca.crt`. */
  found_in: z.string(),
  subject: z.string(),
  /** SHA-256 of the DER, hex with colons. */
  fingerprint: z.string(),
  not_before: time,
  not_after: time,
  /** Until `not_after`, from `read_at`; negative once expired. */
  days_left: z.number(),
  /** Whether the chain in the same place verifies; absent when there is only the one certificate and it is self-signed. */
  chain_ok: z.boolean().optional(),
  state: healthState,
  reason: z.string().optional(),
});
export type MeshCa = z.infer<typeof meshCa>;

/** A certificate of a Secret, a ConfigMap or a kubeconfig in one, wherever it is; mesh CAs apart. */
export const heldCertificate = meshCa.omit({ chain_ok: true }).extend({
  /** `tls`: served or shown by a program. `ca_bundle`: trusted by one. `kubeconfig`: of a kubeconfig, either. */
  use: z.enum(['tls', 'ca_bundle', 'kubeconfig']),
  issuer: z.string(),
  /** Where it is; the first five places. */
  places: z.array(z.object({ namespace: z.string(), found_in: z.string() })),
  place_count: count,
});
export type HeldCertificate = z.infer<typeof heldCertificate>;
