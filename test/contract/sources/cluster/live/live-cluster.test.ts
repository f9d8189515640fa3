import { afterEach, describe, expect, it } from 'vitest';
import {
  configMaps,
  deployments,
  events,
  helmReleases,
  nodes,
  podMetrics,
  pods,
} from '../../../../../src-main/cluster-model/kinds/index.ts';
import type { KubeObject } from '../../../../../src-main/kube-api/index.ts';
import type { LiveCluster } from '../../../../../src-main/sources/cluster/live/index.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../../../support/kube-api.ts';
import {
  type LiveClusterOptions,
  listUntil,
  liveCluster,
  namesOf,
  pod,
} from '../../../../support/live-cluster.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function both(
  objects: Parameters<typeof startTestCluster>[0],
  options: LiveClusterOptions = {},
  server: TestClusterOptions = {},
): Promise<{ api: TestCluster; cluster: LiveCluster }> {
  const api = await startTestCluster(objects, server);
  const cluster = await liveCluster(api.kubeconfig, options);
  open.push(api, cluster);
  return { api, cluster };
}

const aboutPod = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${name}.1`, namespace: 'shop' },
  involvedObject: { kind: 'Pod', name, namespace: 'shop' },
  type: 'Warning',
  reason: 'BackOff',
});

/** Polls for as long as a busy machine may take. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

const asked = ({ requests }: TestCluster, part: string): number =>
  requests.filter(({ method, path }) => `${method} ${path}`.includes(part)).length;

describe('reading a live cluster', () => {
  it('asks nothing of a cluster before the first read, and names its version after it', async () => {
    const { api, cluster } = await both([pod('web-1')]);
    expect(api.requests).toHaveLength(0);
    expect(cluster.status()).toEqual({ state: 'unread' });
    await cluster.list(pods);
    await soon(() => cluster.status()).toMatchObject({ state: 'ready', version: 'v1.36.2' });
  });

  it('lists in pages of 500 and answers from memory afterwards', async () => {
    const { api, cluster } = await both(Array.from({ length: 1203 }, (_, at) => pod(`web-${at}`)));
    const listing = await cluster.list(pods);
    expect(listing).toMatchObject({ state: 'read', gaps: [] });
    expect(new Set(namesOf(listing)).size).toBe(1203);
    expect(asked(api, 'GET /api/v1/pods?limit=500')).toBe(3);
    const again = await cluster.list(pods);
    expect(again.revision).toBe(listing.revision);
    expect(again.items).toBe(listing.items);
    expect(asked(api, 'limit=500')).toBe(3);
  });

  it('shows what was added, changed and removed, and tells who watches which kind it was', async () => {
    const { api, cluster } = await both([pod('web-1'), pod('web-2')]);
    const told: (string | undefined)[] = [];
    cluster.watch(({ resource }) => void told.push(resource?.plural));
    const before = await cluster.list(pods);
    await soon(() => asked(api, 'watch=1')).toBe(1);
    await soon(() => told).toContain('pods');
    told.length = 0;
    await api.world.put(pod('web-3'));
    await api.world.put(pod('web-1', 'shop', { status: { phase: 'Failed' } }));
    const kind = api.world.kinds().find(({ plural, group }) => plural === 'pods' && group === '');
    if (kind === undefined) throw new Error('no pods');
    await api.world.write.remove(kind, 'web-2', 'shop');
    const after = await listUntil(cluster, pods, (listing) => namesOf(listing).join() === 'web-1,web-3');
    expect(after.items.find(({ metadata }) => metadata.name === 'web-1')?.status.phase).toBe('Failed');
    expect(after.revision).not.toBe(before.revision);
    await soon(() => told).toContain('pods');
    // Three changes within 200 ms are at most two notices.
    expect(told.filter((plural) => plural === 'pods').length).toBeLessThanOrEqual(2);
  });

  it('answers one namespace from what it follows of all', async () => {
    const { api, cluster } = await both([pod('web-1'), pod('api-1', 'other')]);
    await cluster.list(pods);
    expect(namesOf(await cluster.list(pods, { namespace: 'other' }))).toEqual(['api-1']);
    expect(asked(api, '/namespaces/other/')).toBe(0);
  });

  it('lists anew when the server has forgotten its revision', async () => {
    const { api, cluster } = await both([pod('web-1')]);
    await cluster.list(pods);
    await soon(() => asked(api, 'watch=1')).toBe(1);
    api.faults.add({ kind: 'expired', path: 'watch=1', times: 1 });
    api.faults.cutStreams();
    await soon(() => asked(api, 'limit=500')).toBe(2);
    await api.world.put(pod('web-2'));
    await listUntil(cluster, pods, (listing) => listing.state === 'read' && listing.items.length === 2);
  });

  it('goes on from the last revision, without a list, when only the connection was cut', async () => {
    const { api, cluster } = await both([pod('web-1')]);
    await cluster.list(pods);
    await soon(() => asked(api, 'watch=1')).toBe(1);
    api.faults.cutStreams();
    await soon(() => asked(api, 'watch=1')).toBe(2);
    await api.world.put(pod('web-2'));
    await listUntil(cluster, pods, ({ items }) => items.length === 2);
    expect(asked(api, 'limit=500')).toBe(1);
  });

  it('starts a list over whose continue token has expired', async () => {
    const { api, cluster } = await both(Array.from({ length: 600 }, (_, at) => pod(`web-${at}`)));
    api.faults.add({ kind: 'expired', path: 'continue=', times: 1 });
    expect(await cluster.list(pods)).toMatchObject({ state: 'read', items: { length: 600 } });
  });

  it('waits as long as a server asks to (429 with Retry-After)', async () => {
    const { api, cluster } = await both([pod('web-1')]);
    api.faults.add({ kind: 'throttled', path: 'GET /api/v1/pods', times: 1, retryAfterSeconds: 1 });
    expect(await cluster.list(pods)).toMatchObject({ state: 'read', items: { length: 1 } });
    expect(cluster.status().state).toBe('ready');
  });

  it('keeps what it had through a killed server, says since when, and follows the restarted one', async () => {
    const { api, cluster } = await both([pod('web-1')]);
    await cluster.list(pods);
    await api.stop();
    const stale = await listUntil(cluster, pods, ({ state }) => state === 'partly');
    expect(namesOf(stale)).toEqual(['web-1']);
    expect(stale.gaps).toEqual([
      expect.stringMatching(
        /^127\.0\.0\.1:\d+ has not answered since [\d-]+ [\d:]+ UTC; what is shown is from then\.$/,
      ),
    ]);
    // Before that it broke off what was open.
    await soon(() => cluster.status().detail).toContain('refuses connections');
    expect(cluster.status().state).toBe('unreachable');
    await api.world.put(pod('web-2'));
    await api.start();
    const fresh = await listUntil(cluster, pods, ({ state }) => state === 'read');
    expect(namesOf(fresh)).toEqual(['web-1', 'web-2']);
    expect(cluster.status().state).toBe('ready');
  });

  it('notices a server that is paused without closing anything, and goes on when it is resumed', async () => {
    const { api, cluster } = await both([pod('web-1')], {
      timing: { silence: 200, probe: 300, answer: 1_000 },
    });
    await cluster.list(pods);
    await soon(() => asked(api, 'watch=1')).toBe(1);
    api.faults.pause();
    await listUntil(cluster, pods, ({ state }) => state === 'partly');
    expect(cluster.status().state).toBe('unreachable');
    api.faults.resume();
    await api.world.put(pod('web-2'));
    await listUntil(cluster, pods, ({ state, items }) => state === 'read' && items.length === 2);
  });

  it('says that a cluster does not answer, within the time a page waits', async () => {
    const { api, cluster } = await both([pod('web-1')], { timing: { firstAnswer: 300 } });
    api.faults.add({ kind: 'hang' });
    const listing = await cluster.list(pods);
    expect(listing).toMatchObject({ state: 'unavailable', items: [] });
    expect(listing.gaps.join()).toContain('has not answered within 0.3 s: list pods.');
  });

  it('reads what only explains after the rest, and does not wait for it as long', async () => {
    const { api, cluster } = await both([pod('web-1'), aboutPod('web-1')], {
      timing: { firstExplained: 300 },
    });
    api.faults.add({ kind: 'slow', path: 'GET /api/v1/pods?limit', ms: 1_000 });
    const reads = [cluster.list(events), cluster.list(pods)] as const;
    expect(await reads[0]).toMatchObject({
      state: 'unavailable',
      gaps: [expect.stringMatching(/^The events of .+ are still being read; what they explain is missing/)],
    });
    expect((await reads[1]).state).toBe('read');
    await listUntil(cluster, events, ({ state, items }) => state === 'read' && items.length === 1);
    const lists = api.requests.flatMap(({ path }) => /\/(pods|events)\?limit/.exec(path)?.[1] ?? []);
    expect(lists).toEqual(['pods', 'events']);
  });

  it('says that nothing listens, at once', async () => {
    const { api, cluster } = await both([]);
    await api.stop();
    const listing = await cluster.list(pods);
    expect(listing.state).toBe('unavailable');
    expect(listing.gaps[0]).toMatch(/^127\.0\.0\.1:\d+ refuses connections: /);
    expect(await cluster.get(pods, 'web-1', 'shop')).toMatchObject({ state: 'unread' });
    await api.start();
  });

  it('knows a kind that is not served, and finds it once its definition is installed', async () => {
    const { api, cluster } = await both([]);
    expect(await cluster.list(helmReleases)).toMatchObject({ state: 'not_served', items: [], gaps: [] });
    await api.world.put(definition);
    await api.world.put({
      apiVersion: 'helm.toolkit.fluxcd.io/v2beta2',
      kind: 'HelmRelease',
      metadata: { name: 'shop', namespace: 'shop' },
      spec: {},
    });
    const listing = await listUntil(cluster, helmReleases, ({ state }) => state === 'read');
    expect(namesOf(listing)).toEqual(['shop']);
  });

  it('names what it could not understand and shows the rest', async () => {
    const { cluster } = await both([pod('web-1'), pod('web-2', 'shop', { spec: { containers: 'none' } })]);
    const listing = await cluster.list(pods);
    expect(listing).toMatchObject({
      state: 'partly',
      gaps: ['1 of the pods could not be understood: shop/web-2.'],
    });
    expect(namesOf(listing)).toEqual(['web-1']);
  });

  it('lists metrics anew when asked, at most once in a while', async () => {
    const usage = {
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata: { name: 'web-1', namespace: 'shop' },
      containers: [],
    };
    const { api, cluster } = await both([usage], { timing: { silence: 300 } });
    await cluster.list(podMetrics);
    await cluster.list(podMetrics);
    expect(asked(api, 'metrics.k8s.io/v1beta1/pods?')).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(await cluster.list(podMetrics)).toMatchObject({ state: 'read', items: { length: 1 } });
    expect(asked(api, 'metrics.k8s.io/v1beta1/pods?')).toBe(2);
    expect(asked(api, 'watch=1')).toBe(0);
  });

  it('stops following what nobody looks at, and lists anew when someone does', async () => {
    let ahead = 0;
    const now = (): number => Date.now() + ahead;
    const { api, cluster } = await both([pod('web-1')], { now, timing: { asleep: 1e9 } });
    await cluster.list(pods);
    await soon(() => asked(api, 'watch=1')).toBe(1);
    ahead = 310_000;
    // Thirty looks at the clock.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await api.world.put(pod('web-9'));
    await api.world.put(pod('web-2'));
    expect(await cluster.list(pods)).toMatchObject({ state: 'read', items: { length: 3 } });
    expect(asked(api, 'limit=500')).toBe(2);
  });

  it('opens its connections anew after the machine slept', async () => {
    let ahead = 0;
    const { api, cluster } = await both([pod('web-1')], { now: () => Date.now() + ahead });
    cluster.watch(() => undefined);
    await cluster.list(pods);
    await soon(() => asked(api, 'watch=1')).toBe(1);
    ahead = 3_600_000;
    await soon(() => asked(api, 'watch=1')).toBe(2);
    await api.world.put(pod('web-2'));
    await listUntil(cluster, pods, ({ state, items }) => state === 'read' && items.length === 2);
  });

  it('reads one object in full, and who set its fields, which a list leaves out', async () => {
    const { cluster } = await both([
      {
        ...pod('web-1'),
        metadata: {
          name: 'web-1',
          namespace: 'shop',
          managedFields: [{ manager: 'kubectl' }],
          annotations: { note: 'x' },
        },
      },
    ]);
    const read = await cluster.get(pods, 'web-1', 'shop');
    expect(read).toMatchObject({
      state: 'read',
      object: { kind: 'Pod', metadata: { annotations: { note: 'x' } } },
    });
    expect(read).toMatchObject({ object: { metadata: { managedFields: [{ manager: 'kubectl' }] } } });
    expect(JSON.stringify(await cluster.list(pods))).not.toContain('managedFields');
    expect(await cluster.get(pods, 'web-9', 'shop')).toEqual({
      state: 'missing',
      reason: 'There is no Pod web-9 in shop.',
    });
    expect(await cluster.get(helmReleases, 'shop', 'shop')).toMatchObject({ state: 'missing' });
  });
});

describe('reading with fewer rights', () => {
  const limited = {
    users: [
      {
        name: 'limited',
        token: 'limited-token',
        allow: ({
          namespace,
          plural,
          verb,
        }: {
          namespace: string | undefined;
          plural: string;
          verb: string;
        }) => namespace === 'oak' || namespace === 'pine' || (plural === 'namespaces' && verb === 'list'),
      },
    ],
  };
  const space = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  it('reads the namespaces it may and names each it may not', async () => {
    const { api, cluster } = await both(
      [space('oak'), space('pine'), space('willow'), pod('a', 'oak'), pod('b', 'pine'), pod('c', 'willow')],
      {},
      limited,
    );
    const listing = await cluster.list(pods);
    expect(listing).toMatchObject({ state: 'partly', gaps: ['Forbidden: list pods in willow.'] });
    expect(namesOf(listing)).toEqual(['a', 'b']);
    await api.world.put(pod('d', 'oak'));
    await listUntil(cluster, pods, ({ items }) => items.length === 3);
    expect(await cluster.list(nodes)).toMatchObject({
      state: 'forbidden',
      items: [],
      gaps: ['Forbidden: list nodes.'],
    });
    expect(cluster.status()).toMatchObject({
      state: 'partly',
      detail: 'Forbidden: list pods in all namespaces. So is 1 more kind.',
    });
  });

  it('reads the namespaces the operator names where namespaces may not be listed', async () => {
    const { cluster } = await both(
      [pod('a', 'oak'), pod('c', 'willow')],
      { namespaces: () => ['oak', 'willow'] },
      { users: [{ name: 'limited', token: 'limited-token', allow: ({ namespace }) => namespace === 'oak' }] },
    );
    const listing = await cluster.list(pods);
    expect(listing.state).toBe('partly');
    expect(namesOf(listing)).toEqual(['a']);
    expect(listing.gaps).toEqual([
      'Forbidden: list pods in all namespaces; read one by one: 2 namespaces.',
      'Forbidden: list pods in willow.',
    ]);
  });

  it('says that a kind is forbidden where nothing of it may be read', async () => {
    const { cluster } = await both(
      [pod('a', 'oak')],
      { namespaces: () => ['oak'] },
      { users: [{ name: 'nobody', token: 'nobody-token', allow: () => false }] },
    );
    const listing = await cluster.list(pods);
    expect(listing).toMatchObject({ state: 'forbidden', items: [] });
    expect(listing.gaps).toContain('Forbidden: list pods in oak.');
    expect(await cluster.list(helmReleases)).toMatchObject({ state: 'not_served' });
  });

  it('reads everything again once the right is given', async () => {
    const { api, cluster } = await both(
      [pod('a', 'oak')],
      {},
      { users: [{ name: 'nobody', token: 't', allow: () => false }] },
    );
    expect((await cluster.list(pods)).state).toBe('forbidden');
    api.users.splice(0, 1, { name: 'somebody', token: 't' });
    await listUntil(cluster, pods, ({ state, items }) => state === 'read' && items.length === 1);
    expect(cluster.status().state).toBe('ready');
  });

  it('is one trouble of one kind that the server cannot answer, not of the cluster', async () => {
    const { api, cluster } = await both([pod('a', 'oak')]);
    api.faults.add({ kind: 'error', status: 500, path: 'GET /apis/apps/v1/deployments' });
    expect(await cluster.list(deployments)).toMatchObject({ state: 'unavailable' });
    expect(await cluster.list(configMaps)).toMatchObject({ state: 'read' });
    expect(cluster.status().state).toBe('ready');
  });
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'helmreleases.helm.toolkit.fluxcd.io' },
  spec: {
    group: 'helm.toolkit.fluxcd.io',
    names: { kind: 'HelmRelease', plural: 'helmreleases', singular: 'helmrelease' },
    scope: 'Namespaced',
    versions: [
      { name: 'v2beta2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
};
