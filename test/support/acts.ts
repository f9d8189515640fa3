import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type ConsoleTables, consoleMigrations } from '../../src-main/console/tables.ts';
import {
  type ActParts,
  type ActRequest,
  createActStore,
  createActs,
} from '../../src-main/features/acts/index.ts';
import { offerActs } from '../../src-main/features/acts/offer.ts';
import { createAuditTrail } from '../../src-main/features/audit/index.ts';
import { createGuardrails } from '../../src-main/features/guardrails/index.ts';
import { objectAt } from '../../src-main/kube-api/object-fields.ts';
import type { Cluster } from '../../src-main/sources/cluster/index.ts';
import { openStore, type Store, type StoreLocation } from '../../src-main/store/index.ts';
import type { ActObject, ActOutcome, ActPreview } from '../../src-shared/api/acts.ts';
import type { TestCluster } from './kube-api.ts';
import { liveCluster } from './live-cluster.ts';

export type ActsOptions = {
  readonly place?: StoreLocation;
  readonly writable?: () => boolean;
  readonly isProtected?: boolean;
  /** Default: `test`. */
  readonly context?: string;
  /** Milliseconds for which an effect is waited for. */
  readonly effect?: number;
};

export const person = { kind: 'person', email: 'mira@northgate.example' } as const;

/** The registry of acts over one cluster, which is the target `test`, with short waits. */
export async function actsOn(cluster: Pick<TestCluster, 'kubeconfig'>, options: ActsOptions = {}) {
  const store: Store<ConsoleTables> = await openStore<ConsoleTables>({
    location: options.place ?? { kind: 'sqlite', file: ':memory:', encryption: 'none' },
    migrations: consoleMigrations,
  });
  const log = pino({ level: 'silent' });
  const writable = options.writable ?? (() => true);
  const live = await liveCluster(cluster.kubeconfig, { writable, context: options.context ?? 'test' });
  const audit = createAuditTrail({ store, now: Date.now, log, head: undefined });
  const guardrails = createGuardrails({ db: store.db, now: Date.now });
  const actStore = createActStore(store.db);
  let killed = false;
  let recorded = 0;
  /** What a console that was killed goes on with: nothing. */
  const unlessKilled = <T>(work: () => Promise<T>): Promise<T> =>
    killed ? new Promise(() => undefined) : work();
  const dying = {
    store: {
      ...actStore,
      change: (id: string, change: Parameters<typeof actStore.change>[1]) =>
        unlessKilled(() => actStore.change(id, change)),
    },
    audit: {
      ...audit,
      begin: (...given: Parameters<typeof audit.begin>) =>
        unlessKilled(async () => {
          const event = await audit.begin(...given);
          const counted = (end: () => Promise<void>) => () =>
            unlessKilled(async () => {
              await end();
              recorded += 1;
            });
          return {
            ...event,
            success: counted(event.success),
            fail: (reason: string) => counted(() => event.fail(reason))(),
            refuse: (reason: string) => counted(() => event.refuse(reason))(),
          };
        }),
    },
  };
  const open = (parts: Pick<ActParts, 'store' | 'audit'> = { store: actStore, audit }) =>
    createActs({
      ...parts,
      targetOf: async () => ({ id: 'test', cluster: live as Cluster }),
      isWritable: writable,
      isProtected: () => options.isProtected === true,
      decide: guardrails.decide,
      now: Date.now,
      log,
      shared: false,
      timing: { poll: 10, effect: options.effect ?? 1500, blocked: 200, lost: 500 },
    });
  const acts = open(dying);
  const never = new AbortController().signal;
  return {
    acts,
    actStore,
    guardrails,
    store,
    offer: (object: ActObject) => offerActs(live, 'test', object, { writable: writable(), now: Date.now() }),
    /** Records that are durable. */
    recorded: () => recorded,
    /** From now on nothing of this console is kept or recorded. */
    kill() {
      killed = true;
    },
    /** Another start of the console on the same store. */
    reopened: () => open(),
    preview: (request: ActRequest): Promise<ActPreview> => acts.preview(request, person, never),
    /** Previews an act and carries it out, with what happens between. */
    async perform(request: ActRequest, between: () => unknown = () => undefined): Promise<ActOutcome> {
      const { digest } = await acts.preview(request, person, never);
      await between();
      return acts.perform({ ...request, digest, key: newKey() }, person, never);
    },
    /** Action, outcome and summary of each record, oldest first. */
    async records() {
      const { items } = await audit.list({}, { limit: 200 });
      return items
        .toReversed()
        .map(({ action, outcome, summary, target, actor }) => ({ action, outcome, summary, target, actor }));
    },
    async close() {
      if (!killed) await acts.close();
      live.close();
      await audit.close();
      await store.close();
    },
  };
}

export const newKey = (): string => randomBytes(16).toString('hex');

/** Plays the controllers of workloads: what is wanted is there at once. */
export function settleWorkloads({ world }: Pick<TestCluster, 'world'>): () => void {
  return world.write.subscribe(({ type, kind, object }) => {
    if (type === 'DELETED' || kind.group !== 'apps') return;
    const replicas = objectAt(object, 'spec').replicas ?? 1;
    const status = {
      observedGeneration: object.metadata.generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      currentNumberScheduled: replicas,
      desiredNumberScheduled: replicas,
      updatedNumberScheduled: replicas,
      numberReady: replicas,
    };
    void world.write.replace(kind, { ...object, status });
  });
}

/** A Deployment as a cluster has it. */
export function deployment(name: string, fields: { metadata?: object; spec?: object } = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, generation: 1, ...fields.metadata },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            { name, image: `registry.example/${name}:1`, env: [{ name: 'LEVEL', value: 'info' }] },
          ],
        },
      },
      ...fields.spec,
    },
    status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2 },
  };
}

/** The address of a Deployment in the namespace `shop`. */
export const deploymentNamed = (name: string) =>
  ({ group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name }) as const;
