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
