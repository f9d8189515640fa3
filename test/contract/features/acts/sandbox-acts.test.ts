import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActRequest } from '../../../../src-main/features/acts/index.ts';
import { listAt, numberAt, objectAt, textAt } from '../../../../src-main/kube-api/object-fields.ts';
import type { SandboxCluster } from '../../../../src-main/sandbox/kubernetes/index.ts';
import { startSandboxCluster } from '../../../../src-main/sandbox/kubernetes/index.ts';
import type { ActId, ActObject } from '../../../../src-shared/api/acts.ts';
import { actsOn } from '../../../support/acts.ts';

describe('acts on the sandbox take effect, and are undone', () => {
  let sandbox: SandboxCluster;
  let on: Awaited<ReturnType<typeof actsOn>>;
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-acts-'));
  beforeAll(async () => {
    sandbox = await startSandboxCluster();
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
    on = await actsOn({ kubeconfig }, { context: 'sandbox', effect: 20_000 });
  });
  afterAll(async () => {
    await on.close();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const object = (kind: string, name: string, namespace?: string): ActObject => ({
    group:
      { Pod: '', Node: '', CronJob: 'batch' }[kind] ?? (kind === 'ClientInstance' ? 'platform.dev' : 'apps'),
    version: kind === 'ClientInstance' ? 'v1alpha1' : 'v1',
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const act = (id: ActId, of: ActObject, args: unknown = {}): ActRequest => ({
    target: 'sandbox',
    act: id,
    object: of,
    args,
  });
  const get = async ({ kind, name, namespace }: ActObject) => {
    const found = sandbox.world.kinds().find((each) => each.kind === kind && each.group !== 'metrics.k8s.io');
    if (found === undefined) throw new Error(`no ${kind}`);
    return sandbox.world.get(found, name, namespace);
  };
  const podsOf = async (app: string, namespace: string) => {
    const kind = sandbox.world.kinds().find(({ plural, group }) => plural === 'pods' && group === '');
    if (kind === undefined) throw new Error('no pods');
    return (await sandbox.world.list(kind, namespace)).filter(({ metadata }) => metadata.labels?.app === app);
  };
  const isReady = (pod: unknown) =>
    listAt(pod, 'status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True');
  /** Carries an act out, and what undoes it. */
  const undone = async (request: ActRequest, then: () => Promise<unknown> = async () => undefined) => {
    const outcome = await on.perform(request);
    expect(outcome).toMatchObject({ state: 'done' });
    await then();
    if (outcome.undo === undefined) throw new Error(`nothing undoes ${request.act}`);
    expect(await on.perform({ target: 'sandbox', ...outcome.undo })).toMatchObject({ state: 'done' });
  };

  const board = object('Deployment', 'harbour-board', 'apps');

  for (const [kind, name, namespace] of [
    ['Deployment', 'harbour-board', 'apps'],
    ['StatefulSet', 'campaign-queue', 'campaign'],
    ['DaemonSet', 'node-agent', 'kube-system'],
    ['Deployment', 'rowan-cockpit', 'tenant-rowan'],
  ] as const)
    it(`restart replaces every pod of ${kind} ${name}`, async () => {
      const before = (await podsOf(name, namespace)).map(({ metadata }) => metadata.uid);
      expect(await on.perform(act('restart', object(kind, name, namespace)))).toMatchObject({
        state: 'done',
      });
      const after = await podsOf(name, namespace);
      expect(after.filter(({ metadata }) => before.includes(metadata.uid))).toEqual([]);
      expect(after).toHaveLength(before.length);
    });

  it('scale starts and stops pods', async () => {
    await undone(act('scale', board, { replicas: 4 }), async () => {
      expect((await podsOf('harbour-board', 'apps')).filter(isReady)).toHaveLength(4);
    });
    expect(await podsOf('harbour-board', 'apps')).toHaveLength(2);
  });

  it('rollback runs the images of the revision, and rolls forward again', async () => {
    const before = textAt(listAt(await get(board), 'spec', 'template', 'spec', 'containers')[0], 'image');
    await undone(act('rollback', board, { revision: 2 }), async () => {
      const [pod] = await podsOf('harbour-board', 'apps');
      expect(textAt(listAt(pod, 'spec', 'containers')[0], 'image')).not.toBe(before);
    });
    const [pod] = await podsOf('harbour-board', 'apps');
    expect(textAt(listAt(pod, 'spec', 'containers')[0], 'image')).toBe(before);
  });

  it('a deleted pod is made again', async () => {
    const [pod] = await podsOf('shift-planner', 'apps');
    expect(
      await on.perform(act('delete_pod', object('Pod', pod?.metadata.name ?? '', 'apps'))),
    ).toMatchObject({
      state: 'done',
      sentence: 'The pod is gone.',
    });
    await expect.poll(async () => (await podsOf('shift-planner', 'apps')).filter(isReady).length).toBe(2);
  });

  it('drain moves pods to other nodes, and waits for a disruption budget that has nothing left', async () => {
    const node = object('Node', 'worker-3');
    const drained = await on.perform(act('drain', node));
    expect(drained).toMatchObject({ state: 'done' });
    const kind = sandbox.world.kinds().find(({ plural, group }) => plural === 'pods' && group === '');
    const left = kind === undefined ? [] : await sandbox.world.list(kind);
    const there = left.filter((pod) => objectAt(pod, 'spec').nodeName === 'worker-3');
    expect(there.filter(({ metadata }) => metadata.labels?.app !== 'node-agent')).toEqual([]);
    expect(await on.perform(act('uncordon', node))).toMatchObject({ state: 'done' });

    const blocked = await on.perform(act('drain', object('Node', 'willow-1')));
    expect(blocked).toMatchObject({ state: 'failed', undo: { act: 'uncordon' } });
    expect(blocked.sentence).toContain('disruption budget');
    expect(await on.perform(act('uncordon', object('Node', 'willow-1')))).toMatchObject({ state: 'done' });
  });

  it('a CronJob runs once by hand, and is suspended and resumed', async () => {
    const cron = object('CronJob', 'security-sweep', 'agents');
    expect(await on.perform(act('run_cron_job', cron))).toMatchObject({ state: 'done' });
    await undone(act('suspend', cron), async () => {
      expect(objectAt(await get(cron), 'spec').suspend).toBe(true);
    });
  });

  it('an image that cannot be pulled is replaced by one that can', async () => {
    const reader = object('Deployment', 'bounce-reader', 'campaign');
    const image = textAt(listAt(await get(reader), 'spec', 'template', 'spec', 'containers')[0], 'image');
    const good = image.replace(/:[^:/]+$/, ':good');
    expect(await on.perform(act('set_image', reader, { image: good }))).toMatchObject({ state: 'done' });
    expect((await podsOf('bounce-reader', 'campaign')).map(isReady)).toEqual([true]);
  });

  it('a missing credential is set', async () => {
    const exporter = object('Deployment', 'audit-export', 'platform');
    const set = act('set_env', exporter, { name: 'EXPORT_TOKEN', value: 'token-1' });
    expect(await on.perform(set)).toMatchObject({ state: 'done' });
    expect((await podsOf('audit-export', 'platform')).map(isReady)).toEqual([true]);
  });

  it('a stuck rollout is rolled back', async () => {
    const alerts = object('Deployment', 'alerts', 'cockpit');
    expect(await on.perform(act('rollback', alerts, { revision: 2 }))).toMatchObject({ state: 'done' });
    expect((await podsOf('alerts', 'cockpit')).map(isReady)).toEqual([true, true, true]);
  });

  it('a workload above its quota is scaled to what fits', async () => {
    const aspen = object('Deployment', 'aspen-cockpit', 'tenant-aspen');
    const outcome = await on.perform(act('scale', aspen, { replicas: 2 }));
    expect(outcome).toMatchObject({ state: 'done' });
    expect(numberAt(await get(aspen), 'status', 'readyReplicas')).toBe(2);
  });

  it('a setting of a custom resource is put right, and its operator rolls it out', async () => {
    const birch = object('ClientInstance', 'birch-cockpit', 'tenant-birch');
    const name = 'EMBEDDING_FORMAT';
    expect(await on.perform(act('set_env', birch, { name, value: 'nomic-v1.5' }))).toMatchObject({
      state: 'done',
    });
    expect((await podsOf('birch-cockpit', 'tenant-birch')).map(isReady)).toEqual([true]);
  });

  it('an edited object is applied, and put back', async () => {
    const rates = object('Deployment', 'rate-card', 'apps');
    const { yaml = '' } = await on.offer(rates);
    await undone(act('apply', rates, { yaml: yaml.replace('replicas: 1', 'replicas: 2') }), async () => {
      expect((await podsOf('rate-card', 'apps')).filter(isReady)).toHaveLength(2);
    });
  });
});
