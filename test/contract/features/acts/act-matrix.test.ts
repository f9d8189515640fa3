import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src-main/kube-api/index.ts';
import { type ActId, actId } from '../../../../src-shared/api/acts.ts';
import { type ActFixture, actFixtures, actObjects } from '../../../support/act-fixtures.ts';
import { type ActsOptions, actsOn, newKey, person, settleWorkloads } from '../../../support/acts.ts';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';

const never = new AbortController().signal;

/** How an act ended that met a situation. */
type Met = { readonly state: string; readonly sentence: string };

type Situation = {
  readonly name: string;
  /** Acts that it cannot happen to. */
  readonly without?: readonly ActId[];
  readonly options?: ActsOptions;
  /** Before the preview. */
  before?(cluster: TestCluster, fixture: ActFixture): Promise<unknown> | unknown;
  /** Between the preview and the act. */
  between?(cluster: TestCluster, fixture: ActFixture): Promise<unknown> | unknown;
  /** When a write arrives. */
  afterWrite?(cluster: TestCluster): unknown;
  /** Ends the console when its first write arrives; another start finds out what became of it. */
  readonly killed?: true;
  /** The end, and how often something was written. */
  expect(met: Met, writes: number, fixture: ActFixture): void;
};

const objectOf = async ({ world }: TestCluster, { request: { object } }: ActFixture) => {
  const kind = world.kinds().find((each) => each.kind === object.kind && each.group === object.group);
  if (kind === undefined) throw new Error(`no ${object.kind}`);
  const found = await world.get(kind, object.name, object.namespace);
  if (found === undefined) throw new Error(`no ${object.name}`);
  return { kind, found };
};
const change = async (cluster: TestCluster, fixture: ActFixture, fields: Partial<KubeObject['metadata']>) => {
  const { found } = await objectOf(cluster, fixture);
  await cluster.world.put({ ...found, metadata: { ...found.metadata, ...fields } });
};
const denied =
  (status: number, reason: string, message: string) =>
  (cluster: TestCluster, { write }: ActFixture) =>
    cluster.faults.add({ kind: 'denied', path: write, times: 1, status, reason, message });
const isDone = (met: Met, writes: number, fixture: ActFixture) => {
  expect(met).toMatchObject({ state: 'done' });
  expect(writes).toBe(fixture.writes);
};
const isRefusedUnsent = (met: Met, writes: number) => {
  expect(met).toMatchObject({ state: 'refused' });
  expect(writes).toBe(0);
};
const fails = (text: string) => (met: Met, writes: number) => {
  expect(met).toMatchObject({ state: 'failed' });
  expect(met.sentence).toContain(text);
  expect(writes).toBe(1);
};
const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
  status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2 },
};
const onOtherThanWeb = actId.options.filter((act) => actFixtures[act].request.object.name !== 'web');

