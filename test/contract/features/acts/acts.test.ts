import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ActsOptions,
  actsOn,
  deployment,
  deploymentNamed,
  newKey,
  person,
  settleWorkloads,
} from '../../../support/acts.ts';
import { dialects } from '../../../support/databases.ts';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';

const never = new AbortController().signal;

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  describe.skipIf(dialect.missing !== undefined)(`acts on ${dialect.name}${why}`, () => {
    let cluster: TestCluster;
    let on: Awaited<ReturnType<typeof actsOn>>;
    let undoPlace: () => void;
    const open = async (options: ActsOptions = {}) => {
      const { place, remove } = await dialect.place();
      undoPlace = remove;
      on = await actsOn(cluster, { place, ...options });
      return on;
    };
    beforeEach(async () => {
      cluster = await startTestCluster([deployment('web'), deployment('idle', { spec: { replicas: 0 } })]);
      settleWorkloads(cluster);
    });
    afterEach(async () => {
      await on.close();
      undoPlace();
      await cluster.close();
    });

    const restart = { target: 'test', act: 'restart', object: deploymentNamed('web'), args: {} } as const;
    const scale = { ...restart, act: 'scale', args: { replicas: 3 } } as const;
    const web = async () => {
      const kind = cluster.world.kinds().find(({ plural }) => plural === 'deployments');
      if (kind === undefined) throw new Error('no deployments');
      return (await cluster.world.get(kind, 'web', 'shop')) as { spec: { replicas: number } } | undefined;
    };
    const writes = () =>
      cluster.requests.filter(
        ({ method, path }) => method !== 'GET' && !path.includes('dryRun') && !path.includes('reviews'),
      );

    it('are previewed by a dry run that changes nothing, and carried out between two audit records', async () => {
      const { preview, perform, records } = await open();
      const seen = await preview(scale);
      expect(seen).toMatchObject({
        allowed: true,
        judged_by: 'server',
        class: 'workloads',
        diff: [{ path: 'spec.replicas', before: '2', after: '3' }],
        undo: { act: 'scale', args: { replicas: 2 } },
        protected: false,
      });
      expect(await records()).toEqual([]);
      expect(writes()).toEqual([]);
      expect(await perform(scale)).toMatchObject({ state: 'done', sentence: '3 of 3 pods ready.' });
      expect((await web())?.spec.replicas).toBe(3);
      expect(await records()).toMatchObject([
        {
          action: 'acts.begin',
          outcome: 'success',
          actor: person.email,
          target: 'test: Deployment shop/web',
        },
        {
          action: 'acts.perform',
          outcome: 'success',
          summary: 'Scale Deployment shop/web. 3 of 3 pods ready.',
        },
      ]);
    });

    it('are carried out once for each key, and answer the kept outcome when asked again', async () => {
      const { acts, preview, records } = await open();
      const { digest } = await preview(restart);
      const request = { ...restart, digest, key: newKey() };
      const [first, second] = await Promise.all([
        acts.perform(request, person, never),
        acts.perform(request, person, never),
      ]);
      expect(second).toEqual(first);
      expect(await acts.perform(request, person, never)).toEqual(first);
      expect(writes()).toHaveLength(1);
      expect(await records()).toHaveLength(2);
      await expect(acts.perform({ ...request, digest: '0'.repeat(64) }, person, never)).rejects.toThrow(
        'used for another act',
      );
    });

    it('send nothing to an object that changed since the preview', async () => {
      const { perform, records } = await open();
      const outcome = await perform(restart, async () => {
        await cluster.world.put({ ...deployment('web'), spec: { ...deployment('web').spec, replicas: 5 } });
      });
      expect(outcome).toMatchObject({ state: 'refused' });
      expect(outcome.sentence).toContain('changed since the preview');
      expect(writes()).toEqual([]);
      expect((await records()).map(({ action, outcome: is }) => [action, is])).toEqual([
        ['acts.begin', 'success'],
        ['acts.perform', 'refused'],
      ]);
    });

    it('of the platform wait for a person where the guardrails ask for one', async () => {
      const { acts, preview, guardrails, records } = await open();
      const { digest } = await preview(restart);
      const byItself = { kind: 'platform', by: 'playbook nightly' } as const;
      const refused = await acts.perform({ ...restart, digest, key: newKey() }, byItself, never);
      expect(refused).toMatchObject({ state: 'refused' });
      expect(refused.sentence).toContain('approval');
      expect(writes()).toEqual([]);
      const approved = { ...byItself, approvedBy: person.email };
      expect(await acts.perform({ ...restart, digest, key: newKey() }, approved, never)).toMatchObject({
        state: 'done',
      });
      expect((await records()).at(-1)).toMatchObject({ actor: 'playbook nightly', outcome: 'success' });
      expect((await guardrails.read()).revision).toBe(0);
    });

    it('leave their pair of records however often they are refused', async () => {
      const { preview, acts, records } = await open({ writable: () => false });
      const { digest } = await preview(restart);
      for (let n = 0; n < 25; n += 1)
        await acts.perform({ ...restart, digest, key: newKey() }, person, never);
      const kept = await records();
      expect(kept.filter(({ action }) => action === 'acts.begin')).toHaveLength(25);
      expect(kept.filter(({ action }) => action === 'acts.perform')).toHaveLength(25);
    });

    it('in a protected target need its name', async () => {
      const { acts, preview } = await open({ isProtected: true });
      const { digest, protected: isProtected } = await preview(restart);
      expect(isProtected).toBe(true);
      const request = { ...restart, digest };
      expect(await acts.perform({ ...request, key: newKey() }, person, never)).toMatchObject({
        state: 'refused',
      });
      expect(writes()).toEqual([]);
      expect(await acts.perform({ ...request, key: newKey(), confirm: 'test' }, person, never)).toMatchObject(
        { state: 'done' },
      );
    });
  });
}

