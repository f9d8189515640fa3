import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import type { SearchGroup, SearchResult } from '../../../../src-shared/api/search.ts';
import { searchRoutes } from '../../../../src-shared/api/search.ts';
import { ItemKind, WorkspaceService } from '../../../../src-shared/gen/platform/v1/workspace_pb.js';
import { objectCluster } from '../../../support/object-cluster.ts';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, type TestConsoleOptions, testConsole } from '../../../support/test-console.ts';
import { deployment, namespace, object, pod, service, waiting } from '../cluster/harness.ts';

const [route] = searchRoutes;
const admin = 'admin@example.com';
const env = { CONSOLE_SESSION_ADMINS: admin };
const broken = waiting('CreateContainerConfigError', 'secret "shop-db" not found');

const estate = () => [
  namespace('shop'),
  namespace('monitoring'),
  deployment({ name: 'grafana', namespace: 'monitoring', replicas: 1, ready: 0 }),
  deployment({ name: 'grafana-agent', namespace: 'shop', replicas: 1 }),
  pod({ name: 'grafana-7f-a', of: 'grafana', namespace: 'monitoring', status: broken }),
  pod({ name: 'grafana-agent-7f-a', of: 'grafana-agent', namespace: 'shop' }),
  pod({ name: 'team-grafana', namespace: 'shop' }),
  pod({ name: 'mygrafana', namespace: 'shop' }),
  service({ name: 'grafana', namespace: 'monitoring' }),
  object('v1', 'ConfigMap', { name: 'grafana-dashboards', namespace: 'monitoring' }),
];

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function searching(cluster: Cluster | undefined, options: TestConsoleOptions = {}, who?: string) {
  const console_: TestConsole = await testConsole(env, { ...options, ...(cluster && { cluster }) });
  closers.push(() => console_.close());
  const cookie = who === undefined ? await console_.cookie() : await console_.cookieOf(who);
  const get = async (query: string) => {
    const { statusCode, body } = await request(`${console_.url}/api/search?${query}`, {
      headers: { cookie },
    });
    return { status: statusCode, body: JSON.parse(await body.text()) };
  };
  return {
    console_,
    cookie,
    get,
    /** The answer once nothing is being read any more. */
    async find(q: string, more = '') {
      for (;;) {
        const { status, body } = await get(`q=${encodeURIComponent(q)}${more}`);
        expect(status, JSON.stringify(body)).toBe(200);
        const answer = route.answer.parse(body);
        if (answer.pending) continue;
        const of = (group: SearchGroup): readonly SearchResult[] =>
          answer.groups.find((found) => found.group === group)?.items ?? [];
        return { ...answer, of, namesOf: (group: SearchGroup) => of(group).map(({ name }) => name) };
      }
    },
  };
}

