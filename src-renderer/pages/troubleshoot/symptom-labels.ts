import type { Clause, CodedCheck, PlatformPart, SymptomArea } from '#shared/api/symptoms.ts';

/** Title of each area of the catalogue, in its order. */
export const areaTitles: Readonly<Record<SymptomArea, string>> = {
  start_up: 'Start-up',
  sign_in: 'Sign-in',
  health: 'Health',
  configuration: 'Configuration',
  data: 'Data',
  models: 'Models',
  workloads: 'Workloads',
  images: 'Images',
  scheduling: 'Scheduling',
  storage: 'Storage',
  network: 'Network',
  certificates: 'Certificates',
  nodes: 'Nodes',
  jobs: 'Jobs',
  cluster: 'Cluster',
};

/** A template's text with its placeholders as a person reads them: `{name}` as `‹name›`. */
export const withPlaceholders = (template: string): string => template.replace(/\{(\w+)\}/g, '‹$1›');

/** Describes what a clause looks for, as a sentence with code between backticks. */
export function clauseLabel(clause: Clause): string {
  if ('log' in clause) return logLabel(clause.log);
  if ('class' in clause) return classLabel(clause.class);
  if ('ending' in clause)
    return clause.ending === 'error'
      ? 'The log of a container that fails ends with an error that no other symptom explains.'
      : 'The log of a container that fails is empty.';
  if ('container' in clause) return containerLabel(clause.container);
  if ('pod' in clause) return podLabel(clause.pod);
  if ('event' in clause) return eventLabel(clause.event);
  if ('http' in clause) return httpLabel(clause.http);
  if ('environment' in clause) return environmentLabel(clause.environment);
  if ('certificate' in clause)
    return `${certificateKinds[clause.certificate.of]} ${certificateFaults[clause.certificate.is]}.`;
  if ('condition' in clause) return conditionLabel(clause.condition);
  return `${checkLabels[clause.check]}.`;
}

type Of<Kind extends string> = Extract<Clause, { readonly [K in Kind]: unknown }>[Kind];

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Between backticks; a backtick in it as its escape, which means the same in a pattern. */
const code = (text: string): string => `\`${text.replaceAll('`', '\\x60')}\``;
const codes = (values: readonly (string | number)[]): string =>
  either.format(values.map((value) => code(String(value))));

const partLabels: Readonly<Record<PlatformPart, string>> = {
  cockpit: 'the cockpit',
  runner: 'the runner',
  campaign: 'campaign',
};
const partsLabel = (parts: readonly PlatformPart[]): string =>
  either.format(parts.map((part) => partLabels[part]));

/** The parts that are said, as one sentence. */
const sentence = (...parts: readonly (string | false | undefined)[]): string =>
  `${parts.filter((part) => part !== undefined && part !== false).join(' ')}.`;

const logLabel = ({ literal, pattern, part, only_failing }: Of<'log'>): string =>
  sentence(
    `A log line holds ${code(literal)}`,
    pattern !== undefined && `and matches ${code(pattern)}`,
    part !== undefined && `in a log of ${partsLabel(part)}`,
    only_failing === true && 'of a container that is not ready or ended with an error',
  );

const classLabel = ({ is, of }: Of<'class'>): string =>
  sentence(
    `A log line reports an error of the class ${codes(is)}`,
    of !== undefined && `about ${codes(of)}`,
    'that no later line takes back',
  );

const containerLabel = ({ waiting, ended, exit_code, message, init }: Of<'container'>): string =>
  sentence(
    init === undefined
      ? 'A container'
      : init
        ? 'An init container'
        : 'A container that is not an init container',
    either.format([
      ...(waiting === undefined ? [] : [`waits with the reason ${codes(waiting)}`]),
      ...(ended === undefined ? [] : [`ended with the reason ${codes(ended)}`]),
    ]),
    exit_code !== undefined && `with exit code ${codes(exit_code)}`,
    message !== undefined && `with a message that matches ${code(message)}`,
  ).replace(/ {2,}/g, ' ');

const podLabel = ({ phase, reason, message, condition }: Of<'pod'>): string =>
  sentence(
    'A pod',
    phase !== undefined && `in phase ${codes(phase)}`,
    condition !== undefined &&
      `whose condition ${code(condition.type)} is ${code(condition.status)}${condition.reason === undefined ? '' : ` with the reason ${codes(condition.reason)}`}`,
    reason !== undefined && `with the reason ${codes(reason)}`,
    message !== undefined && `with a message that matches ${code(message)}`,
  );

const eventLabel = ({ reason, kind, message }: Of<'event'>): string =>
  sentence(
    `An event with the reason ${codes(reason)}`,
    kind !== undefined && `about a ${codes(kind)}`,
    message !== undefined && `whose message matches ${code(message)}`,
  );

