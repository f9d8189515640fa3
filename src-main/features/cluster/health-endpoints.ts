import type { ControlPlane, HealthAnswer } from '#shared/api/cluster.ts';
import type { Cluster, HttpRead, ObjectOf, resources } from '../../sources/cluster/index.ts';
import { healthAnswerOf } from './health-answer.ts';

type ServiceObject = ObjectOf<typeof resources.services>;
export type HealthAnswers = NonNullable<ControlPlane['health']>;

/** How long one endpoint may take, and how long its answer is repeated; ms. */
const limit = 3000;
const holds = 10_000;

/** What each health endpoint of a backend answered, by the name answers have it under. */
export type HealthReads = readonly {
  readonly name: keyof HealthAnswers;
  readonly path: string;
  readonly read: HttpRead;
}[];

type HealthAsk = {
  readonly backend: ControlPlane['backend'];
  readonly service: ServiceObject;
  readonly port: string | undefined;
};

/** Asks a backend's health endpoints through the API server's proxy of its service. */
export type ReadHealth = (cluster: Cluster, ask: HealthAsk) => Promise<HealthReads>;

/** As `ReadHealth`, with what the answers say. */
export type AskHealth = (cluster: Cluster, ask: HealthAsk) => Promise<HealthAnswers>;

/** `now`: epoch ms. */
export function createHealthReader(now: () => number): ReadHealth {
  const kept = new WeakMap<Cluster, Map<string, { readonly at: number; readonly read: Promise<HttpRead> }>>();
  const get = (cluster: Cluster, path: string): Promise<HttpRead> => {
    const own = kept.get(cluster) ?? new Map();
    kept.set(cluster, own);
    for (const [old, { at }] of own) if (now() - at >= holds) own.delete(old);
    const found = own.get(path);
    if (found !== undefined) return found.read;
    const read = cluster.httpGet(path, AbortSignal.timeout(limit));
    own.set(path, { at: now(), read });
    return read;
  };
  return (cluster, { backend, service, port }) => {
    const base = `/api/v1/namespaces/${service.metadata.namespace ?? ''}/services/${service.metadata.name}:${portOf(service, port)}/proxy`;
    return Promise.all(
      endpointsOf[backend].map(async ([name, path]) => ({
        name,
        path,
        read: await get(cluster, `${base}${path}`),
      })),
    );
  };
}

/** `now`: epoch ms. */
export function createHealthAsker(now: () => number): AskHealth {
  const readHealth = createHealthReader(now);
  return async (cluster, ask) => {
    const answers: { -readonly [Name in keyof HealthAnswers]: HealthAnswer } = {};
    for (const { name, path, read } of await readHealth(cluster, ask))
      answers[name] = healthAnswerOf(path, read);
    return answers;
  };
}

const cockpit = [
  ['livez', '/livez'],
  ['readyz', '/readyz'],
  ['auth_config', '/auth/config'],
] as const;

/** The campaign backend has no /livez and /readyz: its web app would answer them (spec/backends.md, plain routes). */
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
