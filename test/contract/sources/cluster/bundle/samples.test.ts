import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import type { Cluster } from '../../../../../src-main/sources/cluster/index.ts';
import { clusterRoutes } from '../../../../../src-shared/api/cluster-routes.ts';
import { deliveryRoutes } from '../../../../../src-shared/api/delivery.ts';
import { fleetRoutes } from '../../../../../src-shared/api/fleet.ts';
import type { Bundle, BundleProgress } from '../../../../../src-shared/api/targets.ts';
import { logText, opened } from '../../../../support/opened-bundle.ts';
import { repoRoot as root } from '../../../../support/repo-root.ts';
import { type TestConsole, testConsole } from '../../../../support/test-console.ts';

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
    resources.everyKind.map(async (resource) => {
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

/** Tables of kubectl and logs, without an object. */
const holdNoObjects = new Set(['scenarios/09_crashpod', 'scenarios/13a_pending_node_selector_basic']);

/** Every read of a cluster; the indicators of delivery are of the console's own series, and a log is a stream. */
const routes = [...clusterRoutes, ...fleetRoutes, ...deliveryRoutes].filter(
  ({ method, answer, id }) => method === 'GET' && answer !== 'stream' && id !== 'delivery.devex',
);

type Answer = {
  readonly source: string;
  readonly complete: boolean;
  readonly unmeasured: readonly string[];
  readonly [field: string]: unknown;
};
type NamespaceRow = {
  readonly name: string;
  readonly counts: { readonly pods?: number };
  readonly verdict: { readonly state: string };
  readonly failing_pods: readonly {
    readonly name: string;
    readonly status: string;
    readonly reason?: string;
  }[];
};

describe.skipIf(!found)('every page of a real bundle', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await testConsole();
  });
  afterAll(() => console.close());

  const get = async <T>(path: string): Promise<{ status: number; body: T }> => {
    const answer = await fetch(`${console.url}${path}`, { headers: { cookie: await console.cookie() } });
    return { status: answer.status, body: (await answer.json()) as T };
  };

  /** Opens a sample through the console, as a person does; its target. */
  const open = async (path: string): Promise<{ bundle: Bundle; last: BundleProgress }> => {
    const headers = { cookie: await console.cookie(), 'content-type': 'application/json' };
    const answer = await fetch(`${console.url}/api/bundles`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ path }),
    });
    const bundle = (await answer.json()) as Bundle;
    const events = await fetch(`${console.url}/api/bundles/${bundle.id}/progress`, { headers });
    const last = (await events.text()).trim().split('\n\n').at(-1) ?? '';
    return { bundle, last: JSON.parse(last.slice(last.indexOf('data: ') + 6)) as BundleProgress };
  };
  const close = async ({ id }: Bundle): Promise<void> => {
    await fetch(`${console.url}/api/bundles/${id}`, {
      method: 'DELETE',
      headers: { cookie: await console.cookie() },
    });
  };

  /** What each route answers, by its id. */
  const answersOf = async ({ target }: Bundle): Promise<Map<string, { status: number; body: Answer }>> => {
    const rows = await get<{ items: readonly { name: string }[] }>(`/api/namespaces?target=${target}`);
    const nodes = await get<{ items: readonly { name: string }[] }>(`/api/cluster-nodes?target=${target}`);
    const names: Readonly<Record<string, string>> = {
      'cluster.node': `/api/nodes/${nodes.body.items[0]?.name ?? 'node-1'}`,
      'cluster.namespace': `/api/namespaces/${rows.body.items[0]?.name ?? 'default'}`,
      'cluster.object': `/api/objects/Node/${nodes.body.items[0]?.name ?? 'node-1'}`,
    };
    const answers = new Map<string, { status: number; body: Answer }>();
    for (const { id, path } of routes)
      answers.set(id, await get<Answer>(`${names[id] ?? path}?target=${target}`));
    return answers;
  };

  const scenarios = found ? readdirSync(join(samples, 'scenarios')) : [];
  for (const [folder, start] of [
    ['must-gather', 'must-gather'],
    ['troubleshoot', 'baseline-supportbundle'],
    ['troubleshoot', 'support-bundle-v0.50'],
    ['troubleshoot', 'baseline-preflight-v1beta2'],
    ['troubleshoot', 'baseline-preflight-v1beta3'],
    ['sbctl/support-bundle', ''],
    ['omc/testdata', ''],
    ['kubectl-status', ''],
    ['troubleshoot/analyze-files', ''],
    ...scenarios.map((name) => [`scenarios/${name}`, ''] as const),
  ] as const) {
    it(`answers from ${folder}/${start} or says why not`, async () => {
      const { bundle, last } = await open(place(folder, start));
      if (holdNoObjects.has(folder)) {
        expect(last.detail).toMatch(/ holds no Kubernetes objects that can be read\.$/);
        return;
      }
      expect(last.state, last.detail).toBe('open');
      for (const [id, { status, body }] of await answersOf(bundle)) {
        expect({ id, status, error: body.error }).toEqual({ id, status: 200, error: undefined });
        expect(['bundle', 'unavailable'], id).toContain(body.source);
        expect({ id, complete: body.complete, why: body.unmeasured.length > 0 }).toEqual({
          id,
          complete: body.unmeasured.length === 0,
          why: !body.complete,
        });
        if (body.source === 'unavailable') expect(body.complete, id).toBe(false);
        for (const reason of body.unmeasured) expect(reason, id).toMatch(/^\S.*\.$/s);
      }
      await close(bundle);
    }, 180_000);
  }

  it('has the nodes, pods and failing pods that are known of the must-gather', async () => {
    const { bundle } = await open(place('must-gather', 'must-gather'));
    const nodes = await get<{ items: readonly { ready?: boolean }[] }>(
      `/api/cluster-nodes?target=${bundle.target}`,
    );
    expect(nodes.body.items).toHaveLength(6);
    const { body } = await get<{ items: readonly NamespaceRow[] }>(`/api/namespaces?target=${bundle.target}`);
    expect(body.items.reduce((sum, { counts }) => sum + (counts.pods ?? 0), 0)).toBe(314);
    const failing = body.items.flatMap(({ failing_pods }) => failing_pods);
    const statuses = Object.groupBy(failing, ({ status }) => status);
    expect(statuses.Error).toHaveLength(10);
    expect(statuses.Pending).toHaveLength(2);
    await close(bundle);
  }, 180_000);

  it('has the failing pod of the kURL cluster, and none where hosts only slept', async () => {
    const kurl = await open(place('sbctl/support-bundle'));
    const { body } = await get<{ items: readonly NamespaceRow[] }>(
      `/api/namespaces?target=${kurl.bundle.target}`,
    );
    const velero = body.items.find(({ name }) => name === 'velero');
    expect(velero).toMatchObject({ verdict: { state: 'degraded' } });
    expect(velero?.failing_pods).toEqual([expect.objectContaining({ status: 'CrashLoopBackOff' })]);
    const baseline = await open(place('troubleshoot', 'baseline-supportbundle'));
    const healthy = await get<{ items: readonly NamespaceRow[] }>(
      `/api/namespaces?target=${baseline.bundle.target}`,
    );
    expect(healthy.body.items.flatMap(({ failing_pods }) => failing_pods)).toEqual([]);
    expect(healthy.body.items.reduce((sum, { counts }) => sum + (counts.pods ?? 0), 0)).toBe(7);
    await close(kurl.bundle);
    await close(baseline.bundle);
  }, 60_000);
});

describe('a bundle that holds next to nothing', () => {
  it('claims nothing: no state is healthy, no number is zero, and every page says why', async () => {
    const { cluster } = await opened({
      'objects.json': {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'x', namespace: 'shop' },
      },
    });
    const console = await testConsole({}, { cluster });
    for (const { id, path } of routes) {
      const filled = path.replace('{kind}', 'Node').replace('{name}', 'n1');
      const answer = await fetch(`${console.url}${filled}`, { headers: { cookie: await console.cookie() } });
      const body = (await answer.json()) as Answer;
      expect({ id, status: answer.status, complete: body.complete }).toEqual({
        id,
        status: 200,
        complete: false,
      });
      expect(body.unmeasured.length, id).toBeGreaterThan(0);
      if (id === 'cluster.metrics') continue;
      expect(JSON.stringify(body), id).not.toMatch(/"(?:state|verdict)":"(?:healthy|ok|ready)"|:0[,}]/);
    }
    await console.close();
  });
});
