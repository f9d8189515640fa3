import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import type { Registry } from '../../../../src-main/sources/registry/index.ts';
import { commit, commitId, repository, run, world } from '../../../support/code-host.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { pod, readyPod } from '../fleet/harness.ts';
import { iso, minutesAgo, reading, readingWorld } from './delivery-harness.ts';

const sha = (name: string): string => commitId('delivery-cluster', name);
const ago = (minutes: number): string => iso(minutesAgo(minutes));

type Options = Parameters<typeof objectCluster>[1];

describe('deliveries of Argo CD', () => {
  const application = (name: string, status: object | undefined, more: object = {}): RawObject => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', creationTimestamp: ago(9000), ...more },
    spec: {
      source: {
        repoURL: 'https://code.example/northgate/harbour.git',
        targetRevision: 'main',
        path: 'deploy',
      },
    },
    ...(status === undefined ? {} : { status }),
  });
  const gitops = async (...objects: RawObject[]) => {
    const { read } = await reading(noCodeHost, { cluster: objectCluster(objects) });
    const answer = await read('delivery.gitops');
    return { answer, item: Object.fromEntries(answer.items.map((one) => [one.name, one])), read };
  };
  const synced = { status: 'Synced', revision: sha('b') };

  it('are synced and healthy when it says so, with what was delivered when (CON-090)', async () => {
    const { answer, item } = await gitops(
      application('harbour', {
        sync: synced,
        health: { status: 'Healthy', lastTransitionTime: ago(30) },
        history: [
          { revision: sha('a'), deployedAt: ago(600) },
          { revision: sha('b'), deployedAt: ago(20) },
        ],
      }),
    );
    expect(answer).toMatchObject({
      mode: 'argocd',
      source: 'kubernetes',
      complete: true,
      unmeasured: [],
      target: 'test',
    });
    expect(item.harbour).toEqual({
      name: 'harbour',
      repo: 'harbour',
      branch: 'main',
      sync: 'synced',
      health: 'healthy',
      detail: `synced to ${sha('b').slice(0, 7)}`,
      revision: sha('b'),
      target_revision: sha('b'),
      last_transition: ago(20),
    });
  });

  it('keep the words of its states apart', async () => {
    const outOfSync = { status: 'OutOfSync', revision: sha('b') };
    const { item, answer } = await gitops(
      application('behind', {
        sync: outOfSync,
        health: { status: 'Healthy' },
        history: [{ revision: sha('a'), deployedAt: ago(600) }],
      }),
      application('failed', {
        sync: outOfSync,
        health: { status: 'Degraded', message: 'pods crash' },
        operationState: { phase: 'Failed', message: 'hook pre-sync failed', finishedAt: ago(5) },
      }),
      application('syncing', {
        sync: outOfSync,
        health: { status: 'Progressing' },
        operationState: { phase: 'Running', startedAt: ago(1) },
      }),
      application('new', { sync: outOfSync, health: { status: 'Missing' } }),
      application('held', { sync: synced, health: { status: 'Suspended' } }),
    );
    expect(Object.entries(item).map(([name, { sync, health }]) => [name, sync, health])).toEqual([
      ['behind', 'out_of_sync', 'healthy'],
      ['failed', 'out_of_sync', 'degraded'],
      ['held', 'synced', 'suspended'],
      ['new', 'out_of_sync', 'missing'],
      ['syncing', 'progressing', 'progressing'],
    ]);
    expect(item.behind).toMatchObject({
      revision: sha('a'),
      target_revision: sha('b'),
      detail: `${sha('b').slice(0, 7)} is not synced`,
    });
    expect(item.failed?.detail).toBe('its last sync failed: hook pre-sync failed; pods crash');
    expect(item.failed?.last_transition).toBe(ago(5));
    expect(item.new).not.toHaveProperty('revision');
    expect(answer).toMatchObject({ complete: true });
  });

  it('say in words what a status does not, and do not take it for good', async () => {
    const { item, answer } = await gitops(
      application('lost', {
        sync: { status: 'Unknown' },
        health: { status: 'Healthy' },
        conditions: [{ type: 'ComparisonError', message: 'repository not accessible' }],
      }),
      application('half', { sync: synced, health: { status: 'Wonderful' } }),
      application('fresh', undefined),
    );
    expect(item.lost).toMatchObject({
      sync: 'not_read',
      health: 'healthy',
      detail: 'whether it is synced was not read: repository not accessible',
      target_revision: 'main',
    });
    expect(item.half).toMatchObject({ sync: 'synced', health: 'not_read' });
    expect(item.fresh).toMatchObject({
      sync: 'not_read',
      health: 'not_read',
      detail: 'its controller has given it no status yet',
      target_revision: 'main',
    });
    expect(answer).toMatchObject({
      complete: false,
      unmeasured: [
        'Of Application argocd/lost, whether it is synced was not read: repository not accessible.',
        'Of Application argocd/half, its health was not read.',
        'Of Application argocd/fresh, its controller has given it no status yet.',
      ],
    });
  });

  it('are filtered by repository, and told apart by their namespace', async () => {
    const healthy = { sync: synced, health: { status: 'Healthy' } };
    const { read, item } = await gitops(
      application('web', healthy),
      application('web', healthy, { namespace: 'tenant-willow' }),
    );
    expect(Object.keys(item)).toEqual(['argocd/web', 'tenant-willow/web']);
    expect((await read('delivery.gitops', '?repo=harbour')).items).toHaveLength(2);
    expect((await read('delivery.gitops', '?repo=quay')).items).toEqual([]);
  });
});

