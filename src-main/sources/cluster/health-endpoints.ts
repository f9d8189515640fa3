import type { ControlPlane, HealthAnswer } from '#shared/api/cluster.ts';
import { type HttpRead, healthAnswerOf, type ObjectOf, type resources } from '../../cluster-model/index.ts';
import type { Cluster } from './index.ts';

type ServiceObject = ObjectOf<typeof resources.services>;
export type HealthAnswers = NonNullable<ControlPlane['health']>;

/**
 * Timeout for one endpoint, and how long its answer is cached; ms. The timeout is the kubelet's default
 * (BCK-038), so that an answer the kubelet would wait for is not reported as unread here.
 */
const limit = 5000;
const holds = 10_000;

/** The answer of each health endpoint of a backend, by its name in answers. */
export type HealthReads = readonly {
  readonly name: keyof HealthAnswers;
  readonly path: string;
  /** Time of the request, epoch ms. */
  readonly at: number;
  readonly read: HttpRead;
}[];

type HealthRequest = {
  readonly backend: ControlPlane['backend'];
  readonly service: ServiceObject;
  readonly port: string | undefined;
};

/** Asks a backend's health endpoints through the API server's proxy of its service. */
export type ReadHealth = (cluster: Cluster, request: HealthRequest) => Promise<HealthReads>;

/** As `ReadHealth`, with what the answers say. */
export type FetchHealth = (cluster: Cluster, request: HealthRequest) => Promise<HealthAnswers>;

/** A request to an endpoint: its time (epoch ms) and its result. */
type Asked = { readonly at: number; readonly read: Promise<HttpRead> };

/** `now`: epoch ms. */
export function createHealthReader(now: () => number): ReadHealth {
  const kept = new WeakMap<Cluster, Map<string, Asked>>();
  const get = (cluster: Cluster, path: string): Asked => {
    const own = kept.get(cluster) ?? new Map();
    kept.set(cluster, own);
    for (const [old, { at }] of own) if (now() - at >= holds) own.delete(old);
    const found = own.get(path);
    if (found !== undefined) return found;
    const requested = { at: now(), read: cluster.httpGet(path, AbortSignal.timeout(limit)) };
    own.set(path, requested);
    return requested;
  };
  return (cluster, { backend, service, port }) => {
    const base = `/api/v1/namespaces/${service.metadata.namespace ?? ''}/services/${service.metadata.name}:${portOf(service, port)}/proxy`;
    return Promise.all(
      endpointsOf[backend].map(async ([name, path]) => {
        const { at, read } = get(cluster, `${base}${path}`);
        return { name, path, at, read: await read };
      }),
    );
  };
}

/** `now`: epoch ms. */
export function createHealthFetcher(now: () => number): FetchHealth {
  const readHealth = createHealthReader(now);
  return async (cluster, request) => {
    const answers: { -readonly [Name in keyof HealthAnswers]: HealthAnswer } = {};
    for (const { name, path, at, read } of await readHealth(cluster, request))
      answers[name] = {
        ...healthAnswerOf(path, read),
        // A bundle has what was answered when it was taken.
        ...(cluster.takenAt === undefined ? { asked_at: new Date(at).toISOString() } : {}),
      };
    return answers;
  };
}

const cockpit = [
  ['livez', '/livez'],
  ['readyz', '/readyz'],
  ['auth_config', '/auth/config'],
] as const;

/** The campaign backend has no /livez and /readyz: its web app would answer them (BCK-030). */
const endpointsOf = {
  cockpit,
  instance: cockpit,
  campaign: [
    ['livez', '/health'],
    ['auth_config', '/auth/config'],
  ],
} as const;

/** The service's port that leads to the app, else its first. */
function portOf({ spec }: ServiceObject, app: string | undefined): string {
  const port =
    spec.ports.find(({ targetPort, port }) => app !== undefined && (targetPort ?? String(port)) === app) ??
    spec.ports[0];
  return String(port?.port ?? app ?? 80);
}
