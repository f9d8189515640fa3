import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../../../src-main/cluster-model/index.ts';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import { opened } from '../../../../support/opened-bundle.ts';
import { bundleOf, tarBytes, tarGz } from '../../../../support/tar-bytes.ts';
import { zipBytes } from '../../../../support/zip-bytes.ts';

// What every layout of offline bundles is read by: section 1.6 of the notes on bundles, rule by rule.

const pod = (name: string, more: object = {}): object => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, ...more },
  spec: { containers: [{ name: 'web' }] },
  status: { phase: 'Running' },
});
const support = (files: Readonly<Record<string, unknown>>): Buffer =>
  bundleOf(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`sb/cluster-resources/${name}`, content]),
    ),
  );
const names = async (
  bundle: Awaited<ReturnType<typeof opened>>,
  resource: Resource = resources.pods,
): Promise<string[]> => (await bundle.cluster.list(resource)).items.map(({ metadata }) => metadata.name);

describe('(a, b) the forms of a file of objects', () => {
  it('takes a list, a bare array, a single object, and a list whose items are null', async () => {
    const bundle = await opened(
      support({
        'pods/a.json': { kind: 'PodList', apiVersion: 'v1', items: [pod('one', { namespace: 'a' })] },
        'pods/b.json': [pod('two', { namespace: 'b' })],
        'pods/c.json': { kind: 'Pod', apiVersion: 'v1', ...pod('three', { namespace: 'c' }) },
        'pods/d.json': { kind: 'PodList', apiVersion: 'v1', items: null },
      }),
    );
    expect(await names(bundle)).toEqual(['one', 'two', 'three']);
    expect(await bundle.cluster.list(resources.pods, { namespace: 'd' })).toMatchObject({
      state: 'read',
      items: [],
    });
  });

  it('takes a byte order mark, a leading separator, and JSON in a file that is called YAML', async () => {
    const bundle = await opened({
      'mark.json': `\uFEFF${JSON.stringify({ kind: 'Pod', apiVersion: 'v1', ...pod('marked') })}`,
      'separator.yaml':
        '---\napiVersion: v1\nkind: Pod\nmetadata: {name: separated, namespace: shop}\nspec: {}\nstatus: {}\n',
      'json.yaml': JSON.stringify({ kind: 'Pod', apiVersion: 'v1', ...pod('json') }),
      'two.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: first, namespace: shop}\nspec: {}\nstatus: {}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: second, namespace: shop}\nspec: {}\nstatus: {}\n',
    });
    expect(await names(bundle)).toEqual(['first', 'json', 'marked', 'second', 'separated']);
  });

  it('takes the three forms of namespaces.json', async () => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'shop' } };
    for (const content of [{ kind: 'NamespaceList', items: [namespace] }, [namespace], namespace])
      expect(
        await names(await opened(support({ 'namespaces.json': content })), resources.namespaces),
      ).toEqual(['shop']);
  });

  it('cuts a YAML list apart whatever stands in its text blocks', async () => {
    const bundle = await opened({
      'must-gather/namespaces/shop/core/configmaps.yaml': [
        '---',
        'apiVersion: v1',
        'items:',
        '- apiVersion: v1',
        '  data:',
        '    script: |',
        '      - not an item',
        '      ---',
        '      items:',
        '  kind: ConfigMap',
        '  metadata:',
        '    name: first',
        '    namespace: shop',
        '- apiVersion: v1',
        '  kind: ConfigMap',
        '  metadata: {name: second, namespace: shop}',
        'kind: ConfigMapList',
        'metadata:',
        '  resourceVersion: "1"',
        '',
      ].join('\n'),
    });
    const { items } = await bundle.cluster.list(resources.configMaps);
    expect(items.map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ['first', { script: '- not an item\n---\nitems:\n' }],
      ['second', {}],
    ]);
  });
});

