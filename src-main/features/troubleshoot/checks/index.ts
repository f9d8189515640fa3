import type { CodedCheck } from '#shared/api/symptoms.ts';
import type { ListingName } from '../evidence/listings.ts';
import type { Reading } from '../evidence/reading.ts';
import type { CheckSeen } from '../logs/seen.ts';
import {
  audienceDiffers,
  nameAlwaysWins,
  raftStateInMemory,
  retiredVariable,
  runnerNotSharingAppfs,
} from './backends.ts';
import { bundleGaps } from './bundle.ts';
import {
  controlPlaneDrift,
  controlPlaneUnobserved,
  controlPlaneWithoutDeployment,
  probesDisabled,
  probesRefused,
  readinessNotOnReadyz,
} from './control-planes.ts';
import { environmentServiceMissing } from './environment-hosts.ts';
import type { Check } from './found.ts';
import { ingressClassUnserved, ingressHostNotCovered } from './ingresses.ts';
import { cronJobFailing, cronJobSuspended, jobFailed } from './jobs.ts';
import { nodeCordoned, nodeRestarted, nodeVersionSkew } from './nodes.ts';
import { livenessKills, podNotReady, podStuckTerminating, restartsRecovered } from './pods.ts';
import {
  imagePullSecretMissing,
  imagePullSecretWrongType,
  ingressTlsSecretMissing,
  ingressTlsSecretUnusable,
  referencedKeyMissing,
  referencedObjectMissing,
  referencedValueEmpty,
} from './references.ts';
import {
  routeBackendMissing,
  servicePortUnserved,
  serviceSelectsNothing,
  serviceWithoutEndpoints,
} from './services.ts';
import { claimUnbound, quotaUsedUp } from './storage.ts';
import { studioReachable } from './studio-ingress.ts';
import { rolloutStuck, sameDigestAfterRoll, workloadHasNoPods, workloadShort } from './workloads.ts';

/** The listings a check reads, and its judgement. */
type CodedRule = {
  readonly reads: readonly ListingName[];
  /** Whether it needs the answers of health endpoints. */
  readonly health?: true;
  readonly check: Check;
};

const planes = ['cockpits', 'campaigns', 'instances'] as const;
const backends = [...planes, 'deployments'] as const;
const environments = [...backends, 'secrets', 'configMaps'] as const;
const workloads = ['deployments', 'statefulSets', 'daemonSets', 'pods'] as const;
const behindServices = ['services', 'slices', 'endpoints', 'pods'] as const;

export const codedChecks: Readonly<Record<CodedCheck, CodedRule>> = {
  workload_short: { reads: [...workloads, 'replicaSets'], check: workloadShort },
  workload_has_no_pods: { reads: workloads, check: workloadHasNoPods },
  rollout_stuck: { reads: [...workloads, 'replicaSets'], check: rolloutStuck },
  service_without_endpoints: { reads: behindServices, check: serviceWithoutEndpoints },
  service_selects_nothing: { reads: behindServices, check: serviceSelectsNothing },
  service_port_unserved: { reads: behindServices, check: servicePortUnserved },
  route_backend_missing: {
    reads: ['services', 'ingresses', 'httpRoutes', 'gateways'],
    check: routeBackendMissing,
  },
  referenced_object_missing: {
    reads: [...workloads.slice(0, 3), 'secrets', 'configMaps'],
    check: referencedObjectMissing,
  },
  referenced_key_missing: {
    reads: [...workloads.slice(0, 3), 'secrets', 'configMaps'],
    check: referencedKeyMissing,
  },
  referenced_value_empty: {
    reads: [...workloads, 'secrets', 'configMaps'],
    check: referencedValueEmpty,
  },
  image_pull_secret_missing: { reads: [...workloads.slice(0, 3), 'secrets'], check: imagePullSecretMissing },
  image_pull_secret_wrong_type: {
    reads: [...workloads.slice(0, 3), 'secrets'],
    check: imagePullSecretWrongType,
  },
  ingress_tls_secret_missing: { reads: ['ingresses', 'secrets'], check: ingressTlsSecretMissing },
  ingress_tls_secret_unusable: { reads: ['ingresses', 'secrets'], check: ingressTlsSecretUnusable },
  ingress_host_not_covered: { reads: ['ingresses', 'secrets'], check: ingressHostNotCovered },
  ingress_class_unserved: { reads: ['ingresses'], check: ingressClassUnserved },
  environment_service_missing: {
    reads: [...workloads, 'services', 'namespaces', 'configMaps'],
    check: environmentServiceMissing,
  },
  claim_unbound: { reads: ['claims', 'pods'], check: claimUnbound },
  quota_used_up: { reads: ['quotas'], check: quotaUsedUp },
  node_cordoned: { reads: ['nodes'], check: nodeCordoned },
  node_version_skew: { reads: ['nodes'], check: nodeVersionSkew },
  node_restarted: { reads: ['pods', 'events'], check: nodeRestarted },
  pod_stuck_terminating: { reads: ['pods'], check: podStuckTerminating },
  pod_not_ready: { reads: ['pods'], check: podNotReady },
  restarts_recovered: { reads: ['pods'], check: restartsRecovered },
  liveness_kills: { reads: ['pods', 'events'], check: livenessKills },
  cron_job_suspended: { reads: ['cronJobs'], check: cronJobSuspended },
  cron_job_failing: { reads: ['cronJobs', 'jobs'], check: cronJobFailing },
  job_failed: { reads: ['jobs'], check: jobFailed },
  control_plane_drift: { reads: backends, check: controlPlaneDrift },
  control_plane_unobserved: { reads: planes, check: controlPlaneUnobserved },
  control_plane_without_deployment: { reads: backends, check: controlPlaneWithoutDeployment },
  probes_refused: { reads: planes, check: probesRefused },
  probes_disabled: { reads: planes, check: probesDisabled },
  readiness_not_on_readyz: { reads: planes, health: true, check: readinessNotOnReadyz },
  name_always_wins: { reads: environments, check: nameAlwaysWins },
  same_digest_after_roll: { reads: ['deployments', 'replicaSets', 'pods'], check: sameDigestAfterRoll },
  retired_variable: { reads: environments, check: retiredVariable },
  raft_state_in_memory: { reads: environments, check: raftStateInMemory },
  runner_not_sharing_appfs: { reads: environments, check: runnerNotSharingAppfs },
  audience_differs: { reads: environments, health: true, check: audienceDiffers },
  studio_reachable: { reads: ['deployments', 'networkPolicies'], check: studioReachable },
  bundle_gaps: { reads: [], check: bundleGaps },
};

/** Returns the observations of one check. */
export function runCheck(reading: Reading, check: CodedCheck): CheckSeen[] {
  return codedChecks[check].check(reading).map((seen): CheckSeen => ({ ...seen, kind: 'check', check }));
}
