import type { ControlPlane, HealthState, NamespaceRow, Workload } from '#shared/api/cluster.ts';
import { keyOf, nameOf } from '../owners.ts';
import type { JudgedPod } from '../pods/judged-pods.ts';
import { usedUp } from '../quotas.ts';

type Facts = {
  readonly phase: string | undefined;
  /** Its control planes and instances, which stand for their Deployments. */
  readonly planes: readonly ControlPlane[];
  readonly workloads: readonly Workload[];
  readonly failing: readonly JudgedPod[];
  readonly quotas: NamespaceRow['quotas'];
  readonly podsRead: boolean;
  /** Whether nothing runs there, for certain. */
  readonly empty: boolean;
};

const mostReasons = 20;

/**
 * Returns the health of a namespace: judged by its control planes first, then by its other workloads, then by pods that
 * belong to no unhealthy workload, then by exhausted quotas.
 */
export function namespaceVerdict(facts: Facts): NamespaceRow['verdict'] {
  const planes = facts.planes.filter(isIll);
  const ill = facts.workloads.filter(isIll);
  const ofPlanes = new Set(
    planes.flatMap(({ workload }) => (workload === undefined ? [] : [keyOf(workload)])),
  );
  const bad = [...planes, ...ill.filter((row) => !ofPlanes.has(keyOf(row)))];
  const reported = new Set(ill.map(keyOf));
  const loose = facts.failing.filter(({ owner }) => owner === undefined || !reported.has(keyOf(owner)));
  const of = (wanted: HealthState): string[] =>
    bad.filter(({ state }) => state === wanted).map((row) => `${nameOf(row)}: ${row.reason}`);
  const pods = (wanted: HealthState): string[] =>
    loose
      .filter(({ verdict }) => verdict.state === wanted)
      .map(({ pod, verdict }) => `Pod ${pod.metadata.name}: ${verdict.reason ?? verdict.label}`);
  const failing = [...of('failing'), ...pods('failing')];
  const degraded = [
    ...of('degraded'),
    ...pods('degraded'),
    ...facts.quotas.flatMap((quota) => usedUp(quota).map((used) => `quota ${quota.name}: ${used}`)),
    ...(facts.phase === 'Terminating' ? ['it is being deleted'] : []),
  ];
  const reasons = cut([...failing, ...degraded]);
  if (failing.length > 0) return { state: 'failing', reasons };
  if (degraded.length > 0) return { state: 'degraded', reasons };
  if (!facts.podsRead) return { state: 'not_read', reasons: ['its pods were not read'] };
  return { state: facts.empty ? 'empty' : 'healthy', reasons: [] };
}

function isIll({ state }: { readonly state: HealthState }): boolean {
  return state === 'failing' || state === 'degraded';
}

function cut(reasons: readonly string[]): string[] {
  return reasons.length <= mostReasons
    ? [...reasons]
    : [...reasons.slice(0, mostReasons - 1), `and ${reasons.length - mostReasons + 1} more`];
}
