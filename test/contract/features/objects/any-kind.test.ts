import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../../../../src-main/kube-api/index.ts';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import { type RouteId, type RouteOf, routeTable } from '../../../../src-shared/api/index.ts';
import type { JsonAnswer } from '../../../../src-shared/api/route.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../../support/kube-api.ts';
import { liveCluster } from '../../../support/live-cluster.ts';
import { opened } from '../../../support/opened-bundle.ts';
import { testConsole } from '../../../support/test-console.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Read = Extract<RouteId, `objects.${string}`> | 'cluster.object';

/** A console that reads this cluster: `read` answers a route as its contract says, `get` whatever comes. */
async function consoleOf(cluster: Cluster) {
  const console_ = await testConsole({}, { cluster });
  closers.push(() => console_.close());
  const cookie = await console_.cookie();
  const get = async (path: string) => {
    const { statusCode, body } = await request(`${console_.url}${path}`, { headers: { cookie } });
    return { status: statusCode, text: await body.text() };
  };
  return {
    get,
    async read<Id extends Read>(id: Id, path: string) {
      const route = routeTable.find((candidate) => candidate.id === id);
      if (route === undefined || typeof route.answer === 'string') throw new Error(`${id} answers no JSON`);
      const { status, text } = await get(path);
      if (status !== 200) throw new Error(`${id} answered ${status}: ${text}`);
      // Parsed with that route's own shape just here; the lookup by id cannot carry the pairing.
      return route.answer.parse(JSON.parse(text)) as JsonAnswer<RouteOf<Id>>;
    },
  };
}

async function live(objects: readonly KubeObject[], options: TestClusterOptions = {}) {
  const server: TestCluster = await startTestCluster([...objects], options);
  closers.push(() => server.close());
  const cluster = await liveCluster(server.kubeconfig);
  closers.push(() => cluster.close());
  return { server, ...(await consoleOf(cluster)) };
}

/** The same objects as kubectl get -o json wrote them. */
async function bundled(objects: readonly KubeObject[]) {
  const { cluster } = await opened({
    'cluster.json': { apiVersion: 'v1', kind: 'List', items: objects },
  });
  return consoleOf(cluster);
}

const created = '2026-11-01T10:00:00Z';
const anvil = (name: string, weight: number, ready = 'True', more: object = {}): KubeObject => ({
  apiVersion: 'forge.example/v1',
  kind: 'Anvil',
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: created, ...more },
  spec: { weight },
  status: { conditions: [{ type: 'Ready', status: ready, reason: 'Cast', message: 'As it should be.' }] },
});
const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'anvils.forge.example', uid: 'uid-crd', creationTimestamp: created },
  spec: {
    group: 'forge.example',
    scope: 'Namespaced',
    names: { plural: 'anvils', singular: 'anvil', kind: 'Anvil', shortNames: ['av'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        additionalPrinterColumns: [
          { name: 'Weight', type: 'integer', jsonPath: '.spec.weight' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Reason', type: 'string', jsonPath: '.status.conditions[0].reason', priority: 1 },
        ],
      },
    ],
  },
};
const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'keys',
    namespace: 'shop',
    uid: 'uid-keys',
    creationTimestamp: created,
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"key":"aHVudGVyMg=="}}' },
  },
  type: 'Opaque',
  data: { key: 'aHVudGVyMg==' },
};
const owned = (name: string, owner: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    creationTimestamp: created,
    ownerReferences: [
      { apiVersion: 'forge.example/v1', kind: 'Anvil', name: owner, uid: `uid-${owner}`, controller: true },
    ],
  },
  data: { a: '1', b: '2' },
});
const event: KubeObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'big.1', namespace: 'shop', uid: 'uid-event', creationTimestamp: created },
  involvedObject: {
    apiVersion: 'forge.example/v1',
    kind: 'Anvil',
    name: 'big',
    namespace: 'shop',
    uid: 'uid-big',
  },
  reason: 'Cast',
  message: 'The anvil was cast.',
  type: 'Normal',
  lastTimestamp: created,
};
const world = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', uid: 'uid-shop', creationTimestamp: created },
  },
  definition,
  anvil('big', 90),
  anvil('small', 3, 'False', { labels: { size: 'small' } }),
  secret,
  owned('big-settings', 'big'),
  event,
] satisfies KubeObject[];

const sources = [
  { name: 'a live cluster', open: (objects: readonly KubeObject[]) => live(objects) },
  { name: 'a bundle', open: bundled },
] as const;