describe('(c, d) what an object is, and where', () => {
  it('knows items without a kind by their list, and bare ones by their path', async () => {
    const bundle = await opened(
      support({
        'pods/shop.json': { kind: 'PodList', apiVersion: 'v1', items: [pod('by-list')] },
        'deployments/shop.json': [{ metadata: { name: 'by-path' }, spec: { template: {} } }],
        'custom-resource-definitions.json': { metadata: {}, items: [{ metadata: { name: 'x.example.io' } }] },
      }),
    );
    expect(await names(bundle)).toEqual(['by-list']);
    expect((await bundle.cluster.list(resources.deployments)).items).toMatchObject([
      { metadata: { name: 'by-path', namespace: 'shop' } },
    ]);
    expect(bundle.kinds.map(({ kind }) => kind)).toContain('CustomResourceDefinition');
    expect(await bundle.cluster.get(resources.deployments, 'by-path', 'shop')).toMatchObject({
      object: { apiVersion: 'apps/v1', kind: 'Deployment' },
    });
  });

  it('does not take measures for pods where a list of pods holds them', async () => {
    const bundle = await opened({
      'must-gather/namespaces/shop/core/pods.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- apiVersion: metrics.k8s.io/v1beta1\n  kind: PodMetrics\n  metadata: {name: web, namespace: shop}\n  containers: []\n',
    });
    expect(await names(bundle)).toEqual([]);
    expect((await bundle.cluster.list(resources.podMetrics)).items).toHaveLength(1);
  });

  it('takes objects of groups that were left for what they are now', async () => {
    const bundle = await opened({
      'all.json': {
        kind: 'List',
        items: [
          {
            apiVersion: 'extensions/v1beta1',
            kind: 'Deployment',
            metadata: { name: 'old' },
            spec: { template: {} },
          },
        ],
      },
    });
    expect((await bundle.cluster.list(resources.deployments)).items).toHaveLength(1);
  });

  it('reads the names that troubleshoot has changed', async () => {
    const quota = [{ metadata: { name: 'quota', namespace: 'shop' } }];
    for (const folder of ['resource-quota', 'resource-quotas'])
      expect(
        (
          await (
            await opened(support({ [`${folder}/shop.json`]: quota }))
          ).cluster.list(resources.resourceQuotas)
        ).items,
      ).toHaveLength(1);
    for (const file of ['clusterrolebindings', 'clusterRoleBindings'])
      expect(
        (await opened(support({ [`${file}.json`]: [{ metadata: { name: 'x' } }] }))).kinds,
      ).toMatchObject([{ plural: 'clusterrolebindings', count: 1 }]);
  });
});

describe('(e, f) one object once, and from where', () => {
  it('prefers the list of pods to a pod of its own file, in any order', async () => {
    const inList =
      'apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: web, namespace: shop, uid: u1, labels: {from: list}}\n  spec: {}\n  status: {}\n';
    const own =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, uid: u1, labels: {from: own}}\nspec: {}\nstatus: {}\n';
    const files = [
      ['m/namespaces/shop/core/pods.yaml', inList],
      ['m/namespaces/shop/pods/web/web.yaml', own],
    ] as const;
    for (const order of [files, files.toReversed()]) {
      const bundle = await opened(bundleOf(Object.fromEntries(order)));
      const { items } = await bundle.cluster.list(resources.pods);
      expect(items.map(({ metadata }) => metadata.labels)).toEqual([{ from: 'list' }]);
      expect(bundle.facts.objects).toBe(1);
    }
  });

  it('falls back to the files of pods where the list is empty, and says so', async () => {
    const bundle = await opened(
      bundleOf({
        'm/namespaces/shop/core/pods.yaml': '',
        'm/namespaces/shop/pods/web/web.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec: {}\nstatus: {}\n',
      }),
    );
    const listing = await bundle.cluster.list(resources.pods);
    expect(listing.items).toHaveLength(1);
    expect(listing.gaps).toContainEqual(
      expect.stringContaining('namespaces/shop/core/pods.yaml" was not understood: the file is empty'),
    );
  });

  it('tells the file and the place in it of an object', async () => {
    const text = JSON.stringify({ kind: 'PodList', items: [pod('one'), pod('two')] });
    const bundle = await opened(support({ 'pods/shop.json': text }));
    expect(await bundle.origin({ group: '', plural: 'pods' }, 'two', 'shop')).toEqual({
      file: 'cluster-resources/pods/shop.json',
      offset: text.indexOf('{"metadata":{"name":"two"'),
    });
  });
});

