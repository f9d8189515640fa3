import type { HealthState, ObjectRef } from '../api/cluster.ts';
import type { Severity } from '../api/symptoms.ts';

/** Every state, the one that needs a person most first; what was not read may be failing. */
export const healthWorstFirst: readonly HealthState[] = [
  'failing',
  'degraded',
  'not_read',
  'working',
  'healthy',
  'idle',
];

/** Every severity, the gravest first. */
export const severityWorstFirst: readonly Severity[] = ['critical', 'warning', 'info'];

/** A state's place in the order; lower is worse. */
export const healthRank = (state: HealthState): number => healthWorstFirst.indexOf(state);

/** A severity's place in the order; lower is graver. */
export const severityRank = (severity: Severity): number => severityWorstFirst.indexOf(severity);

/** Returns the gravest of several severities; `info` of none. */
export const gravestOf = (all: readonly Severity[]): Severity =>
  severityWorstFirst.find((severity) => all.includes(severity)) ?? 'info';

/** Severity of a finding about an object in a state: the one table between states and severities. */
export const severityOfState: Readonly<Record<HealthState, Severity>> = {
  failing: 'critical',
  degraded: 'warning',
  not_read: 'info',
  working: 'info',
  healthy: 'info',
  idle: 'info',
};

/** Kinds in the order in which they are listed among equals: what most others depend on first. */
const kindsInOrder: readonly string[] = [
  'CockpitControlPlane',
  'CampaignControlPlane',
  'ClientInstance',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'CronJob',
  'Job',
  'Pod',
  'Node',
  'Service',
  'Ingress',
  'HTTPRoute',
  'Secret',
  'ConfigMap',
  'ResourceQuota',
];

const kindRank = (kind: string): number => {
  const at = kindsInOrder.indexOf(kind);
  return at < 0 ? kindsInOrder.length : at;
};

/** Compares objects of one severity: by kind, then namespace, then name. What is about no object comes last. */
export function compareObjects(a: ObjectRef | undefined, b: ObjectRef | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return (
    kindRank(a.kind) - kindRank(b.kind) ||
    a.kind.localeCompare(b.kind) ||
    (a.namespace ?? '').localeCompare(b.namespace ?? '') ||
    a.name.localeCompare(b.name)
  );
}
