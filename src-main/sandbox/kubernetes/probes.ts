import type { Probe, Probes } from '#shared/api/cluster.ts';
import { effectiveProbes } from '#shared/platform/probes.ts';
import type { EstateContext } from './context.ts';
import type { ControlPlaneSeed, WorkloadSeed } from './seed-schema.ts';

/**
 * Changes somebody made to a live Deployment while debugging, and forgot: it logs at debug level, and it is
 * not taken out of its Service for five minutes. The operator reverts both.
 */
export const byHand = { env: { LOG_LEVEL: 'debug' }, readinessFailureThreshold: 30 } as const;

/** The control plane that serves the instances. */
export const servingPlane = { name: 'cockpit-control', namespace: 'cockpit' } as const;

/** The custom resource that a workload was made of. */
export function planeOf(
  { seed }: EstateContext,
  { owner, namespace }: WorkloadSeed,
): ControlPlaneSeed | undefined {
  return seed.control_planes.find(
    (plane) => plane.namespace === namespace && `${plane.kind}/${plane.name}` === owner,
  );
}

/** Probes of a workload's container: a backend's as its operator makes them; what is no backend of ours answers `/healthz`. */
export function probesOf(context: EstateContext, workload: WorkloadSeed) {
  const { port, problem, drift } = workload;
  if (port === undefined || port === 53) return {};
  const plane = planeOf(context, workload);
  if (plane === undefined) {
    const probe = { path: '/healthz', period_seconds: 10, timeout_seconds: 5, failure_threshold: 3 };
    return problem?.kind === 'oom' ? {} : { readinessProbe: kubeProbe(probe, port) };
  }
  const requested = effectiveProbes(plane.probes, String(port));
  // Of settings that it refuses the operator makes none: those of before stay.
  const probes = requested.refusals.length > 0 ? effectiveProbes({}, String(port)).probes : requested.probes;
  if (!drift || probes.readiness === undefined) return kubeProbes(probes, port);
  return kubeProbes(
    {
      ...probes,
      readiness: { ...probes.readiness, failure_threshold: byHand.readinessFailureThreshold },
    },
    port,
  );
}

/** The probes of a container, as core/v1 has them. */
export function kubeProbes({ startup, readiness, liveness }: Probes, port: number) {
  return {
    ...(startup === undefined ? {} : { startupProbe: kubeProbe(startup, port) }),
    ...(readiness === undefined ? {} : { readinessProbe: kubeProbe(readiness, port) }),
    ...(liveness === undefined ? {} : { livenessProbe: kubeProbe(liveness, port) }),
  };
}

/** As core/v1 has a probe. */
function kubeProbe(probe: Probe, port: number) {
  return {
    httpGet: { path: probe.path, port, scheme: 'HTTP' },
    periodSeconds: probe.period_seconds,
    timeoutSeconds: probe.timeout_seconds,
    successThreshold: 1,
    failureThreshold: probe.failure_threshold,
  };
}

/** Returns the managed-fields entry of the manual change (metav1.ManagedFieldsEntry). */
export function managedByHand(container: string, time: string) {
  return [
    {
      manager: 'kubectl-edit',
      operation: 'Update',
      apiVersion: 'apps/v1',
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:template': {
            'f:spec': {
              'f:containers': {
                [`k:${JSON.stringify({ name: container })}`]: {
                  'f:env': Object.fromEntries(
                    Object.keys(byHand.env).map((name) => [
                      `k:${JSON.stringify({ name })}`,
                      { 'f:value': {} },
                    ]),
                  ),
                  'f:readinessProbe': { 'f:failureThreshold': {} },
                },
              },
            },
          },
        },
      },
    },
  ];
}
