import type { Probe, Probes } from '#shared/api/cluster.ts';
import type { ProbeSpec, TemplateContainer } from '../kinds/pods.ts';

/** The probes of a container as the live object has them. */
export function liveProbesOf(container: TemplateContainer): Probes {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  return {
    ...(startupProbe === undefined ? {} : { startup: describeProbe(startupProbe) }),
    ...(readinessProbe === undefined ? {} : { readiness: describeProbe(readinessProbe) }),
    ...(livenessProbe === undefined ? {} : { liveness: describeProbe(livenessProbe) }),
  };
}

function describeProbe(spec: ProbeSpec): Probe {
  return {
    ...(spec.httpGet === undefined
      ? { other: otherOf(spec), port: spec.tcpSocket?.port ?? spec.grpc?.port.toString() }
      : { path: spec.httpGet.path ?? '/', port: spec.httpGet.port }),
    period_seconds: spec.periodSeconds,
    timeout_seconds: spec.timeoutSeconds,
    failure_threshold: spec.failureThreshold,
    initial_delay_seconds: spec.initialDelaySeconds,
  };
}

function otherOf({ tcpSocket, exec, grpc }: ProbeSpec): string | undefined {
  if (exec !== undefined) return `exec: ${exec.command.join(' ')}`;
  if (tcpSocket !== undefined) return 'tcpSocket';
  return grpc === undefined ? undefined : 'grpc';
}

/** Defaults set by the API server (core/v1, Probe). */
const filledIn = { period_seconds: 10, timeout_seconds: 1, failure_threshold: 3 } as const;

/**
 * Returns the differences between live and wanted probes; a port name is resolved through the container's
 * ports.
 */
export function probeDrift(
  wanted: Probes,
  live: Probes,
  container: TemplateContainer,
): { readonly field: string; readonly live: string; readonly wanted: string }[] {
  const portNamed = (port: string | undefined): string | undefined =>
    container.ports.find(({ name }) => name !== undefined && name === port)?.containerPort.toString() ?? port;
  return (['startup', 'readiness', 'liveness'] as const).flatMap((kind) => {
    const want = wanted[kind];
    const have = live[kind];
    if (want === undefined && have === undefined) return [];
    if (want === undefined || have === undefined)
      return [{ field: `probes.${kind}`, live: formatProbe(have), wanted: formatProbe(want) }];
    const pairs = [
      ['path', have.path ?? have.other, want.path],
      ['port', portNamed(have.port), want.port],
      ...(['period_seconds', 'timeout_seconds', 'failure_threshold'] as const).map(
        (field) => [field, have[field] ?? filledIn[field], want[field]] as const,
      ),
    ] as const;
    return pairs.flatMap(([field, is, should]) =>
      should === undefined || String(is) === String(should)
        ? []
        : [{ field: `probes.${kind}.${field}`, live: String(is ?? 'not set'), wanted: String(should) }],
    );
  });
}

function formatProbe(probe: Probe | undefined): string {
  if (probe === undefined) return 'none';
  return probe.other ?? `GET ${probe.path} on port ${probe.port}`;
}