describe('(g) collected, collected and empty, not collected', () => {
  const namespaces = [{ metadata: { name: 'shop' } }, { metadata: { name: 'till' } }];

  it('tells the three apart by kind and namespace', async () => {
    const { cluster } = await opened(
      support({ 'namespaces.json': namespaces, 'pods/shop.json': { kind: 'PodList', items: null } }),
    );
    expect(await cluster.list(resources.pods)).toMatchObject({
      state: 'partly',
      gaps: ['Not collected: pods in till.'],
    });
    expect(await cluster.list(resources.pods, { namespace: 'shop' })).toMatchObject({
      state: 'read',
      items: [],
    });
    expect(await cluster.list(resources.pods, { namespace: 'till' })).toMatchObject({
      state: 'not_collected',
    });
    expect(await cluster.list(resources.services)).toMatchObject({
      state: 'not_collected',
      gaps: ['Not collected: the bundle holds no services.'],
    });
    expect(await cluster.get(resources.pods, 'web', 'shop')).toMatchObject({ state: 'missing' });
    expect(await cluster.get(resources.pods, 'web', 'till')).toMatchObject({ state: 'unread' });
  });

  it('tells the reasons that the collector wrote down', async () => {
    const bundle = await opened(
      bundleOf({
        'sb/cluster-resources/namespaces.json': namespaces,
        'sb/cluster-resources/pods/shop.json': [],
        'sb/cluster-resources/pods-errors.json': { till: 'pods is forbidden' },
        'sb/cluster-resources/nodes-errors.json': ['nodes is forbidden'],
        'sb/execution-data/summary.txt': 'cluster-info (S) : 1ms\nceph/rook (F) : 2ms\n',
        'sb/collector-errors/etcd-error.json': { collector: 'etcd', error: 'no etcd here' },
      }),
    );
    expect((await bundle.cluster.list(resources.pods)).gaps).toEqual([
      'Not collected: pods in till: pods is forbidden.',
    ]);
    expect(await bundle.cluster.list(resources.nodes)).toMatchObject({
      state: 'not_collected',
      gaps: ['Not collected: nodes: nodes is forbidden.'],
    });
    expect(bundle.facts.gaps).toEqual(
      expect.arrayContaining(['The collector ceph/rook failed.', 'The collector etcd failed: no etcd here.']),
    );
  });

  it('knows from discovery what the cluster did not have at all', async () => {
    const { cluster } = await opened(
      support({
        'namespaces.json': namespaces,
        'groups.json': [{ name: '' }, { name: 'apps' }, { name: 'argoproj.io' }],
        'resources.json': [
          { groupVersion: 'v1', resources: [{ name: 'pods', kind: 'Pod', namespaced: true }] },
          {
            groupVersion: 'argoproj.io/v1alpha1',
            resources: [{ name: 'applications', kind: 'Application', namespaced: true }],
          },
        ],
        'custom-resource-definitions.json': {
          items: [
            {
              metadata: { name: 'applications.argoproj.io' },
              spec: {
                group: 'argoproj.io',
                names: { plural: 'applications', kind: 'Application' },
                scope: 'Namespaced',
              },
            },
          ],
        },
        'custom-resources/other.argoproj.io/shop.json': [
          { apiVersion: 'argoproj.io/v1', kind: 'Other', metadata: { name: 'x' } },
        ],
      }),
    );
    expect(await cluster.list(resources.gateways)).toMatchObject({ state: 'not_served', gaps: [] });
    // Custom resources have a file only where there are any.
    expect(await cluster.list(resources.applications)).toMatchObject({ state: 'read', items: [] });
    expect(await cluster.list(resources.pods)).toMatchObject({ state: 'not_collected' });
  });

  it('says of a cluster-info dump that it knows nothing of other kinds and namespaces', async () => {
    const { cluster, facts } = await opened({
      'nodes.json': { kind: 'NodeList', apiVersion: 'v1', items: [{ metadata: { name: 'n1' } }] },
      'kube-system/pods.json': {
        kind: 'PodList',
        apiVersion: 'v1',
        items: [pod('dns', { namespace: 'kube-system' })],
      },
      'kube-system/replication-controllers.json': {
        kind: 'ReplicationControllerList',
        apiVersion: 'v1',
        items: [],
      },
    });
    expect(facts.layout).toBe('cluster-info');
    expect(await cluster.list(resources.pods)).toMatchObject({
      state: 'partly',
      gaps: ['The bundle holds only some namespaces (kube-system): of others it says nothing.'],
      items: [{ metadata: { name: 'dns' } }],
    });
    expect(await cluster.list(resources.nodes)).toMatchObject({ state: 'read' });
    expect(await cluster.list(resources.statefulSets)).toMatchObject({ state: 'not_collected' });
    expect(await cluster.list(resources.pods, { namespace: 'shop' })).toMatchObject({
      state: 'not_collected',
    });
  });

  it('takes from a collector that there is no such Secret', async () => {
    const { cluster } = await opened(
      bundleOf({
        'sb/cluster-resources/nodes.json': [],
        'sb/secrets/shop/token.json': { namespace: 'shop', name: 'token', secretExists: false },
      }),
    );
    expect(await cluster.get(resources.secrets, 'token', 'shop')).toMatchObject({ state: 'missing' });
    expect(await cluster.get(resources.secrets, 'other', 'shop')).toMatchObject({ state: 'unread' });
  });
});