describe('deliveries of Flux', () => {
  const kustomization = (
    name: string,
    status: object,
    spec: object = {},
    metadata: object = {},
  ): RawObject => ({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system', creationTimestamp: ago(9000), ...metadata },
    spec,
    status,
  });
  const ready = (status: string, reason: string, message: string) => ({
    conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: ago(7) }],
  });
  const at = (name: string): string => `main@sha1:${sha(name)}`;

  it('are told from Kustomizations, by what they say of themselves', async () => {
    const { read } = await reading(noCodeHost, {
      cluster: objectCluster([
        kustomization('apps', {
          ...ready('True', 'ReconciliationSucceeded', `Applied revision: ${at('b')}`),
          lastAppliedRevision: at('b'),
          lastAttemptedRevision: at('b'),
        }),
        kustomization('broken', {
          ...ready('False', 'BuildFailed', 'kustomization path not found'),
          lastAppliedRevision: at('a'),
          lastAttemptedRevision: at('b'),
        }),
        kustomization('waiting', {
          ...ready('False', 'DependencyNotReady', "dependency 'flux-system/apps' is not ready"),
          lastAttemptedRevision: at('b'),
        }),
        kustomization('moving', ready('Unknown', 'Progressing', 'Reconciliation in progress')),
        kustomization(
          'stopped',
          { ...ready('True', 'ReconciliationSucceeded', 'Applied'), lastAppliedRevision: at('a') },
          { suspend: true },
        ),
        kustomization(
          'edited',
          { ...ready('True', 'ReconciliationSucceeded', 'Applied'), observedGeneration: 1 },
          {},
          { generation: 2 },
        ),
        kustomization('fresh', {}),
      ]),
    });
    const answer = await read('delivery.gitops');
    expect(answer.mode).toBe('flux');
    expect(answer.items.map(({ name, sync, health }) => [name, sync, health])).toEqual([
      ['apps', 'synced', 'healthy'],
      ['broken', 'out_of_sync', 'degraded'],
      ['edited', 'progressing', 'progressing'],
      ['fresh', 'not_read', 'not_read'],
      ['moving', 'progressing', 'progressing'],
      ['stopped', 'synced', 'suspended'],
      ['waiting', 'out_of_sync', 'progressing'],
    ]);
    const item = Object.fromEntries(answer.items.map((one) => [one.name, one]));
    expect(item.broken).toMatchObject({
      branch: 'main',
      revision: sha('a'),
      target_revision: sha('b'),
      detail: 'kustomization path not found',
      last_transition: ago(7),
    });
    expect(answer.unmeasured).toEqual([
      'Of Kustomization flux-system/fresh, its controller has given it no status yet.',
    ]);
  });

  it('are told from HelmReleases by chart versions', async () => {
    const { read } = await reading(noCodeHost, {
      cluster: objectCluster([
        {
          apiVersion: 'helm.toolkit.fluxcd.io/v2',
          kind: 'HelmRelease',
          metadata: { name: 'ingress', namespace: 'edge' },
          spec: { chart: { spec: { chart: 'ingress', version: '4.12.1' } } },
          status: {
            ...ready('False', 'UpgradeFailed', 'Helm upgrade failed: timed out'),
            lastAttemptedRevision: '4.12.1',
            history: [
              { chartVersion: '4.12.1', status: 'failed' },
              { chartVersion: '4.11.0', status: 'deployed' },
            ],
          },
        },
      ]),
    });
    expect((await read('delivery.gitops')).items).toMatchObject([
      {
        name: 'ingress',
        sync: 'out_of_sync',
        health: 'degraded',
        revision: '4.11.0',
        target_revision: '4.12.1',
      },
    ]);
  });
});