const situations: readonly Situation[] = [
  { name: 'nothing in its way', expect: isDone },
  {
    name: 'a change between preview and act',
    between: (cluster, fixture) => change(cluster, fixture, { annotations: { changed: 'yes' } }),
    expect: isRefusedUnsent,
  },
  {
    name: 'a conflict at the write itself',
    between: denied(409, 'Conflict', 'the object has been modified'),
    expect: fails('modified'),
  },
  {
    name: 'no right to it',
    before: ({ users }) => {
      const reads = ['get', 'list', 'watch'];
      users.splice(0, 1, { name: 'tester', token: 'test-token', allow: ({ verb }) => reads.includes(verb) });
    },
    expect: isRefusedUnsent,
  },
  {
    name: 'a right that is taken away at the write',
    between: denied(403, 'Forbidden', 'User "tester" cannot do this'),
    expect: fails('cannot do this'),
  },
  {
    name: 'a webhook that denies it',
    between: denied(400, 'Invalid', 'admission webhook "policy.example" denied the request: no'),
    expect: fails('admission webhook "policy.example" denied the request'),
  },
  {
    name: 'a webhook that fails',
    between: denied(500, 'InternalError', 'failed calling webhook "policy.example"'),
    expect: fails('Found out by reading'),
  },
  {
    name: 'a controller that owns the object',
    before: (cluster, fixture) =>
      change(cluster, fixture, {
        ownerReferences: [
          { apiVersion: 'shop.example/v1', kind: 'Shop', name: 'main', uid: 'u', controller: true },
        ],
      }),
    expect: isDone,
  },
  {
    name: 'a quota',
    between: denied(403, 'Forbidden', 'exceeded quota: compute, requested: pods=1'),
    expect: fails('exceeded quota'),
  },
  {
    name: 'a disruption budget with nothing left',
    before: ({ world }) => world.put(budget),
    expect(met, writes, fixture) {
      if (fixture.request.act !== 'drain') return isDone(met, writes, fixture);
      expect(met.state).toBe('failed');
      expect(met.sentence).toContain('disruption budget');
      expect(met.sentence).toContain('1 of 3 steps');
    },
  },
  {
    name: 'the object gone meanwhile',
    async between(cluster, fixture) {
      const { kind, found } = await objectOf(cluster, fixture);
      await cluster.world.write.remove(kind, found.metadata.name, found.metadata.namespace);
    },
    expect: isRefusedUnsent,
  },
  {
    name: 'another object of the same name',
    async between(cluster, fixture) {
      const { kind, found } = await objectOf(cluster, fixture);
      await cluster.world.write.remove(kind, found.metadata.name, found.metadata.namespace);
      await cluster.world.put({
        ...found,
        metadata: { ...found.metadata, uid: 'another', resourceVersion: '' },
      });
    },
    expect: isRefusedUnsent,
  },
  {
    name: 'a paused rollout',
    without: onOtherThanWeb,
    async before(cluster, fixture) {
      const { found } = await objectOf(cluster, fixture);
      await cluster.world.put({ ...found, spec: { ...(found.spec as object), paused: true } });
    },
    expect(met, writes, fixture) {
      const needsRollout = ['restart', 'rollback'].includes(fixture.request.act);
      if (needsRollout) isRefusedUnsent(met, writes);
      else isDone(met, writes, fixture);
    },
  },
  {
    name: 'an autoscaler that owns the replicas',
    without: onOtherThanWeb,
    before: ({ world }) =>
      world.put({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 4 },
      }),
    expect: isDone,
  },
  {
    name: 'its answer lost after it was carried out',
    between: ({ faults }, { write }) => faults.add({ kind: 'lost', path: write, times: 1 }),
    expect(met, writes, fixture) {
      isDone(met, writes, fixture);
      expect(met.sentence).toContain('The answer was lost; found out by reading');
    },
  },
  {
    name: 'the connection broken before it was carried out',
    between: ({ faults }, { write }) => faults.add({ kind: 'reset', path: write, times: 1 }),
    expect: fails('Found out by reading'),
  },
  {
    name: 'its answer lost, and a server that answers no more',
    between: ({ faults }, { write }) => faults.add({ kind: 'lost', path: write, times: 1 }),
    afterWrite: ({ faults }) => faults.add({ kind: 'error', status: 503, path: 'GET' }),
    expect(met, writes) {
      expect(met.state).toBe('unknown');
      expect(met.sentence).toContain('Outcome unknown');
      expect(writes).toBe(1);
    },
  },
  { name: 'a read-only target', options: { writable: () => false }, expect: isRefusedUnsent },
  {
    name: 'the console killed when the write arrives',
    killed: true,
    expect(met, writes, fixture) {
      // Of a drain only the first step was sent.
      const inPart = fixture.request.act === 'drain';
      expect(met.state).toBe(inPart ? 'failed' : 'done');
      expect(met.sentence).toContain(
        `Outcome unknown when the console ended, found out as: carried out${inPart ? ' in part' : ''}`,
      );
      expect(writes).toBe(1);
    },
  },
];

describe('every act, in every situation, leaves exactly one pair of audit records', () => {
  let cluster: TestCluster;
  let on: Awaited<ReturnType<typeof actsOn>>;
  beforeEach(async () => {
    cluster = await startTestCluster(actObjects());
  });
  afterEach(async () => {
    await on.close();
    await cluster.close();
  });

  for (const situation of situations)
    for (const act of actId.options) {
      if (situation.without?.includes(act) === true) continue;
      it(`${act} with ${situation.name}`, async () => {
        const fixture = actFixtures[act];
        const { world } = cluster;
        await situation.before?.(cluster, fixture);
        settleWorkloads(cluster);
        world.write.subscribe(({ type, kind, object }) => {
          if (kind.kind === 'Job' && type === 'ADDED') void world.put({ ...object, status: { active: 1 } });
        });
        on = await actsOn(cluster, situation.options);
        const { acts, records, recorded, kill, reopened } = on;
        const preview = await acts.preview(fixture.request, person, never);
        await situation.between?.(cluster, fixture);

        /** Durable records at the time of each write. */
        const writes: number[] = [];
        const arrived = Promise.withResolvers<void>();
        cluster.onRequest = ({ method, path }) => {
          if (method === 'GET' || path.includes('dryRun') || path.includes('selfsubject')) return;
          writes.push(recorded());
          situation.afterWrite?.(cluster);
          if (situation.killed === true) kill();
          arrived.resolve();
        };
        const { digest } = preview;
        const work = acts.perform({ ...fixture.request, digest, key: newKey() }, person, never);
        let met: Met;
        if (situation.killed === true) {
          await arrived.promise;
          await expect.poll(async () => (await on.actStore.list({ limit: 1 }))[0]?.state).toBe('open');
          const next = reopened();
          // The write is carried out by the server although nobody waits for it.
          await expect.poll(() => cluster.requests.length).toBeGreaterThan(0);
          await expect
            .poll(async () => {
              await next.recover();
              return (await on.actStore.list({ limit: 1 }))[0]?.state;
            })
            .not.toBe('open');
          const [row] = await on.actStore.list({ limit: 1 });
          met = { state: row?.state ?? '', sentence: row?.progress ?? '' };
        } else met = await work;

        situation.expect(met, writes.length, fixture);
        const kept = await records();
        expect(kept.map(({ action }) => action)).toEqual(['acts.begin', 'acts.perform']);
        expect(kept[1]?.summary).toContain(met.sentence);
        expect(writes.every((before) => before === 1)).toBe(true);
        const outcome = { done: 'success', refused: 'refused' }[met.state] ?? 'failure';
        expect(kept[1]?.outcome).toBe(outcome);
      });
    }
});
