/** Label, annotation and API group prefix of the platform (RTE-011). */
export const platformPrefix = 'platform.dev';

/** Labels the console reads. */
export const labels = {
  /** `true` on workloads that the dashboard tracks. */
  tracked: `${platformPrefix}/tracked`,
  agent: `${platformPrefix}/agent`,
  agentKind: `${platformPrefix}/agent-kind`,
  /** Name of the inference tier a workload serves. */
  tier: `${platformPrefix}/tier`,
  initiative: `${platformPrefix}/initiative`,
  tenant: `${platformPrefix}/tenant`,
  /** Also the key of the taint. */
  dedicated: `${platformPrefix}/dedicated`,
} as const;

/** Annotations the console reads. */
export const annotations = {
  /** Name of the code host's repository a workload is of, without its owner. */
  repository: `${platformPrefix}/repository`,
} as const;
