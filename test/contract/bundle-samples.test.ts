import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cluster, resources } from '../../src-main/sources/cluster/index.ts';
import { logText, opened } from '../support/opened-bundle.ts';
import { repoRoot as root } from '../support/repo-root.ts';

// Real bundles, which are not part of the project: `../shared/bundles`, or where BUNDLE_SAMPLES says.

const samples = resolve(root, process.env.BUNDLE_SAMPLES ?? '../shared/bundles');
const found = existsSync(samples);
if (!found) process.stdout.write(`The sample bundles are not read: there is no folder ${samples}.\n`);

const place = (folder: string, start = ''): string =>
  start === ''
    ? join(samples, folder)
    : join(
        samples,
        folder,
        readdirSync(join(samples, folder)).find((name) => name.startsWith(start)) ?? start,
      );

async function counts(cluster: Cluster): Promise<Record<string, number>> {
  const entries = await Promise.all(
    resources.resources.map(async (resource) => {
      const { items } = await cluster.list(resource);
      return [resource.kind, items.length] as const;
    }),
  );
  return Object.fromEntries(entries);
}

describe.skipIf(!found)('real bundles', () => {
  it('a must-gather of six nodes', async () => {
    const bundle = await opened(place('must-gather', 'must-gather'));
    expect(bundle.facts).toMatchObject({
      layout: 'must-gather',
      files: 4954,
      version: 'v1.31.1',
      taken_at: '2024-10-24T14:45:15.000Z',
      gaps: [],
    });
    expect(await counts(bundle.cluster)).toMatchObject({ Pod: 314, Node: 6, Event: 9251, ConfigMap: 653 });
    const { items } = await bundle.cluster.list(resources.deployments);
    const short = items.filter(({ spec, status }) => (status?.readyReplicas ?? 0) < (spec.replicas ?? 1));
    expect(short.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'openshift-authentication/oauth-openshift',
      'openshift-monitoring/metrics-server',
    ]);
    const of = 'openshift-cluster-version/cluster-version-operator-59fc58bb8-h6cf2/cluster-version-operator';
    expect(Buffer.byteLength(await logText(bundle, of, { previous: true }))).toBe(2_626_253);
  }, 120_000);

  it('a support bundle with every collector', async () => {
    const bundle = await opened(place('troubleshoot', 'baseline-supportbundle'));
    expect(bundle.facts).toMatchObject({ layout: 'support-bundle', version: 'v1.31.2+k3s1', logs: 2 });
    expect(bundle.facts.gaps).toContain(
      'The collector etcd failed: current k8s distribution does not support etcd collector.',
    );
    expect(await counts(bundle.cluster)).toMatchObject({ Pod: 7, Node: 1, Event: 97, StatefulSet: 0 });
    expect(await bundle.cluster.get(resources.secrets, 'example-secret', 'default')).toMatchObject({
      state: 'missing',
    });
    expect(await bundle.cluster.list(resources.statefulSets)).toMatchObject({ state: 'read' });
    expect(await bundle.cluster.list(resources.applications)).toMatchObject({ state: 'not_served' });
  });

  it('an older support bundle, with links to logs, and one as a folder with redacted YAML', async () => {
    const old = await opened(place('troubleshoot', 'support-bundle-v0.50'));
    expect(old.facts).toMatchObject({ layout: 'support-bundle', logs: 19, gaps: [] });
    const folder = await opened(place('sbctl/support-bundle'));
    expect(folder.facts).toMatchObject({ layout: 'support-bundle', version: 'v1.23.5', gaps: [] });
    const { items } = await folder.cluster.list(resources.pods, { namespace: 'velero' });
    const texts = await Promise.all(
      items.map(({ metadata }) => logText(folder, `velero/${metadata.name}/velero`, { previous: true })),
    );
    expect(texts.join('\n')).toContain('unknown command "server-junk" for "velero"');
  });

  it('preflight bundles, and one that holds nothing of a cluster', async () => {
    for (const name of ['baseline-preflight-v1beta2', 'baseline-preflight-v1beta3'])
      expect((await opened(place('troubleshoot', name))).facts.layout).toBe('support-bundle');
    await expect(opened(place('troubleshoot', 'missing-version'))).rejects.toThrow(
      /missing-version\.tar\.gz holds no Kubernetes objects that can be read\./,
    );
  });

  it('fragments of a must-gather with rotated logs, and folders of objects', async () => {
    const omc = await opened(place('omc/testdata'));
    expect(omc.facts).toMatchObject({ layout: 'must-gather', logs: 3 });
    const objects = await opened(place('kubectl-status'));
    expect(objects.facts.layout).toBe('objects');
    expect((await objects.cluster.list(resources.pods)).items.length).toBeGreaterThan(20);
  });
});
