import { request } from 'undici';
import { afterEach } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { type RouteId, type RouteOf, routeTable } from '../../../../src-shared/api/index.ts';
import type { RouteAnswer } from '../../../../src-shared/api/route.ts';
import { labels } from '../../../../src-shared/platform/labels.ts';
import { type TestConsole, type TestConsoleOptions, testConsole } from '../../../support/test-console.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Read = Extract<RouteId, `fleet.${string}` | `delivery.${string}` | 'runs.list'>;

/** A console, and its routes read as a page reads them: a body that is not as the contract says fails the test. */
export async function fleetConsole(
  options: TestConsoleOptions = {},
  env = {},
): Promise<{
  console_: TestConsole;
  read<Id extends Read>(id: Id, query?: string): Promise<RouteAnswer<RouteOf<Id>>>;
}> {
  const console_ = await testConsole({ CONSOLE_HEALTH_INGEST_TOKEN: 'ingest', ...env }, options);
  closers.push(() => console_.close());
  const cookie = await console_.cookie();
  return {
    console_,
    async read<Id extends Read>(id: Id, query = '') {
      const route = routeTable.find((candidate) => candidate.id === id);
      if (route === undefined || typeof route.answer === 'string') throw new Error(`${id} answers no JSON`);
      const answer = await request(`${console_.url}${route.path}${query}`, { headers: { cookie } });
      const body: unknown = await answer.body.json();
      if (answer.statusCode !== 200)
        throw new Error(`${id} answered ${answer.statusCode}: ${JSON.stringify(body)}`);
      // Parsed with that route's own shape just here; the lookup by id cannot carry the pairing.
      return route.answer.parse(body) as RouteAnswer<RouteOf<Id>>;
    },
  };
}

/** Whole seconds, as Kubernetes tells time. */
const begun = Math.floor(Date.now() / 1000) * 1000;

export const minutesAgo = (minutes: number): string => new Date(begun - minutes * 60_000).toISOString();

type Fields = { readonly [field: string]: unknown };

const named = (name: string, namespace: string, more: Fields = {}) => ({ name, namespace, ...more });

export function cronJob(
  name: string,
  { agent = name, namespace = 'agents', ...more }: Fields & { agent?: string; namespace?: string } = {},
): RawObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: named(name, namespace, {
      labels: agent === '' ? {} : { [labels.agent]: agent, [labels.agentKind]: 'reviewer' },
    }),
    spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: {} } }, ...more },
  };
}

/** A Job of a CronJob in the namespace `agents`. */
export function job(name: string, of: string, status: Fields, spec: Fields = {}): RawObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: named(name, 'agents', {
      creationTimestamp: minutesAgo(60),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: of, uid: of, controller: true }],
    }),
    spec: { template: {}, ...spec },
    status,
  };
}

export const completed = (from: number, to: number): Fields => ({
  startTime: minutesAgo(from),
  completionTime: minutesAgo(to),
  succeeded: 1,
  conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: minutesAgo(to) }],
});

export const failed = (from: number, to: number, reason = 'BackoffLimitExceeded'): Fields => ({
  startTime: minutesAgo(from),
  failed: 1,
  conditions: [
    {
      type: 'Failed',
      status: 'True',
      reason,
      message: 'Job has reached the specified backoff limit',
      lastTransitionTime: minutesAgo(to),
    },
  ],
});

export function pod(
  name: string,
  namespace: string,
  {
    owner,
    spec = {},
    status = {},
    ...metadata
  }: Fields & { owner?: [string, string]; spec?: Fields; status?: Fields },
): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: named(name, namespace, {
      creationTimestamp: minutesAgo(60),
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ kind: owner[0], name: owner[1], uid: owner[1], controller: true }] }),
      ...metadata,
    }),
    spec: { nodeName: 'node-1', containers: [], ...spec },
    status: { phase: 'Running', ...status },
  };
}

/** Conditions of a pod that runs and is ready. */
export const readyPod: Fields = {
  phase: 'Running',
  conditions: [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', status: 'True' },
  ],
};

export function workload(
  kind: 'Deployment' | 'StatefulSet',
  name: string,
  namespace: string,
  {
    labels: own = {},
    annotations = {},
    replicas = 1,
    ready = replicas,
    container = {},
    podLabels = { app: name },
  }: {
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    replicas?: number;
    ready?: number;
    container?: Fields;
    podLabels?: Record<string, string>;
  },
): RawObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: named(name, namespace, { labels: own, annotations, creationTimestamp: minutesAgo(600) }),
    spec: {
      replicas,
      selector: { matchLabels: podLabels },
      template: { metadata: { labels: podLabels }, spec: { containers: [{ name: 'main', ...container }] } },
    },
    status: { replicas, readyReplicas: ready, updatedReplicas: replicas, availableReplicas: ready },
  };
}