describe('(h) what is not understood is named', () => {
  it('keeps the other objects of a file, and names what is broken', async () => {
    const bundle = await opened(
      support({
        'pods/shop.json': `{"kind":"PodList","items":[${JSON.stringify(pod('one'))},{"metadata":{"name":"two",}},${JSON.stringify(pod('three'))}]}`,
        'services/shop.json': '{"kind":"ServiceList","items":[{"metadata":{"name":"cut"',
      }),
    );
    expect(await names(bundle)).toEqual(['one', 'three']);
    expect(bundle.facts.gaps).toEqual([
      expect.stringMatching(/pods\/shop\.json" was not understood: what begins at byte \d+ is no valid JSON/),
      '"cluster-resources/services/shop.json" was not understood: it ends before its content does.',
    ]);
    expect(await bundle.cluster.list(resources.services)).toMatchObject({ state: 'partly', items: [] });
  });

  it('names an object whose fields are not what the API has', async () => {
    const { cluster } = await opened(
      support({
        'namespaces.json': [{ metadata: { name: 'shop' } }],
        'pods/shop.json': [pod('good'), { ...pod('odd'), spec: { containers: 'none' } }],
      }),
    );
    const listing = await cluster.list(resources.pods);
    expect(listing).toMatchObject({ state: 'partly', items: [{ metadata: { name: 'good' } }] });
    expect(listing.gaps).toEqual([
      expect.stringMatching(/^Not understood: Pod shop\/odd: spec\.containers: /),
    ]);
    expect(await cluster.get(resources.pods, 'odd', 'shop')).toMatchObject({ state: 'read' });
  });

  it('refuses a dump of an old kubectl by name instead of reading it as empty', async () => {
    await expect(
      opened({
        'nodes.json': { selfLink: '/api/v1/nodes', Items: [{ name: 'n1', Spec: {}, Status: {} }] },
        'default/pods.json': { Items: [{ name: 'web', namespace: 'default', Spec: {}, Status: {} }] },
        'default/replication-controllers.json': { Items: null },
      }),
    ).rejects.toThrow(/was written by kubectl 1\.13 or older, in a form that is not read/);
  });

  it('shows what was redacted as redacted, also where YAML takes it for an alias', async () => {
    const { cluster } = await opened({
      'service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  clusterIP: ***HIDDEN***\n  selector:\n    tcp***HIDDEN***: a\n    tcp***HIDDEN***: b\n',
      'config.json': {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', namespace: 'shop' },
        data: { password: '***HIDDEN***' },
      },
    });
    expect((await cluster.list(resources.services)).items).toMatchObject([{ spec: { clusterIP: 'HIDDEN' } }]);
    expect((await cluster.list(resources.configMaps)).items).toMatchObject([
      { data: { password: '***HIDDEN***' } },
    ]);
  });
});

describe('(i) when it was taken', () => {
  const node = (at: string): object => ({
    metadata: { name: 'n1', creationTimestamp: '2026-01-01T00:00:00Z' },
    status: {
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: at }],
      nodeInfo: { kubeletVersion: 'v1.34.1' },
    },
  });

  it('is the newest sign of life of the cluster, and says which', async () => {
    const { facts, cluster } = await opened(
      support({
        'nodes.json': [node('2026-05-01T10:00:00Z')],
        'events/shop.json': [
          { metadata: { name: 'e1' }, involvedObject: {}, lastTimestamp: '2026-05-01T10:00:30Z' },
        ],
        'leases/shop.json': [
          { metadata: { name: 'l1' }, spec: { renewTime: '2026-05-01T10:00:20.123456Z' } },
        ],
      }),
    );
    expect(facts).toMatchObject({
      taken_at: '2026-05-01T10:00:30.000Z',
      taken_by: 'newest event',
      version: 'v1.34.1',
    });
    expect(cluster.takenAt).toBe(Date.parse('2026-05-01T10:00:30Z'));
    expect((await cluster.list(resources.pods)).readAt).toBe(cluster.takenAt);
  });

  it('is the name of the folder, then the time of the file, only when the cluster tells nothing', async () => {
    const config = { 'cluster-resources/configmaps/shop.json': [{ metadata: { name: 'c' } }] };
    const named = Object.fromEntries(
      Object.entries(config).map(([name, content]) => [
        `support-bundle-2026-07-28T06_54_18/${name}`,
        content,
      ]),
    );
    expect((await opened(bundleOf(named))).facts).toMatchObject({
      taken_at: '2026-07-28T06:54:18.000Z',
      taken_by: 'name of its folder, whose time zone is unknown',
    });
    expect((await opened(bundleOf(config))).facts).toMatchObject({
      taken_at: '2023-11-14T22:13:20.000Z',
      taken_by: 'time of the file',
    });
  });
});