const httpLabel = ({ path, check, detail }: Of<'http'>): string =>
  sentence(
    check === undefined ? `${code(path)} fails` : `The check ${code(check)} of ${code(path)} fails`,
    detail !== undefined && `with text that matches ${code(detail)}`,
  );

const environmentLabel = ({ part, name, is, matches, not_matches }: Of<'environment'>): string =>
  sentence(
    `The variable ${code(name)} of ${partsLabel(part)}`,
    is !== undefined && (is === 'blank' ? 'is blank' : is === 'set' ? 'is set' : 'is not set'),
    matches !== undefined && `${is === undefined ? '' : 'and '}matches ${code(matches)}`,
    not_matches !== undefined &&
      `${is === undefined && matches === undefined ? '' : 'and '}does not match ${code(not_matches)}`,
  );

const conditionLabel = ({ kind, type, status, reason, message }: Of<'condition'>): string =>
  sentence(
    `The condition ${code(type)} of a ${codes(kind)} is ${codes(status)}`,
    reason !== undefined && `with the reason ${codes(reason)}`,
    message !== undefined && `with a message that matches ${code(message)}`,
  );

const certificateKinds: Readonly<Record<Of<'certificate'>['of'], string>> = {
  mesh_ca: 'The CA of the mesh of a namespace',
  tls: 'The certificate of a TLS Secret',
  kubeconfig: 'A certificate of a kubeconfig',
  held: 'Another certificate of a Secret or ConfigMap',
};
const certificateFaults: Readonly<Record<Of<'certificate'>['is'], string>> = {
  expired: 'has expired',
  expires_soon: 'expires soon',
  not_yet_valid: 'is not valid yet',
  incomplete: 'is incomplete: its certificate or its key is missing',
  no_ca: 'is missing in the namespace of a backend that does not start',
};

const checkLabels: Readonly<Record<CodedCheck, string>> = {
  studio_reachable: 'More than the console may reach the studio',
  workload_has_no_pods: 'A workload has none of its desired pods',
  pod_not_ready: 'A pod is not ready for longer than a start takes',
  workload_short: 'A workload has fewer ready pods than desired',
  rollout_stuck: 'A rollout makes no progress',
  service_without_endpoints: 'A Service has no ready endpoints',
  service_selects_nothing: 'The selector of a Service matches no pod',
  service_port_unserved: 'A Service targets a port that no container serves',
  route_backend_missing: 'A route points to a Service that does not exist',
  referenced_object_missing: 'A pod refers to a Secret, ConfigMap or other object that does not exist',
  referenced_key_missing: 'A pod refers to a key that its Secret or ConfigMap does not have',
  referenced_value_empty: 'An unhealthy pod refers to an empty key',
  image_pull_secret_missing: 'An image pull secret of a pod does not exist',
  image_pull_secret_wrong_type: 'An image pull secret of a pod has the wrong type',
  ingress_tls_secret_missing: 'A TLS Secret of an Ingress does not exist',
  ingress_tls_secret_unusable: 'A TLS Secret of an Ingress holds no certificate with its key',
  ingress_host_not_covered: 'The certificate of an Ingress is not for one of its hosts',
  ingress_class_unserved: 'No Ingress of a class has an address, while those of another class have',
  environment_service_missing: 'A variable names a Service, or a port of one, that does not exist',
  claim_unbound: 'A PersistentVolumeClaim is not bound',
  quota_used_up: 'A ResourceQuota is used up',
  node_cordoned: 'A node takes no new pods',
  node_version_skew: 'The kubelet of a node is too far from the version of the API server',
  node_restarted: 'A node restarted',
  pod_stuck_terminating: 'A pod has been terminating for longer than its grace period',
  restarts_recovered: 'A container has restarted often and runs again',
  liveness_kills: 'The kubelet kills a container because its liveness probe fails',
  cron_job_suspended: 'A CronJob is suspended',
  cron_job_failing: 'The last runs of a CronJob failed',
  job_failed: 'A Job has failed',
  control_plane_drift: 'A Deployment differs from what its control plane specifies',
  control_plane_unobserved: 'The operator has not observed the newest specification of a control plane',
  control_plane_without_deployment: 'A control plane has no Deployment',
  probes_refused: 'The operator refuses the probes that a control plane specifies',
  probes_disabled: 'The probes of a control plane are disabled',
  readiness_not_on_readyz: 'The readiness probe of a backend does not use `/readyz`',
  name_always_wins: 'A variable is set twice, and the one that always wins is not the one that was changed',
  same_digest_after_roll: 'After a rollout the same image digest runs as before',
  retired_variable: 'A variable is set that the backend no longer reads',
  raft_state_in_memory: 'The consensus state is kept in memory only',
  runner_not_sharing_appfs: 'The runner does not share the file system of the apps with the cockpit',
  audience_differs: 'Two backends expect different token audiences',
  bundle_gaps: 'The bundle lacks something that a diagnosis needs',
};
