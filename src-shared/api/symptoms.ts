import { z } from 'zod';

/** The severity of a symptom: something does not work, will soon fail or works badly, or is worth knowing. */
export const severity = z.enum(['critical', 'warning', 'info']);
export type Severity = z.infer<typeof severity>;

/** The area of a symptom, by which the catalogue is grouped. */
export const symptomArea = z.enum([
  'start_up',
  'sign_in',
  'health',
  'configuration',
  'data',
  'models',
  'workloads',
  'images',
  'scheduling',
  'storage',
  'network',
  'certificates',
  'nodes',
  'jobs',
  'cluster',
]);
export type SymptomArea = z.infer<typeof symptomArea>;

/** The two backends of the platform, and the runner, which is the cockpit's in another role. */
export const platformPart = z.enum(['cockpit', 'runner', 'campaign']);
export type PlatformPart = z.infer<typeof platformPart>;

/**
 * Bytes that a literal of a log rule has at least: a shorter one is found in every other line, and the shortest decides how
 * fast all are looked for (src-main/log-scan).
 */
const shortestLiteral = 8;
/** Characters of a line that a pattern is tried on, around the literal that was found in it. */
export const longestTried = 4096;

/** A JavaScript regular expression with the flags `iu`; its named groups fill `{name}` in cause and fix. */
const pattern = z
  .string()
  .min(1)
  .max(300)
  .refine((source) => {
    try {
      return new RegExp(source, 'iu') instanceof RegExp;
    } catch {
      return false;
    }
  }, 'must be a regular expression');

const oneOrMore = z.array(z.string().min(1)).min(1);

/** A line of a container's log, or of a text that was pasted. */
const logClause = z.strictObject({
  /** ASCII letters in either case; looked for in the bytes of the log, before anything is decoded. */
  literal: z
    .string()
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
    .min(shortestLiteral),
  /** Additional pattern that the line must match. */
  pattern: pattern.optional(),
  /** Only in logs of these; in those of every container when left out. */
  part: z.array(platformPart).min(1).optional(),
  /**
   * Only in logs of containers that are not ready or ended with an error; in a pasted text always. For lines that a healthy
   * program writes as well, such as a refused connection that was tried again and made.
   */
  only_failing: z.literal(true).optional(),
});

/** What a client, a server or a runtime says went wrong, whatever words it uses for it. */
export const errorClass = z.enum([
  'refused',
  'timed_out',
  'reset',
  'unresolved',
  'unauthorised',
  'forbidden',
  'not_found',
  'unavailable',
  'exhausted',
  'too_large',
  'rate_limited',
  'expired',
  'untrusted',
  'out_of_memory',
  'out_of_disk',
  'read_only',
  'denied',
  'locked',
  'in_use',
  'version',
  'syntax',
  'unset',
  'missing_part',
]);
export type ErrorClass = z.infer<typeof errorClass>;

/** The kind of thing an error is about, as far as the line, a scheme, a port or a host name tells. */
export const peerKind = z.enum([
  'postgres',
  'mysql',
  'mssql',
  'oracle',
  'sqlite',
  'mongodb',
  'redis',
  'memcached',
  'cassandra',
  'clickhouse',
  'elasticsearch',
  'kafka',
  'rabbitmq',
  'nats',
  'zookeeper',
  'etcd',
  'consul',
  'vault',
  's3',
  'ldap',
  'smtp',
  'dns',
  'kubernetes',
  'grpc',
  'http',
  'tls',
  'token',
  'file',
  'memory',
  'gpu',
]);
export type PeerKind = z.infer<typeof peerKind>;

/**
 * An error in a log or in a text by its class (resources/wordings). A clause that names kinds goes before one that names none,
 * and a log clause of another symptom before both.
 */
const classClause = z.strictObject({
  is: z.array(errorClass).min(1),
  of: z.array(peerKind).min(1).optional(),
});