describe('deliveries without a controller', () => {
  const harbour = repository({
    name: 'harbour',
    runs: [run({ id: 1, sha: sha('b'), createdAt: minutesAgo(9) })],
  });

  it('are the workflows, with why it is not certain that there is none', async () => {
    const none = await readingWorld(world([harbour]), { cluster: objectCluster([]) });
    expect(await none.read('delivery.gitops')).toMatchObject({
      mode: 'workflows',
      source: 'github',
      complete: true,
    });
    const forbidden = await readingWorld(world([harbour]), {
      cluster: objectCluster([], {
        states: {
          'applications.argoproj.io': { state: 'forbidden', gaps: ['Forbidden: list applications.'] },
        },
      }),
    });
    expect(await forbidden.read('delivery.gitops')).toMatchObject({
      mode: 'workflows',
      items: [{ repo: 'harbour' }],
      complete: false,
      unmeasured: ['Whether a GitOps controller delivers was not read. Forbidden: list applications.'],
    });
  });
});

describe('the way of an image through the cluster', () => {
  const digest = `sha256:${'9b0e'.repeat(16)}`;
  const image = 'registry.example/northgate/harbour';
  const registry: Registry = {
    manifest: async (_name, [tag = '']) => ({ ok: true, value: { tag, digest }, readAt: Date.now() }),
    close: () => undefined,
  };
  /** `later` has `merged`, which has `first`. */
  const estate = () =>
    world([
      repository({
        name: 'harbour',
        commits: [
          commit({ sha: sha('first'), message: 'Start', at: minutesAgo(600) }),
          commit({ sha: sha('merged'), parents: [sha('first')], message: 'Read tides', at: minutesAgo(60) }),
          commit({ sha: sha('later'), parents: [sha('merged')], message: 'Fix', at: minutesAgo(30) }),
        ],
        branches: { main: sha('later') },
        runs: (['later', 'merged', 'first'] as const).map((name, index) =>
          run({
            id: 9 - index,
            sha: sha(name),
            createdAt: minutesAgo(20 + index),
            updatedAt: minutesAgo(19 + index),
          }),
        ),
      }),
    ]);
  const deployment = (name: string, reference: string, replicas = 2): RawObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas, template: { spec: { containers: [{ name: 'main', image: reference }] } } },
    status: { readyReplicas: replicas },
  });
  const replicaSet = (of: string, hash: string, reference: string, made: string): RawObject => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${of}-${hash}`,
      namespace: 'shop',
      creationTimestamp: made,
      ownerReferences: [{ kind: 'Deployment', name: of, controller: true }],
    },
    spec: { replicas: 1, template: { spec: { containers: [{ name: 'main', image: reference }] } } },
  });
  const replica = (set: string, name: string, reference: string, status: object = readyPod, imageID = '') =>
    pod(`${set}-${name}`, 'shop', {
      owner: ['ReplicaSet', set],
      spec: { containers: [{ name: 'main', image: reference }] },
      status: {
        ...status,
        containerStatuses: [
          { name: 'main', imageID, ready: true, state: { running: { startedAt: ago(10) } } },
        ],
        ...('containerStatuses' in status ? status : {}),
      },
    });
  const way = async (objects: RawObject[], asked = 'merged', options: Options = {}) => {
    const { read } = await readingWorld(estate(), { registry, cluster: objectCluster(objects, options) });
    const answer = await read('delivery.lineage', `?sha=${sha(asked)}`);
    const steps = Object.fromEntries((answer.images[0]?.steps ?? []).map((step) => [step.step, step]));
    return { answer, rolled: steps.rolled, running: steps.running };
  };
  const tagged = (name: string): string => `${image}:${sha(name)}`;

  it('ends in pods that are ready: the commit has shipped', async () => {
    const { answer, rolled, running } = await way([
      deployment('web', tagged('merged')),
      replicaSet('web', 'old', tagged('first'), ago(500)),
      replicaSet('web', 'new', tagged('merged'), ago(15)),
      replica('web-new', 'a', tagged('merged')),
      replica('web-new', 'b', tagged('merged')),
    ]);
    expect(answer).toMatchObject({
      shipped: 'yes',
      source: 'github',
      complete: true,
      unmeasured: [],
      target: 'test',
    });
    expect(rolled).toMatchObject({ state: 'done', at: ago(15), detail: 'in Deployment shop/web' });
    expect(running).toMatchObject({ state: 'done', at: ago(10), detail: '2 of 2 pods ready' });
  });

  it('is recognised by digest, also behind a tag that moves', async () => {
    const pinned = await way([deployment('web', `${image}@${digest}`, 0)]);
    expect(pinned.rolled).toMatchObject({ state: 'done' });
    expect(pinned.running).toMatchObject({ state: 'not_reached', detail: 'it is scaled to 0 replicas' });
    const moving = await way([
      deployment('web', `${image}:main`, 1),
      replicaSet('web', 'x', `${image}:main`, ago(15)),
      replica('web-x', 'a', `${image}:main`, readyPod, `${image}@${digest}`),
    ]);
    expect(moving.answer.shipped).toBe('yes');
    const other = await way([
      deployment('web', `${image}:main`, 1),
      replicaSet('web', 'x', `${image}:main`, ago(15)),
      replica('web-x', 'a', `${image}:main`, readyPod, `${image}@sha256:${'0'.repeat(64)}`),
    ]);
    expect(other.rolled).toMatchObject({ state: 'not_reached', detail: 'Deployment shop/web has tag main' });
  });

  it('is seen in a later image that has the commit, and not in an older one', async () => {
    const later = await way([
      deployment('web', tagged('later'), 1),
      replicaSet('web', 'x', tagged('later'), ago(15)),
      replica('web-x', 'a', tagged('later')),
    ]);
    expect(later.answer).toMatchObject({ shipped: 'yes' });
    expect(later.rolled).toMatchObject({ state: 'done', at: ago(15) });
    const older = await way([deployment('web', `${image}:sha-${sha('first').slice(0, 7)}`)]);
    expect(older.answer).toMatchObject({ stopped_at: 'rolled' });
    expect(older.rolled).toMatchObject({
      state: 'not_reached',
      parts: [{ name: 'Deployment shop/web', state: 'not_reached' }],
    });
    expect(older.running).toMatchObject({ state: 'not_reached' });
  });

  it('is told as a share while some workloads run another version: never as shipped', async () => {
    const { rolled, running, answer } = await way([
      deployment('web', tagged('merged')),
      replicaSet('web', 'x', tagged('merged'), ago(15)),
      replica('web-x', 'a', tagged('merged')),
      replica('web-x', 'b', tagged('merged')),
      deployment('worker', tagged('first')),
      deployment('mail', tagged('first')),
    ]);
    expect(answer).toMatchObject({
      shipped: 'no',
      stopped_at: 'rolled',
      rolled_out: { workloads: 1, of: 3 },
      answer: expect.stringMatching(/runs in 1 of 3 workloads; the others run another version\.$/),
      images: [{ where: 'Running in 1 of 3 workloads' }],
    });
    expect(rolled).toMatchObject({ state: 'moving', detail: 'in 1 of 3 workloads' });
    expect(running).toMatchObject({
      state: 'moving',
      parts: [
        { name: 'Deployment shop/web', state: 'done' },
        { name: 'Deployment shop/worker', state: 'not_reached' },
        { name: 'Deployment shop/mail', state: 'not_reached' },
      ],
    });
  });

  it('names every workload that has another version, and none when nothing has the image', async () => {
    const { rolled } = await way([
      deployment('web', tagged('merged')),
      deployment('worker', tagged('first')),
      deployment('cache', 'redis:8'),
      deployment('alike', `${image}-tools:${sha('merged')}`),
    ]);
    expect(rolled).toMatchObject({
      state: 'moving',
      detail: 'in 1 of 2 workloads',
      parts: [
        { name: 'Deployment shop/web', state: 'done' },
        { name: 'Deployment shop/worker', state: 'not_reached' },
      ],
    });
    expect((await way([deployment('cache', 'redis:8')])).rolled).toMatchObject({
      state: 'not_reached',
      detail: `no workload has the image ${image}`,
    });
  });

  it('says how many pods are ready while it starts, and why they do not', async () => {
    const set = [deployment('web', tagged('merged')), replicaSet('web', 'x', tagged('merged'), ago(15))];
    const half = await way([...set, replica('web-x', 'a', tagged('merged'))]);
    expect(half.running).toMatchObject({ state: 'moving', detail: '1 of 2 pods ready' });
    const crashing = {
      phase: 'Running',
      containerStatuses: [
        { name: 'main', state: { waiting: { reason: 'CrashLoopBackOff' } }, restartCount: 7 },
      ],
    };
    const failing = await way([...set, replica('web-x', 'a', tagged('merged'), crashing)]);
    expect(failing.answer).toMatchObject({ stopped_at: 'running' });
    expect(failing.running).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/^0 of 2 pods ready; web-x-a container main keeps crashing/),
    });
  });

  it('of what runs by schedule is done once a run of it was seen', async () => {
    const cron: RawObject = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tides', namespace: 'shop' },
      spec: {
        schedule: '@hourly',
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: 'main', image: tagged('merged') }] } } },
        },
      },
    };
    const job: RawObject = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: 'tides-1',
        namespace: 'shop',
        ownerReferences: [{ kind: 'CronJob', name: 'tides', controller: true }],
      },
      spec: { template: {} },
    };
    const ran = pod('tides-1-x', 'shop', {
      owner: ['Job', 'tides-1'],
      spec: { containers: [{ name: 'main', image: tagged('merged') }] },
      status: { phase: 'Succeeded' },
    });
    expect((await way([cron])).running).toMatchObject({ state: 'not_reached' });
    expect((await way([cron, job, ran])).answer).toMatchObject({ shipped: 'yes' });
  });

  it('stays not read where the cluster was not, with the reason', async () => {
    const gone = { state: 'unavailable' as const, gaps: ['test.invalid does not answer.'] };
    const states = Object.fromEntries(
      ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'cronjobs.batch'].map((kind) => [
        kind,
        gone,
      ]),
    );
    const { answer, rolled, running } = await way([], 'merged', { states });
    expect(rolled).toMatchObject({ state: 'not_read', detail: 'test.invalid does not answer' });
    expect(running).toMatchObject({ state: 'not_read' });
    expect(answer).toMatchObject({
      shipped: 'unknown',
      complete: false,
      unmeasured: ['Rollout and running pods were not read: test.invalid does not answer.'],
    });
    const pods = { state: 'forbidden' as const, gaps: ['Forbidden: list pods.'] };
    const half = await way([deployment('web', tagged('merged'))], 'merged', { states: { pods } });
    expect(half.rolled).toMatchObject({ state: 'done' });
    expect(half.running).toMatchObject({ state: 'not_read', detail: 'Forbidden: list pods' });
    expect(half.answer.unmeasured).toEqual(['Forbidden: list pods.']);
  });

  it('is not ruled out by a part of the workloads', async () => {
    const partly = { state: 'partly' as const, gaps: ['Forbidden: list deployments in shop.'] };
    const { rolled, answer } = await way([], 'merged', { states: { 'deployments.apps': partly } });
    expect(rolled).toMatchObject({
      state: 'not_read',
      detail: 'not all workloads were read: Forbidden: list deployments in shop',
    });
    expect(answer).toMatchObject({
      shipped: 'unknown',
      unmeasured: ['Forbidden: list deployments in shop.'],
    });
  });
});
