import type { Probe, Probes } from '../api/cluster.ts';

/** App ports of the cockpit backend (BCK-093). */
export const appPorts = { controlPlane: '7100', runner: '7102' } as const;

/** Defaults of `spec.probes` (BCK-034 to BCK-039). */
const defaults = {
  path: '/auth/config',
  startupSeconds: 900,
  readinessFailureThreshold: 3,
  livenessFailureThreshold: 6,
  timeoutSeconds: 5,
} as const;

/** Seconds between two probes (BCK-088). */
const periods = { startup: 10, readiness: 10, liveness: 30 } as const;

export type EffectiveProbes = {
  /** Empty when they are disabled, or when there is a refusal. */
  readonly probes: Probes;
  /** As the settings ask for them, where some are refused and the operator makes none. */
  readonly specified?: Probes;
  /** What of `specified` is refused, such as `liveness.path`. */
  readonly refused?: readonly string[];
  readonly disabled: boolean;
  /** Settings that must not be, a sentence each. */
  readonly refusals: readonly string[];
};

/**
 * The three kubelet probes that `spec.probes` of a control plane or instance comes to (BCK-034
 * to BCK-041). `port` is the backend's app port; undefined where it is not known, and then no probe names one.
 */
export function effectiveProbes(spec: unknown, port: string | undefined): EffectiveProbes {
  if (spec !== undefined && spec !== null && (typeof spec !== 'object' || Array.isArray(spec)))
    return { probes: {}, disabled: false, refusals: ['spec.probes must be an object of settings.'] };
  const settings = new Map<string, unknown>(Object.entries(spec ?? {}));
  const refusals: string[] = [];
  const refused = new Set<string>();
  const path = (name: string, ...makes: readonly string[]): string | undefined => {
    const value = settings.get(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.startsWith('/')) return value;
    refusals.push(`spec.probes.${name} must be a path that begins with /.`);
    for (const setting of makes) refused.add(setting);
    return shown(value);
  };
  const whole = (name: string, fallback: number, ...makes: readonly string[]): number => {
    const value = settings.get(name) ?? fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
    refusals.push(`spec.probes.${name} must be a whole number of at least 1.`);
    for (const setting of makes) refused.add(setting);
    return typeof value === 'number' ? value : fallback;
  };
  const off = settings.get('disabled') ?? false;
  if (typeof off !== 'boolean') refusals.push('spec.probes.disabled must be true or false.');

  const ofAll = (setting: string): string[] => Object.keys(periods).map((kind) => `${kind}.${setting}`);
  const pathRefusals = refusals.length;
  const shared = path('path', 'startup.path') ?? defaults.path;
  const isSharedBad = refusals.length > pathRefusals;
  const own = (name: string, setting: string): string => {
    const given = path(name, setting);
    if (given === undefined && isSharedBad) refused.add(setting);
    return given ?? shared;
  };
  const readinessPath = own('readinessPath', 'readiness.path');
  const livenessPath = own('livenessPath', 'liveness.path');
  const startupSeconds = whole('startupSeconds', defaults.startupSeconds, 'startup.failure_threshold');
  const readinessFailures = whole(
    'readinessFailureThreshold',
    defaults.readinessFailureThreshold,
    'readiness.failure_threshold',
  );
  const livenessFailures = whole(
    'livenessFailureThreshold',
    defaults.livenessFailureThreshold,
    'liveness.failure_threshold',
  );
  const timeout_seconds = whole('timeoutSeconds', defaults.timeoutSeconds, ...ofAll('timeout_seconds'));

  if (off !== true) {
    if (isReadyz(shared) && !isSharedBad) {
      refused.add('startup.path');
      refusals.push(forbidden('startup', 'path'));
    }
    if (isReadyz(livenessPath) && !refused.has('liveness.path')) {
      refused.add('liveness.path');
      refusals.push(forbidden('liveness', settings.get('livenessPath') == null ? 'path' : 'livenessPath'));
    }
  }
  if (off === true) return { probes: {}, disabled: true, refusals };

  const probe = (kind: keyof typeof periods, path: string, failure_threshold: number): Probe => ({
    path,
    ...(port === undefined ? {} : { port }),
    period_seconds: periods[kind],
    timeout_seconds,
    failure_threshold,
  });
  const probes = {
    startup: probe('startup', shared, Math.ceil(startupSeconds / periods.startup)),
    readiness: probe('readiness', readinessPath, readinessFailures),
    liveness: probe('liveness', livenessPath, livenessFailures),
  };
  return refusals.length === 0
    ? { disabled: false, refusals, probes }
    : { disabled: false, refusals, probes: {}, specified: probes, refused: [...refused] };
}

/** A value that is no path, as text. */
function shown(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);
}

function forbidden(kind: 'startup' | 'liveness', setting: string): string {
  return `The ${kind} probe must not ask /readyz, which spec.probes.${setting} makes it do: a shared failure, such as an expired CA, would restart every pod.`;
}

/**
 * Returns whether a server, or a proxy before it, may take the path for `/readyz`: with a query, a slash more, dots, or
 * encoded.
 */
function isReadyz(path: string): boolean {
  const [plain = ''] = path.split(/[?#]/, 1);
  const segments: string[] = [];
  for (const segment of decoded(plain).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.length === 1 && segments[0] === 'readyz';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
