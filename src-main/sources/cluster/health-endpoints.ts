import { setTimeout as pause } from 'node:timers/promises';
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

/** Time for which an earlier answer stands in for one that is not there yet, in ms. */
const standsIn = 120_000;

/** As `ReadHealth`, with what the answers say. */
export type FetchHealth = (cluster: Cluster, request: HealthRequest) => Promise<HealthAnswers>;

/** A request to an endpoint: its time (epoch ms) and its result. */
type Asked = { readonly at: number; readonly read: Promise<HttpRead> };

/** An answer that has come. */
type Answered = { readonly at: number; readonly read: HttpRead };

type Answers = { readonly asked: Map<string, Asked>; readonly answered: Map<string, Answered> };

/** Answers by cluster: every page and every diagnosis judges by the same ones. */
const answersOf = new WeakMap<Cluster, Answers>();

/** `now`: epoch ms. `patience`: ms after which an answer is done without; by default it is waited for. */
export function createHealthReader(now: () => number, patience?: number): ReadHealth {
  const get = (cluster: Cluster, path: string): Promise<Answered | undefined> => {
    const answers: Answers = answersOf.get(cluster) ?? { asked: new Map(), answered: new Map() };
    answersOf.set(cluster, answers);
    const { asked, answered } = answers;
    const at = now();
    dropOlder(asked, at - holds);
    dropOlder(answered, at - standsIn);
    const found = asked.get(path) ?? { at, read: cluster.httpGet(path, AbortSignal.timeout(limit)) };
    if (!asked.has(path)) {
      asked.set(path, found);
      void found.read.then((read) => {
        answered.delete(path);
        answered.set(path, { at, read });
      });
    }
    const answer = found.read.then((read): Answered => ({ at: found.at, read }));
    if (patience === undefined) return answer;
    const earlier = answered.get(path);
    return Promise.race([answer, pause(earlier?.read.state === 'read' ? shortly : patience, earlier)]);
  };
  return (cluster, { backend, service, port }) => {
    const base = `/api/v1/namespaces/${service.metadata.namespace ?? ''}/services/${service.metadata.name}:${portOf(service, port)}/proxy`;
    return Promise.all(
      endpointsOf[backend].map(async ([name, path]) => {
        const answer = await get(cluster, `${base}${path}`);
        return answer === undefined ? [] : [{ name, path, ...answer }];
      }),
    ).then((reads) => reads.flat());
  };
}

/** Time for which a newer answer is waited for where there is an earlier one, in ms. */
const shortly = 20;

/** Entries stand oldest first. */
function dropOlder(entries: Map<string, { readonly at: number }>, than: number): void {
  for (const [key, { at }] of entries) {
    if (at > than) return;
    entries.delete(key);
  }
}

/** As `createHealthReader`. */
export function createHealthFetcher(now: () => number, patience?: number): FetchHealth {
  const readHealth = createHealthReader(now, patience);
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
