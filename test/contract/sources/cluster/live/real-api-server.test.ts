import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientInstances, configMaps, pods } from '../../../../../src-main/cluster-model/kinds/index.ts';
import { createContexts, type LiveCluster } from '../../../../../src-main/sources/cluster/live/index.ts';
import { startTestCluster } from '../../../../support/kube-api.ts';
import { listUntil, liveCluster, namesOf } from '../../../../support/live-cluster.ts';
import { repoRoot } from '../../../../support/repo-root.ts';

// What the console asks of a cluster, of our own API and of a real one: TEST_KUBECONFIG names a kubeconfig whose current
// context may make a namespace and definitions. All is made in a namespace of its own and removed at the end; definitions
// that were there before are left as they are.

const given = process.env.TEST_KUBECONFIG;
const noKubectl =
  spawnSync('kubectl', ['version', '--client']).status === 0
    ? undefined
    : 'skipped: there is no kubectl here';
if (noKubectl !== undefined) console.warn(noKubectl);
else if (given === undefined) console.warn('skipped: a real API server: TEST_KUBECONFIG is not set');

const servers: { name: string; start: () => Promise<{ kubeconfig: string; close(): Promise<void> }> }[] = [
  { name: 'our own API', start: () => startTestCluster([], { https: true }) },
];
if (given !== undefined)
  servers.push({
    name: 'the API server of TEST_KUBECONFIG',
    start: async () => ({ kubeconfig: given, close: async () => undefined }),
  });