/** How a container that fails ended its log: with an error, or without a line. */
const endingClause = z.enum(['error', 'nothing']);

/** A container of a pod, init containers and sidecars too. */
const containerClause = z.strictObject({
  /** Reasons of `state.waiting`. */
  waiting: oneOrMore.optional(),
  /** Reasons of `state.terminated`, or of `lastState.terminated` of one that is not ready. */
  ended: oneOrMore.optional(),
  /**
   * Exit code of `state.terminated`, else of `lastState.terminated` for a container that is not ready, also
   * while `state.waiting` matches `waiting`.
   */
  exit_code: z.array(z.number().int()).min(1).optional(),
  /** Pattern for the message of the waiting or the terminated state, whichever matches. */
  message: pattern.optional(),
  init: z.boolean().optional(),
});

const podClause = z.strictObject({
  phase: oneOrMore.optional(),
  /** `status.reason`, such as Evicted. */
  reason: oneOrMore.optional(),
  /** `status.message`, or that of the condition. */
  message: pattern.optional(),
  condition: z
    .strictObject({
      type: z.string(),
      status: z.enum(['True', 'False', 'Unknown']),
      reason: oneOrMore.optional(),
    })
    .optional(),
});

const eventClause = z.strictObject({
  reason: oneOrMore,
  /** Kinds of the object the event is about. */
  kind: oneOrMore.optional(),
  message: pattern.optional(),
});

/** A clause about the answer of a backend's health endpoint. */
const httpClause = z.strictObject({
  path: z.enum(['/livez', '/readyz', '/auth/config', '/health']),
  /** Name of a check that fails, such as `model_ready` of /health; the endpoint as a whole fails when left out. */
  check: z.string().optional(),
  detail: pattern.optional(),
});

/** A variable of a backend's container, as its live Deployment or its custom resource says. */
const environmentClause = z.strictObject({
  part: z.array(platformPart).min(1),
  name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  /** `unset`: neither a value nor a reference. `blank`: a value of spaces or nothing. */
  is: z.enum(['set', 'unset', 'blank']).optional(),
  matches: pattern.optional(),
  not_matches: pattern.optional(),
});

const certificateClause = z.strictObject({
  /**
   * `mesh_ca`: of the mesh of a namespace; `incomplete` also when its issuer did not sign it, `no_ca` when the namespace of a
   * backend that does not come up has none. `tls`: of a Secret of type kubernetes.io/tls. `kubeconfig`: of one in a Secret or
   * ConfigMap. `held`: any other in a Secret or ConfigMap.
   */
  of: z.enum(['mesh_ca', 'tls', 'kubeconfig', 'held']),
  is: z.enum(['expired', 'expires_soon', 'not_yet_valid', 'incomplete', 'no_ca']),
});

/** A condition of any object's status. */
const conditionClause = z.strictObject({
  kind: oneOrMore,
  type: z.string(),
  status: z.array(z.enum(['True', 'False', 'Unknown'])).min(1),
  reason: oneOrMore.optional(),
  message: pattern.optional(),
});

/** Checks that data cannot express: small functions of the engine, by name. */
export const codedCheck = z.enum([
  'workload_short',
  'workload_has_no_pods',
  'pod_not_ready',
  'rollout_stuck',
  'service_without_endpoints',
  'service_selects_nothing',
  'service_port_unserved',
  'route_backend_missing',
  'referenced_object_missing',
  'referenced_key_missing',
  'referenced_value_empty',
  'image_pull_secret_missing',
  'image_pull_secret_wrong_type',
  'ingress_tls_secret_missing',
  'ingress_tls_secret_unusable',
  'ingress_host_not_covered',
  'ingress_class_unserved',
  'environment_service_missing',
  'claim_unbound',
  'quota_used_up',
  'node_cordoned',
  'node_version_skew',
  'node_restarted',
  'pod_stuck_terminating',
  'restarts_recovered',
  'liveness_kills',
  'cron_job_suspended',
  'cron_job_failing',
  'job_failed',
  'control_plane_drift',
  'control_plane_unobserved',
  'control_plane_without_deployment',
  'probes_refused',
  'probes_disabled',
  'readiness_not_on_readyz',
  'name_always_wins',
  'same_digest_after_roll',
  'retired_variable',
  'raft_state_in_memory',
  'runner_not_sharing_appfs',
  'audience_differs',
  'studio_reachable',
  'bundle_gaps',
]);
export type CodedCheck = z.infer<typeof codedCheck>;