describe('where a bundle begins', () => {
  const files = { 'cluster-resources/pods/shop.json': [pod('web')] };
  const at = (folder: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}${name}`, content]));

  it('is the folder nearest to the top that looks like one, with or without version.yaml', async () => {
    for (const folder of ['', 'supportbundle/', 'a/b/c/']) {
      const bundle = await opened(bundleOf({ [`${folder}analysis.json`]: [], ...at(folder) }));
      expect(bundle.facts.layout).toBe('support-bundle');
      expect(await names(bundle)).toEqual(['web']);
    }
  });

  it('is found in a .zip, a plain .tar and a folder as in a .tar.gz, whatever the file is called', async () => {
    const entries = Object.entries(at('sb/')).map(([name, content]) => ({
      name,
      content: JSON.stringify(content),
    }));
    for (const bundle of [zipBytes(entries), tarBytes(entries), at('sb/')]) {
      const { facts, cluster } = await opened(bundle, { name: 'upload.bin' });
      expect(facts).toMatchObject({ layout: 'support-bundle', files: 1, objects: 1 });
      expect((await cluster.list(resources.pods)).state).toBe('partly');
    }
  });

  it('is known at the end where no file before says what it is, however many there are', async () => {
    for (const count of [2, 100]) {
      const entries = Array.from({ length: count }, (_, i) => ({
        name: `out/${i}.json`,
        content: JSON.stringify({ kind: 'Pod', apiVersion: 'v1', ...pod(`p${i}`) }),
      }));
      for (const bundle of [tarBytes(entries), tarGz(entries), zipBytes(entries)]) {
        const { facts } = await opened(bundle);
        expect(facts).toMatchObject({ layout: 'objects', files: count, objects: count });
      }
      // The last file changes what all others are.
      const dump = { name: 'sb/cluster-resources/pods/shop.json', content: JSON.stringify([pod('late')]) };
      expect((await opened(tarGz([...entries, dump]))).facts).toMatchObject({
        layout: 'support-bundle',
        objects: 1,
      });
    }
  });

  it('is every image of a must-gather', async () => {
    const bundle = await opened(
      bundleOf({
        'must-gather.local.1/image-a/namespaces/a/core/pods.yaml':
          'kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: a, namespace: a}\n  spec: {}\n  status: {}\n',
        'must-gather.local.1/image-b/namespaces/b/core/pods.yaml':
          'kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: b, namespace: b}\n  spec: {}\n  status: {}\n',
      }),
    );
    expect(bundle.facts.layout).toBe('must-gather');
    expect(await names(bundle)).toEqual(['a', 'b']);
  });

  it('is looked for again where a later file says so, and no pod is told of twice', async () => {
    const told: string[] = [];
    const failed = { metadata: { name: 'a', namespace: 'a' }, spec: {}, status: { phase: 'Failed' } };
    const bundle = await opened(
      bundleOf({
        'gathered/image-a/namespaces/a/core/pods.yaml': {
          kind: 'PodList',
          apiVersion: 'v1',
          items: [failed],
        },
        'gathered/image-b/namespaces/b/core/pods.yaml': {
          kind: 'PodList',
          apiVersion: 'v1',
          items: [pod('b')],
        },
      }),
      { onPod: ({ metadata }) => told.push(metadata.name) },
    );
    expect(bundle.facts.objects).toBe(2);
    expect(told).toEqual(['a']);
  });
});