describe('the search', () => {
  it('finds every kind by name: exact, then prefix, then word, then inside, each with the target and its address (RTE-034)', async () => {
    const { find } = await searching(objectCluster(estate()));
    const { of, namesOf, groups, target, source } = await find('grafana');
    expect({ target, source }).toEqual({ target: 'test', source: 'kubernetes' });
    expect(namesOf('workloads')).toEqual(['grafana', 'grafana-agent']);
    expect(namesOf('pods')).toEqual(['grafana-7f-a', 'grafana-agent-7f-a', 'team-grafana', 'mygrafana']);
    expect(of('objects').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Service grafana',
      'ConfigMap grafana-dashboards',
    ]);
    expect(groups.slice(0, 2).map(({ group }) => group)).toEqual(['workloads', 'objects']);
    expect(of('workloads')[0]).toMatchObject({
      kind: 'Deployment',
      namespace: 'monitoring',
      target: 'test',
      state: 'failing',
      address: '/?tab=namespaces&panel=workloads&kind=Deployment&record=monitoring&target=test&name=grafana',
    });
    expect(of('objects')[0]?.address).toBe('/?tab=services&record=monitoring%2Fgrafana&target=test');
  });

  it('puts what fails first among equals, and before it what is in the namespace the caller is in', async () => {
    const objects = ['a', 'b', 'c'].map((name) =>
      pod({ name: `web-${name}`, namespace: `in-${name}`, ...(name === 'c' && { status: broken }) }),
    );
    const { find } = await searching(objectCluster(objects));
    expect((await find('web')).namesOf('pods')).toEqual(['web-c', 'web-a', 'web-b']);
    expect((await find('web', '&namespace=in-b')).namesOf('pods')).toEqual(['web-b', 'web-c', 'web-a']);
    expect((await find('web')).of('pods')[0]).toMatchObject({
      state: 'failing',
      detail: expect.stringContaining('Secret shop-db does not exist'),
    });
  });

  it('judges what it shows as the pages do', async () => {
    const objects = [
      deployment({ name: 'web', namespace: 'shop', replicas: 2, ready: 1 }),
      pod({ name: 'web-7f-a', of: 'web', namespace: 'shop' }),
      pod({ name: 'web-7f-b', of: 'web', namespace: 'shop', status: broken }),
      namespace('shop'),
    ];
    const { find, console_, cookie } = await searching(objectCluster(objects));
    const page = await request(`${console_.url}/api/namespaces/shop`, { headers: { cookie } });
    const { workloads } = JSON.parse(await page.body.text());
    const [found] = (await find('web')).of('workloads');
    expect({ state: found?.state, reason: found?.detail }).toEqual({
      state: workloads[0].state,
      reason: workloads[0].reason,
    });
  });

  it('finds by parts: the name with its namespace or its kind', async () => {
    const { find } = await searching(objectCluster(estate()));
    expect((await find('shop/team')).namesOf('pods')).toEqual(['team-grafana']);
    expect((await find('service grafana')).namesOf('objects')).toEqual(['grafana']);
  });

  it('bounds each group and counts the rest', async () => {
    const pods = Array.from({ length: 40 }, (_, index) => pod({ name: `web-${index}`, namespace: 'shop' }));
    const { find } = await searching(objectCluster(pods));
    const [found] = (await find('web', '&limit=5')).groups;
    expect([found?.items.length, found?.more]).toEqual([5, 35]);
  });

  it('says what it did not search, and why (RTE-034)', async () => {
    const cluster = objectCluster(estate(), {
      states: {
        pods: { state: 'forbidden', gaps: ['Forbidden: list pods in all namespaces.'] },
        nodes: { state: 'partly', gaps: ['Forbidden: list nodes.'] },
      },
    });
    const { find } = await searching(cluster, {}, 'mira@example.com');
    const { complete, unmeasured, of } = await find('grafana');
    expect(of('pods')).toEqual([]);
    expect(complete).toBe(false);
    expect(unmeasured).toEqual(
      expect.arrayContaining([
        'Forbidden: list pods in all namespaces.',
        'Audit records: only session admins may read them.',
        'Chats: they are in the studio; the window searches yours.',
        expect.stringMatching(/^Apps: this console is attached to no code host/i),
      ]),
    );
  });

  it('names kinds that no page has read, and does not read them for it', async () => {
    const listed: string[] = [];
    const base = objectCluster(estate());
    const cluster: Cluster = {
      ...base,
      isFollowed: ({ kind }) => kind === 'Ingress',
      list: (resource, options) => {
        listed.push(resource.kind);
        return base.list(resource, options);
      },
    };
    const { find } = await searching(cluster);
    const { unmeasured } = await find('grafana');
    const sentence = unmeasured.find((reason) =>
      reason.startsWith('Not searched until a page has read them'),
    );
    expect(sentence).toContain('ConfigMap');
    expect(sentence).not.toContain('Ingress');
    expect(listed).toContain('Ingress');
    expect(listed).not.toContain('Secret');
  });

  it('shows audit records to session admins only, whatever they ask for', async () => {
    const own = await searching(objectCluster(estate()), {}, admin);
    // Signs the person at the desktop window in, which is recorded.
    await own.console_.cookie();
    expect((await own.find('desktop')).of('audit').length).toBeGreaterThan(0);
    const other = await searching(objectCluster(estate()), {}, 'mira@example.com');
    await other.console_.cookie();
    for (const q of ['desktop', 'sign', 'operator', 'success'])
      expect((await other.find(q)).of('audit')).toEqual([]);
  });

  it("shows nobody another person's sessions", async () => {
    const { console_, find } = await searching(objectCluster([]), {}, 'mira@example.com');
    await console_.cookieOf(admin);
    expect((await find('session')).of('sessions').length).toBe(1);
  });

  it('finds saved views, pins and notes: own ones and those that are shared, not those of others (CON-155)', async () => {
    const { console_, find } = await searching(objectCluster([]), {}, 'mira@example.com');
    const keeps = async (email: string) =>
      rpcClient(WorkspaceService, console_.url, { cookie: await console_.cookieOf(email) });
    const view = (title: string, shared: boolean) => ({
      item: { kind: ItemKind.VIEW, title, address: '?tab=runs&state=failure', shared },
    });
    await (await keeps('mira@example.com')).createItem(view('Harbour runs of mine', false));
    const ben = await keeps('ben@example.com');
    await ben.createItem(view('Harbour runs of all', true));
    await ben.createItem(view('Harbour runs of Ben', false));
    await ben.createItem({ item: { kind: ItemKind.NOTE, title: 'Harbour rota', shared: true } });
    const found = (await find('harbour')).of('saved');
    expect(found.map(({ name, detail }) => [name, detail]).sort()).toEqual([
      ['Harbour rota', 'Note, Workspace, shared by ben@example.com'],
      ['Harbour runs of all', 'View, Runs, shared by ben@example.com'],
      ['Harbour runs of mine', 'View, Runs'],
    ]);
    const addresses = found.map(({ address }) => address.replace(/&target=\w+$/, ''));
    expect(addresses.sort()).toEqual([
      '/?tab=runs&state=failure',
      '/?tab=runs&state=failure',
      '/?tab=workspace',
    ]);
  });

  it('finds pages, targets, symptoms and its own sessions without any cluster', async () => {
    const { find } = await searching(undefined);
    expect((await find('node')).of('pages')[0]).toMatchObject({ name: 'Nodes', address: '/?tab=nodes' });
    expect((await find('out of memory')).of('symptoms').length).toBeGreaterThan(0);
    expect((await find('session')).of('sessions').length).toBeGreaterThan(0);
  });

  it('searches a bundle as it searches a cluster, with the target asked for', async () => {
    const { find } = await searching(
      objectCluster(estate(), { source: 'bundle', takenAt: Date.now() - 86_400_000 }),
    );
    const { source, namesOf } = await find('grafana', '&target=test');
    expect(source).toBe('bundle');
    expect(namesOf('pods')[0]).toBe('grafana-7f-a');
  });

  it('sees what changed since it last looked', async () => {
    const cluster = objectCluster(estate());
    const { find } = await searching(cluster);
    expect((await find('newcomer')).of('pods')).toEqual([]);
    cluster.objects.push(pod({ name: 'newcomer', namespace: 'shop' }));
    await expect.poll(async () => (await find('newcomer')).namesOf('pods')).toEqual(['newcomer']);
  });

  it.each([
    ['characters of regular expressions', '.*(+[^a]|\\d{1,9999}$'],
    ['control characters', '\u0007\u001b\u007f'],
    ['half a character', '\ud83d'],
    ['markup', '<script>alert(1)</script>'],
    ['SQL', "' OR 1=1; --"],
    ['spaces', '   '],
    ['a long run of one letter', 'a'.repeat(200)],
  ])('answers a query of %s and finds nothing wrong in it', async (_what, q) => {
    const { get } = await searching(objectCluster(estate()));
    const encoded = q === '\ud83d' ? '%F0%9F' : encodeURIComponent(q);
    const { status, body } = await get(`q=${encoded}`);
    expect(status).toBe(200);
    expect(route.answer.parse(body).groups.flatMap(({ items }) => items)).toEqual([]);
  });

  it('refuses a query of 10,000 characters, a missing one and a bad limit, naming the field', async () => {
    const { get } = await searching(objectCluster(estate()));
    for (const [query, field] of [
      [`q=${'x'.repeat(10_000)}`, 'q'],
      ['', 'q'],
      ['q=a&limit=0', 'limit'],
      ['q=a&limit=1000', 'limit'],
      ['q=a&surprise=1', 'surprise'],
    ] as const) {
      const { status, body } = await get(query);
      expect(status).toBe(400);
      expect(body.error).toContain(`"${field}"`);
    }
  });

  it('says of a target that does not exist that there is none', async () => {
    const { get } = await searching(objectCluster(estate()));
    expect((await get('q=web&target=bundle:nowhere')).status).toBe(404);
  });
});