const folder = mkdtempSync(join(tmpdir(), 'real-api-server-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(noKubectl !== undefined).each(servers)('$name', { timeout: 60_000 }, ({ start }) => {
  const namespace = `operator-console-test-${randomBytes(4).toString('hex')}`;
  const made: string[] = [];
  let server: { kubeconfig: string; close(): Promise<void> };
  let cluster: LiveCluster;

  /** Runs kubectl; what it printed. */
  const kubectl = (args: readonly string[], input = ''): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const env = { ...process.env, KUBECONFIG: server.kubeconfig, KUBECACHEDIR: join(folder, 'cache') };
    const child = execFile('kubectl', args, { env }, (failed, out, error) =>
      failed === null ? resolve(out) : reject(new Error(`kubectl ${args.join(' ')}: ${error}`)),
    );
    child.stdin?.end(input);
    return promise;
  };
  // Our own API describes only custom kinds for kubectl to check against.
  const apply = (...objects: readonly object[]): Promise<string> =>
    kubectl(
      ['apply', '--validate=false', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    );
  const settings = (name: string, data: Readonly<Record<string, string>>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data,
  });
  const open = async (writable: boolean): Promise<LiveCluster> => {
    const { kubeconfig } = server;
    const env = { ...process.env };
    const contexts = createContexts({ files: () => [kubeconfig], env, loginShellPath: false });
    const context = await contexts.current();
    if (context === undefined) throw new Error('TEST_KUBECONFIG has no current context.');
    return liveCluster(kubeconfig, { env, context, writable: () => writable });
  };

  beforeAll(async () => {
    server = await start();
    const there = await kubectl(['get', 'crd', '-o', 'name']);
    for (const plural of ['clientinstances', 'campaigncontrolplanes', 'cockpitcontrolplanes']) {
      const name = `customresourcedefinition.apiextensions.k8s.io/${plural}.platform.dev`;
      if (there.includes(name)) continue;
      await kubectl(['apply', '-f', join(repoRoot, 'resources/crds', `${plural}.yaml`)]);
      await kubectl(['wait', '--for=condition=established', name, '--timeout=30s']);
      made.push(name);
    }
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await apply(
      settings('limits', { a: '1' }),
      {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ClientInstance',
        metadata: { name: 'willow', namespace },
        spec: {
          tenant: 'willow',
          controlPlaneRef: { name: 'cockpit-control' },
          users: ['ines@willow.example'],
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web-1', namespace, labels: { app: 'web' } },
        // Starts nowhere: there is no such image.
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'app', image: 'registry.invalid/app:1' }],
        },
        // As every server sets it for a new pod.
        status: { phase: 'Pending' },
      },
    );
    cluster = await open(true);
  }, 120_000);

  afterAll(async () => {
    cluster?.close();
    await kubectl(['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false']);
    for (const name of made) await kubectl(['delete', name, '--ignore-not-found', '--wait=false']);
    await server.close();
  }, 120_000);

  it('lists what is in a namespace, of its own kinds and of ours', async () => {
    const listed = await cluster.list(pods, { namespace });
    expect(listed).toMatchObject({ state: 'read', gaps: [] });
    expect(listed.items).toMatchObject([
      { metadata: { name: 'web-1', labels: { app: 'web' } }, spec: { containers: [{ name: 'app' }] } },
    ]);
    const instances = await listUntil(cluster, clientInstances, ({ state }) => state === 'read');
    expect(instances.items.find(({ metadata }) => metadata.namespace === namespace)).toMatchObject({
      metadata: { name: 'willow' },
      spec: { tenant: 'willow' },
    });
    expect(cluster.status()).toMatchObject({ state: 'ready', version: expect.stringMatching(/^v1\.\d+/) });
  });

  it('gives one object in full, and says that another does not exist', async () => {
    expect(await cluster.get(configMaps, 'limits', namespace)).toMatchObject({
      state: 'read',
      object: { kind: 'ConfigMap', metadata: { name: 'limits', namespace }, data: { a: '1' } },
    });
    expect(await cluster.get(configMaps, 'none', namespace)).toEqual({
      state: 'missing',
      reason: `There is no ConfigMap none in ${namespace}.`,
    });
  });

  it('shows what is added, changed and removed', async () => {
    const inNamespace = async (): Promise<string[]> => namesOf(await cluster.list(configMaps, { namespace }));
    const soon = () => expect.poll(inNamespace, { timeout: 20_000 });
    await soon().toContain('limits');
    await apply(settings('added', { a: '1' }));
    await soon().toContain('added');
    await kubectl(['delete', 'configmap', 'added', '-n', namespace]);
    await soon().not.toContain('added');
  });

  it('changes an object, unless somebody changed it meanwhile or the target is read-only', async () => {
    const { state, ...read } = await cluster.get(configMaps, 'limits', namespace);
    if (state !== 'read' || !('object' in read)) throw new Error('limits was not read');
    const resourceVersion = String(Reflect.get(Object(read.object.metadata), 'resourceVersion'));
    const ask = { name: 'limits', namespace, patch: { data: { a: '2' } }, resourceVersion };
    const reading = await open(false);
    expect(await reading.patch(configMaps, ask)).toMatchObject({ state: 'read_only' });
    reading.close();
    expect(await cluster.patch(configMaps, ask)).toMatchObject({
      state: 'done',
      object: { data: { a: '2' } },
    });
    expect(await cluster.patch(configMaps, ask)).toMatchObject({ state: 'conflict' });
    expect(await cluster.patch(configMaps, { ...ask, name: 'none' })).toMatchObject({ state: 'missing' });
    // Its tenant is what the definition lets nobody change.
    const users = ['karl@willow.example'];
    const instance = { name: 'willow', namespace, patch: { spec: { users } } };
    expect(await cluster.patch(clientInstances, instance)).toMatchObject({
      state: 'done',
      object: { spec: { users } },
    });
  });

  it('reads nothing of a container that has not started, and says that a pod does not exist', async () => {
    const { signal } = new AbortController();
    const pending = await cluster.logs({ namespace, pod: 'web-1', container: 'app', signal });
    let lines = '';
    if (pending.state === 'read') for await (const piece of pending.bytes) lines += Buffer.from(piece);
    else expect(pending).toMatchObject({ state: 'missing', reason: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(lines).toBe('');
    expect(await cluster.logs({ namespace, pod: 'web-9', container: 'app', signal })).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('web-9'),
    });
  });
});