describe('an act that a console left open', () => {
  it('before anything was sent is closed as not carried out, and one that was recorded is closed as recorded', async () => {
    const cluster = await startTestCluster([deployment('web')]);
    settleWorkloads(cluster);
    const on = await actsOn(cluster);
    try {
      const request = { target: 'test', act: 'restart', object: deploymentNamed('web'), args: {} } as const;
      const done = await on.perform(request);
      const [row] = await on.actStore.list({ limit: 1 });
      if (row === undefined) throw new Error('no act was kept');
      // As if it had ended after its record, before the act was closed.
      await on.actStore.change(row.act_id, { state: 'open', alive_at: 0 });
      // As if it had ended before its first write.
      await on.actStore.claim({
        ...row,
        act_id: 'another',
        key: newKey(),
        state: 'open',
        evidence: null,
        alive_at: 0,
      });
      await on.reopened().recover();
      const kept = await on.records();
      expect(kept.map(({ action, outcome }) => [action, outcome])).toEqual([
        ['acts.begin', 'success'],
        ['acts.perform', 'success'],
        ['acts.perform', 'failure'],
      ]);
      expect(kept[2]?.summary).toContain('found out as: not carried out; nothing had been sent');
      const rows = await on.actStore.list({ limit: 5 });
      expect(rows.map(({ act_id: id, state }) => [id === row.act_id, state]).toSorted()).toEqual([
        [false, 'failed'],
        [true, done.state],
      ]);
    } finally {
      await on.close();
      await cluster.close();
    }
  });
});

describe('what a preview says', () => {
  it('names who sets the field back: its maker, GitOps, an autoscaler, and who applies it', async () => {
    const metadata = {
      annotations: { 'argocd.argoproj.io/tracking-id': 'shop-app:apps/Deployment:shop/web' },
      ownerReferences: [
        { apiVersion: 'shop.example/v1', kind: 'Shop', name: 'main', uid: 'u', controller: true },
      ],
      managedFields: [
        { manager: 'helm-controller', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
        { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      ],
    };
    const cluster = await startTestCluster([
      deployment('web', { metadata }),
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web-hpa', namespace: 'shop' },
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 4 },
      },
    ]);
    const on = await actsOn(cluster);
    try {
      const { owners } = await on.preview({
        target: 'test',
        act: 'scale',
        object: deploymentNamed('web'),
        args: { replicas: 5 },
      });
      expect(owners.map(({ kind, name, effect }) => [kind, name, effect])).toEqual([
        ['Shop', 'main', 'undoes'],
        ['Application', 'shop-app', 'may_undo'],
        ['HorizontalPodAutoscaler', 'web-hpa', 'undoes'],
        ['Field manager', 'helm-controller', 'may_undo'],
      ]);
    } finally {
      await on.close();
      await cluster.close();
    }
  });

  it('hides credentials, keeps them when an object is edited, and records none', async () => {
    const containers = [{ name: 'web', image: 'web:1', env: [{ name: 'API_TOKEN', value: 'hunter2' }] }];
    const cluster = await startTestCluster([
      deployment('web', {
        spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers } } },
      }),
    ]);
    settleWorkloads(cluster);
    const on = await actsOn(cluster);
    try {
      const object = deploymentNamed('web');
      const setting = {
        target: 'test',
        act: 'set_env',
        object,
        args: { name: 'API_TOKEN', value: 'hunter3' },
      } as const;
      const seen = await on.preview(setting);
      expect(JSON.stringify(seen)).not.toContain('hunter');
      expect(seen.undo).toBeUndefined();
      const yaml = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: 'web:1', env: [{ name: API_TOKEN, value: '***HIDDEN***' }] }] }
`;
      const edit = { target: 'test', act: 'apply', object, args: { yaml } } as const;
      const edited = await on.preview(edit);
      expect(edited.diff).toEqual([{ path: 'spec.replicas', before: '2', after: '4' }]);
      expect(edited.undo).toBeDefined();
      expect(await on.perform(edit)).toMatchObject({ state: 'done' });
      const kind = cluster.world.kinds().find(({ plural }) => plural === 'deployments');
      expect(JSON.stringify(kind && (await cluster.world.get(kind, 'web', 'shop')))).toContain('hunter2');
      expect(await on.perform(setting)).toMatchObject({ state: 'done' });
      const bodies = await on.store.db.selectFrom('audit_records').select('body').execute();
      expect(bodies).toHaveLength(4);
      expect(JSON.stringify(bodies)).not.toContain('hunter');
    } finally {
      await on.close();
      await cluster.close();
    }
  });
});