/** One thing to look for; what is named in it must all hold of the same thing. */
export const clause = z.union([
  z.strictObject({ log: logClause }),
  z.strictObject({ class: classClause }),
  z.strictObject({ ending: endingClause }),
  z.strictObject({ container: containerClause }),
  z.strictObject({ pod: podClause }),
  z.strictObject({ event: eventClause }),
  z.strictObject({ http: httpClause }),
  z.strictObject({ environment: environmentClause }),
  z.strictObject({ certificate: certificateClause }),
  z.strictObject({ condition: conditionClause }),
  z.strictObject({ check: codedCheck }),
]);
export type Clause = z.infer<typeof clause>;

/**
 * Placeholders that title, cause and fix may contain as `{name}`, besides the named groups of the patterns.
 * `kind` and `name` belong to the object of the finding, which for a pod is its workload; `workload` is the
 * name of that workload; `pod` and `container` come from the first evidence; `path` and `check` come from a
 * health endpoint; `plane` is the control plane or instance that a backend's workload was created from, as
 * kubectl names it, such as `clientinstance/willow`. Of an error: `target` is the host and port, or the object, with the
 * kind of server; `service` and `service_namespace` are of a host name of the cluster; `address` is an IP address; `account`
 * is who was refused; `error` is the last error of a log.
 */
export const placeholders = [
  'namespace',
  'pod',
  'container',
  'workload',
  'kind',
  'name',
  'host',
  'path',
  'check',
  'image',
  'node',
  'plane',
  'target',
  'port',
  'service',
  'service_namespace',
  'address',
  'object',
  'account',
  'error',
] as const;

/** A step as text, with a command that can be copied into a shell. Both may contain placeholders. */
export const fixStep = z.strictObject({
  text: z.string().min(1),
  command: z.string().min(1).optional(),
});
export type FixStep = z.infer<typeof fixStep>;

/** A step of the catalogue: with conditions under which it is given. */
const catalogueStep = fixStep.extend({
  /** Only where each of these placeholders has a value. */
  needs: z.array(z.enum(placeholders)).min(1).optional(),
  /** Only where none of these has. */
  lacks: z.array(z.enum(placeholders)).min(1).optional(),
});

/** An entry of the catalogue (resources/symptoms/*.yaml). */
export const symptom = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  area: symptomArea,
  /**
   * Title of the symptom, with the object affected: a clause without a full stop. May contain placeholders,
   * as `cause` and `fix` do.
   */
  title: z.string().min(1).max(120),
  severity,
  /** Any of these, each of which is evidence. */
  look_for: z.array(clause).min(1),
  /** None of these, of the same object: it is something else then. */
  unless: z.array(clause).default([]),
  /** Ids of more general symptoms, none of them worse, that this one explains when both are found on one object. */
  explains: z.array(z.string()).default([]),
  /** Told only of an object of which nothing else is told that is more than information: it names no cause. */
  last_resort: z.boolean().default(false),
  cause: z.string().min(1),
  fix: z.array(catalogueStep).min(1),
  /** Evidence that would rule it out. */
  ruled_out_by: z.string().min(1),
  /** Source of the fact: one or more requirements, such as `BCK-063`, or an upstream document. */
  reference: z.string().min(1),
});
export type Symptom = z.infer<typeof symptom>;