describe.each(sources)('any kind of $name', ({ open }) => {
  it('is among the kinds, a custom one too, with how many objects there are', async () => {
    const { read } = await open(world);
    const { items } = await read('objects.kinds', '/api/object-kinds');
    const { group, plural, kind, namespaced } = items.find((each) => each.kind === 'Anvil') ?? {};
    expect({ group, plural, kind, namespaced }).toEqual({
      group: 'forge.example',
      plural: 'anvils',
      kind: 'Anvil',
      namespaced: true,
    });
    const counts = await read('objects.counts', '/api/object-counts');
    expect(counts.items).toContainEqual({ group: 'forge.example', plural: 'anvils', count: 2 });
    expect(counts.items).toContainEqual({ group: '', plural: 'secrets', count: 1 });
  });

  it('is listed with the columns of its definition', async () => {
    const { read } = await open(world);
    const list = await read('objects.list', '/api/objects?group=forge.example&plural=anvils');
    expect(list.columns).toEqual([
      { name: 'Name', type: 'string', wide: false },
      { name: 'Weight', type: 'integer', wide: false },
      { name: 'Ready', type: 'string', wide: false },
      { name: 'Reason', type: 'string', wide: true },
    ]);
    expect(list.items.map(({ name, namespace, cells }) => ({ name, namespace, cells }))).toEqual([
      { name: 'big', namespace: 'shop', cells: ['big', 90, 'True', 'Cast'] },
      { name: 'small', namespace: 'shop', cells: ['small', 3, 'False', 'Cast'] },
    ]);
  });

  it('is narrowed to a namespace and by a label selector', async () => {
    const { read, get } = await open(world);
    const path = '/api/objects?group=forge.example&plural=anvils';
    const names = async (query: string) =>
      (await read('objects.list', `${path}${query}`)).items.map(({ name }) => name);
    expect(await names('&namespace=shop&selector=size%3Dsmall')).toEqual(['small']);
    expect(await names('&selector=!size')).toEqual(['big']);
    expect(await names('&namespace=other')).toEqual([]);
    expect((await get(`${path}&selector=a%3Db%3Dc`)).status).toBe(400);
  });

  it('comes page by page, each object once, in the same order', async () => {
    const many = Array.from({ length: 230 }, (_, index) =>
      anvil(`anvil-${String(index).padStart(3, '0')}`, index),
    );
    const { read } = await open([...world, ...many]);
    const names: string[] = [];
    let from: string | undefined;
    let pages = 0;
    do {
      const page = await read(
        'objects.list',
        `/api/objects?group=forge.example&plural=anvils&limit=100${from === undefined ? '' : `&continue=${encodeURIComponent(from)}`}`,
      );
      names.push(...page.items.map(({ name }) => name));
      from = page.continue;
      pages += 1;
    } while (from !== undefined);
    expect(pages).toBe(3);
    expect(names).toEqual([...many.map(({ metadata }) => metadata.name), 'big', 'small']);
  });

  it('is shown with its owners, what it owns, its conditions and events', async () => {
    const { read } = await open(world);
    const view = await read('objects.view', '/api/objects/Anvil/big/view?group=forge.example&namespace=shop');
    expect(view.object).toMatchObject({ kind: 'Anvil', name: 'big', uid: 'uid-big', version: 'v1' });
    expect(view.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: 'Cast' }]);
    expect(view.owned).toMatchObject([{ kind: 'ConfigMap', name: 'big-settings', relation: 'controls' }]);
    expect(view.events).toMatchObject([{ reason: 'Cast', message: 'The anvil was cast.' }]);
    const below = await read('objects.view', '/api/objects/ConfigMap/big-settings/view?namespace=shop');
    expect(below.owners).toMatchObject([
      { kind: 'Anvil', name: 'big', relation: 'controlled by', found: true },
    ]);
  });

  it('is YAML, although no page reads it', async () => {
    const { read } = await open(world);
    const { yaml } = await read(
      'cluster.object',
      '/api/objects/Anvil/big?group=forge.example&namespace=shop',
    );
    expect(yaml).toContain('weight: 90');
  });

  it('never shows the value of a Secret: neither in a list, nor its view, nor its YAML', async () => {
    const { get } = await open(world);
    for (const path of [
      '/api/objects?plural=secrets',
      '/api/objects/Secret/keys/view?namespace=shop',
      '/api/objects/Secret/keys?namespace=shop',
    ]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain('aHVudGVyMg');
      expect(text).not.toContain('hunter2');
    }
  });

  it('that nobody defined is 404', async () => {
    const { get } = await open(world);
    expect((await get('/api/objects?group=forge.example&plural=hammers')).status).toBe(404);
    expect((await get('/api/objects/Hammer/one/view?namespace=shop')).status).toBe(404);
  });
});

it('an object that a live cluster does not have is 404; a bundle that may hold only some says so', async () => {
  const path = '/api/objects/Anvil/none/view?group=forge.example&namespace=shop';
  expect((await (await live(world)).get(path)).status).toBe(404);
  const { source, unmeasured } = await (await bundled(world)).read('objects.view', path);
  expect(source).toBe('unavailable');
  expect(unmeasured.join()).toContain('The bundle does not hold Anvil shop/none.');
});

describe('a list of a live cluster', () => {
  it('says what may not be read, instead of showing none', async () => {
    const { read, server } = await live(world);
    const [user] = server.users;
    server.users.splice(0, 1, {
      name: 'viewer',
      ...(user?.token === undefined ? {} : { token: user.token }),
      allow: ({ plural }) => plural !== 'secrets',
    });
    const list = await read('objects.list', '/api/objects?plural=secrets');
    expect(list).toMatchObject({ items: [], complete: false, unmeasured: ['Forbidden: list secrets.'] });
  });

  it('goes on when the server has forgotten its first page, and says so', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      anvil(`anvil-${String(index).padStart(2, '0')}`, index),
    );
    const { read, server } = await live([...world, ...many]);
    const path = '/api/objects?group=forge.example&plural=anvils&limit=20';
    const first = await read('objects.list', path);
    server.compact();
    const second = await read('objects.list', `${path}&continue=${encodeURIComponent(first.continue ?? '')}`);
    expect([...first.items, ...second.items]).toHaveLength(32);
    expect(second.complete).toBe(false);
    expect(second.unmeasured.join()).toContain('Objects changed while they were listed');
  });
});

it.each(sources)('a search finds any object of $name by its name, and opens it', async ({ open }) => {
  const { get } = await open(world);
  const found = z.object({
    groups: z.array(
      z.object({
        items: z.array(z.object({ name: z.string(), kind: z.string().optional(), address: z.string() })),
      }),
    ),
  });
  await expect
    .poll(
      async () =>
        found
          .parse(JSON.parse((await get('/api/search?q=small')).text))
          .groups.flatMap(({ items }) => items)
          .find(({ kind }) => kind === 'Anvil')?.address,
      { timeout: 5_000 },
    )
    .toMatch(/tab=objects&kind=anvils\.forge\.example&record=shop%2Fsmall/);
});
