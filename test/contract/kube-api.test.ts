import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type KubeObject, memoryWorld, startKubeApi } from '../../src-main/kube-api/index.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../support/kube-api.ts';
import { noRecordings, openapiChecker, recorded } from '../support/kube-api-schemas.ts';

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

type Asked = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown };

async function start(objects: readonly KubeObject[], options?: TestClusterOptions): Promise<TestCluster> {
  cluster = await startTestCluster(objects, options);
  return cluster;
}

async function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const response = await fetch(`${cluster?.url}${path}`, {
    method,
    headers: { authorization: 'Bearer test-token', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => objectOf(text) };
}

const loose = z.looseObject({});
const objectOf = (text: string) => loose.parse(JSON.parse(text));

const namespace = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
const config = (name: string, data: Record<string, string> = { x: '1' }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'rec', labels: { app: name } },
  data,
});
const pod = (
  name: string,
  fields: { labels?: Record<string, string>; node?: string; phase?: string } = {},
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'rec', labels: fields.labels ?? {} },
  spec: {
    ...(fields.node === undefined ? {} : { nodeName: fields.node }),
    containers: [{ name: 'c', image: 'x' }],
  },
  status: { phase: fields.phase ?? 'Running' },
});

const itemNames = (text: string): string[] =>
  z
    .object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) })
    .parse(JSON.parse(text))
    .items.map(({ metadata }) => metadata.name);
const pageOf = (text: string) =>
  z
    .object({
      metadata: z.object({
        resourceVersion: z.string(),
        continue: z.string().optional(),
        remainingItemCount: z.number().optional(),
      }),
    })
    .parse(JSON.parse(text)).metadata;

describe.skipIf(noRecordings !== undefined)('answers as a real API server gave them', () => {
  const pods = (): KubeObject[] => {
    const list = z
      .object({ items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })) })
      .parse(JSON.parse(recorded('09-list-pods').body));
    return list.items.map((item) => ({ ...item, apiVersion: 'v1', kind: 'Pod' }));
  };

  it('prints every recorded pod as the real server printed it', async () => {
    await start(pods(), { now: () => Date.parse('2026-11-21T03:04:49Z') });
    const { request, body } = recorded('30-table-pods');
    const answer = await ask(request.path, { headers: request.headers });
    const table = z.object({
      kind: z.literal('Table'),
      columnDefinitions: z.array(
        z.object({ name: z.string(), type: z.string(), format: z.string(), priority: z.number() }),
      ),
      rows: z.array(z.object({ cells: z.array(z.unknown()), object: z.looseObject({ kind: z.string() }) })),
    });
    const ours = table.parse(JSON.parse(answer.text));
    const theirs = table.parse(JSON.parse(body));
    expect(ours.columnDefinitions).toEqual(theirs.columnDefinitions);
    expect(ours.rows.map(({ cells }) => cells)).toEqual(theirs.rows.map(({ cells }) => cells));
    expect(ours.rows.map(({ object }) => object.kind)).toEqual(theirs.rows.map(({ object }) => object.kind));
  });

  it('lists the same pods in the same shape, item kinds left out', async () => {
    await start(pods());
    const { body } = recorded('09-list-pods');
    const answer = await ask('/api/v1/pods');
    const bare = (text: string): unknown =>
      JSON.parse(text, (key, value: unknown) => (key === 'resourceVersion' ? 'some' : value));
    expect(bare(answer.text)).toEqual(bare(body));
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.text.endsWith('\n')).toBe(true);
  });

  it('gives metadata alone when it is asked to', async () => {
    await start(pods());
    const { request, body } = recorded('31-metadata-only');
    const answer = await ask(request.path, { headers: request.headers });
    const shape = z.object({ kind: z.string(), apiVersion: z.string(), items: z.array(loose) });
    const ours = shape.parse(JSON.parse(answer.text));
    const theirs = shape.parse(JSON.parse(body));
    expect(ours).toMatchObject({ kind: theirs.kind, apiVersion: theirs.apiVersion });
    expect(Object.keys(ours.items[0] ?? {})).toEqual(Object.keys(theirs.items[0] ?? {}));
    expect(ours.items).toHaveLength(theirs.items.length);
  });

  const resourceListSchema = z.object({
    resources: z.array(
      z.object({
        name: z.string(),
        singularName: z.string(),
        namespaced: z.boolean(),
        kind: z.string(),
        verbs: z.array(z.string()),
        shortNames: z.array(z.string()).optional(),
        categories: z.array(z.string()).optional(),
      }),
    ),
  });
  it.each(['04-disc-api-v1', '05-disc-apis-apps-v1'])('discovers kinds as in %s', async (name) => {
    await start([], { kinds: [] });
    const { request, body } = recorded(name);
    const ours = resourceListSchema.parse((await ask(request.path)).json()).resources;
    const theirs = new Map(
      resourceListSchema.parse(JSON.parse(body)).resources.map((each) => [each.name, each]),
    );
    expect(ours.length).toBeGreaterThan(5);
    for (const each of ours) {
      const real = theirs.get(each.name);
      // Namespaces cannot be deleted together; we let all kinds be.
      const verbs =
        each.name === 'namespaces' || each.name === 'services' ? real?.verbs : each.verbs.toSorted();
      expect({ ...each, verbs }).toEqual({ ...real, verbs: real?.verbs.toSorted() });
    }
  });

  it('names every group and kind in one answer, as the aggregated discovery has them', async () => {
    await start([]);
    const { request, headers, body } = recorded('07-disc-discovery-aggregated');
    const answer = await ask(request.path, { headers: request.headers });
    expect(answer.headers.get('content-type')).toBe(headers['content-type']);
    const list = z.object({
      items: z.array(
        z.object({
          metadata: z.object({ name: z.string() }),
          versions: z.array(
            z.object({
              version: z.string(),
              freshness: z.string(),
              resources: z.array(
                z.object({ resource: z.string(), scope: z.string(), singularResource: z.string() }),
              ),
            }),
          ),
        }),
      ),
    });
    const theirs = list.parse(JSON.parse(body)).items;
    for (const { metadata, versions } of list.parse(answer.json()).items) {
      const real = theirs.find((each) => each.metadata.name === metadata.name);
      expect(real?.versions.map(({ version }) => version)).toEqual(
        expect.arrayContaining(versions.map(({ version }) => version)),
      );
      const kinds = real?.versions.flatMap(({ resources }) => resources.map((each) => JSON.stringify(each)));
      for (const { resources } of versions)
        for (const each of resources) expect(kinds).toContain(JSON.stringify(each));
    }
  });

  it.each([
    '29-page-bad-continue-400',
    '33-create-409-exists',
    '34-put-409-conflict',
    '35-create-422',
    '37-get-404',
    '38-get-404-kind',
  ])('refuses as in %s', async (name) => {
    const { request, status, headers, body } = recorded(name);
    await start([namespace('rec'), config('a'), namespace('b')]);
    const answer = await ask(request.path, {
      method: request.method,
      headers: { 'content-type': 'application/json' },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe(headers['content-type']);
    if (name.startsWith('38')) expect(answer.text).toBe(body);
    // The words of a continue token that cannot be read are those of Go's JSON decoder.
    else if (name.startsWith('29'))
      expect({ ...answer.json(), message: '' }).toEqual({ ...objectOf(body), message: '' });
    else expect(answer.json()).toEqual(objectOf(body));
  });

  it('answers 401 and 403 as a real server, the latter naming user, verb and place', async () => {
    await start([], { users: [{ name: 'console-nobody', token: 'nobody', allow: () => false }] });
    const unknown = await ask('/api/v1/pods', { headers: { authorization: 'Bearer stale' } });
    expect(unknown.status).toBe(401);
    expect(unknown.json()).toEqual(objectOf(recorded('40-get-401').body));
    const denied = await ask('/api/v1/pods', { headers: { authorization: 'Bearer nobody' } });
    expect(denied.status).toBe(403);
    expect(denied.json()).toEqual(objectOf(recorded('39-get-403').body));
  });

  it('gives objects and lists that the real OpenAPI allows', async () => {
    const check = openapiChecker();
    const { items: deployments } = z
      .object({ items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })) })
      .parse(JSON.parse(recorded('13-list-deployments').body));
    await start([
      namespace('rec'),
      config('a'),
      ...pods(),
      ...deployments.map((item): KubeObject => ({ ...item, apiVersion: 'apps/v1', kind: 'Deployment' })),
    ]);
    for (const path of ['/api/v1/namespaces', '/api/v1/configmaps', '/apis/apps/v1/deployments'])
      expect({ path, wrong: check((await ask(path)).json()) }).toEqual({ path, wrong: [] });
    // The real server breaks its own description: it writes a time that is not set as null.
    const nulls = check(objectOf(recorded('09-list-pods').body));
    expect(nulls?.every((line) => line.endsWith('lastProbeTime must be string'))).toBe(true);
    expect(check((await ask('/api/v1/pods')).json())).toEqual(nulls);
    expect(check((await ask('/api/v1/namespaces/rec/pods/nope')).json())).toEqual([]);
    expect(check(Object.assign(pod('p'), { spec: { containers: 5 } }))).not.toEqual([]);
  });
});

describe('lists', () => {
  it('pages through one moment, whatever changes meanwhile', async () => {
    const { world } = await start([
      namespace('rec'),
      ...['a', 'b', 'c', 'd', 'e'].map((name) => config(name)),
    ]);
    const first = await ask('/api/v1/namespaces/rec/configmaps?limit=2');
    expect(itemNames(first.text)).toEqual(['a', 'b']);
    expect(pageOf(first.text).remainingItemCount).toBe(3);
    await world.put(config('bb'));
    const next = pageOf(first.text).continue ?? '';
    const second = await ask(`/api/v1/namespaces/rec/configmaps?limit=5&continue=${next}`);
    expect(itemNames(second.text)).toEqual(['c', 'd', 'e']);
    expect(pageOf(second.text).continue).toBeUndefined();
    expect(pageOf(second.text).resourceVersion).toBe(pageOf(first.text).resourceVersion);
  });

  it('answers 410 for a page that is too old, with a token that goes on in what is there now', async () => {
    const { world } = await start([namespace('rec'), ...['a', 'b', 'c'].map((name) => config(name))]);
    const first = await ask('/api/v1/namespaces/rec/configmaps?limit=1');
    cluster?.compact();
    await world.put(config('bb'));
    const gone = await ask(
      `/api/v1/namespaces/rec/configmaps?limit=5&continue=${pageOf(first.text).continue}`,
    );
    expect(gone.status).toBe(410);
    expect(gone.json()).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
    const { metadata } = z.object({ metadata: z.object({ continue: z.string() }) }).parse(gone.json());
    const rest = await ask(`/api/v1/namespaces/rec/configmaps?limit=5&continue=${metadata.continue}`);
    expect(itemNames(rest.text)).toEqual(['b', 'bb', 'c']);
  });

  it.each([
    ['labelSelector=app=a', ['a']],
    ['labelSelector=app!=a', ['b', 'c']],
    ['labelSelector=app in (a, b)', ['a', 'b']],
    ['labelSelector=app notin (a)', ['b', 'c']],
    ['labelSelector=tier', ['c']],
    ['labelSelector=!tier', ['a', 'b']],
    ['labelSelector=app=c,tier=x', ['c']],
    ['fieldSelector=metadata.name=b', ['b']],
    ['fieldSelector=spec.nodeName=n1,status.phase!=Failed', ['a']],
    ['fieldSelector=status.phase=Failed', ['b']],
  ])('selects by %s', async (query, names) => {
    await start([
      pod('a', { labels: { app: 'a' }, node: 'n1' }),
      pod('b', { labels: { app: 'b' }, node: 'n1', phase: 'Failed' }),
      pod('c', { labels: { app: 'c', tier: 'x' } }),
    ]);
    const [name = '', ...rest] = query.split('=');
    const answer = await ask(`/api/v1/pods?${new URLSearchParams({ [name]: rest.join('=') })}`);
    expect(itemNames(answer.text)).toEqual(names);
  });

  it('refuses a selector and a limit that cannot be read', async () => {
    await start([]);
    for (const query of [
      'labelSelector=a%20b',
      'fieldSelector=spec.color%3Dred',
      'limit=few',
      'resourceVersion=x',
    ])
      expect((await ask(`/api/v1/pods?${query}`)).json()).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('says that a revision of the future is not there yet', async () => {
    await start([]);
    const answer = await ask('/api/v1/pods?resourceVersion=999999');
    expect(answer.status).toBe(504);
    expect(answer.json()).toMatchObject({ reason: 'Timeout' });
  });
});

describe('writes', () => {
  const merge = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
  const path = '/api/v1/namespaces/rec/configmaps/a';

  it('merges, and refuses a patch of an older revision', async () => {
    await start([namespace('rec'), config('a', { x: '1', y: '2' })]);
    const changed = await ask(path, { ...merge, body: { data: { x: null, z: '3' } } });
    expect(changed.json()).toMatchObject({ data: { y: '2', z: '3' } });
    const stale = await ask(path, {
      ...merge,
      body: { metadata: { resourceVersion: '1' }, data: { x: '9' } },
    });
    expect(stale.status).toBe(409);
    expect((await ask(path)).json()).toMatchObject({ data: { y: '2', z: '3' } });
  });

  it('follows the operations of a JSON patch and refuses one whose test fails', async () => {
    await start([namespace('rec'), config('a')]);
    const headers = { 'content-type': 'application/json-patch+json' };
    const done = await ask(path, {
      method: 'PATCH',
      headers,
      body: [
        { op: 'add', path: '/data/a~1b', value: '2' },
        { op: 'move', from: '/data/x', path: '/data/y' },
      ],
    });
    expect(done.json()).toMatchObject({ data: { 'a/b': '2', y: '1' } });
    const refused = await ask(path, {
      method: 'PATCH',
      headers,
      body: [
        { op: 'test', path: '/data/y', value: 'other' },
        { op: 'remove', path: '/data/y' },
      ],
    });
    expect(refused.status).toBe(422);
    expect((await ask(path)).json()).toMatchObject({ data: { y: '1' } });
  });

  it('merges containers by their names in a strategic patch', async () => {
    await start([namespace('rec'), pod('p')]);
    const answer = await ask('/api/v1/namespaces/rec/pods/p', {
      method: 'PATCH',
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: {
        spec: {
          containers: [
            { name: 'c', image: 'y' },
            { name: 'd', image: 'z' },
          ],
        },
      },
    });
    expect(answer.json()).toMatchObject({
      spec: {
        containers: [
          { name: 'c', image: 'y' },
          { name: 'd', image: 'z' },
        ],
      },
    });
  });

  it('keeps status and the rest apart', async () => {
    await start([namespace('rec'), pod('p')]);
    const whole = '/api/v1/namespaces/rec/pods/p';
    await ask(whole, { ...merge, body: { status: { phase: 'Failed' }, metadata: { labels: { a: 'b' } } } });
    expect((await ask(whole)).json()).toMatchObject({
      status: { phase: 'Running' },
      metadata: { labels: { a: 'b' } },
    });
    await ask(`${whole}/status`, {
      ...merge,
      body: { status: { phase: 'Failed' }, metadata: { labels: { a: 'c' } } },
    });
    expect((await ask(whole)).json()).toMatchObject({
      status: { phase: 'Failed' },
      metadata: { labels: { a: 'b' } },
    });
  });

  it('keeps nothing of a dry run', async () => {
    await start([namespace('rec')]);
    const body = config('dry');
    expect((await ask('/api/v1/namespaces/rec/configmaps?dryRun=All', { method: 'POST', body })).status).toBe(
      201,
    );
    expect((await ask('/api/v1/namespaces/rec/configmaps/dry')).status).toBe(404);
  });

  it('takes what is in a namespace with it', async () => {
    await start([namespace('rec'), config('a')]);
    expect((await ask('/api/v1/namespaces/rec', { method: 'DELETE' })).json()).toMatchObject({
      status: 'Success',
    });
    expect(itemNames((await ask('/api/v1/configmaps')).text)).toEqual([]);
  });

  it('refuses every change of a world that can only be read, with a Status of 405', async () => {
    const { write: _write, ...world } = memoryWorld([namespace('rec'), config('a')]);
    const api = await startKubeApi({ world });
    try {
      for (const [method, at] of [
        ['POST', '/api/v1/namespaces/rec/configmaps'],
        ['PUT', path],
        ['PATCH', path],
        ['DELETE', path],
        ['DELETE', '/api/v1/namespaces/rec/configmaps'],
      ] as const) {
        const answer = await fetch(`${api.url}${at}`, {
          method,
          headers: {
            'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          },
          body: JSON.stringify(config('a')),
        });
        expect({ method, at, ...objectOf(await answer.text()) }).toMatchObject({
          method,
          at,
          code: 405,
          reason: 'MethodNotAllowed',
        });
      }
      expect(
        await world.list({
          group: '',
          version: 'v1',
          plural: 'configmaps',
          kind: 'ConfigMap',
          namespaced: true,
        }),
      ).toHaveLength(1);
    } finally {
      await api.close();
    }
  });
});

describe('rights', () => {
  const users = [
    {
      name: 'reader',
      token: 'reader',
      allow: ({
        verb,
        plural,
        namespace: place,
      }: {
        verb: string;
        plural: string;
        namespace: string | undefined;
      }) => place === 'rec' && plural === 'pods' && (verb === 'list' || verb === 'get'),
    },
  ];
  const headers = { authorization: 'Bearer reader' };

  it('tells a caller what it may do in a namespace, and no more than that', async () => {
    await start([namespace('rec')], { users });
    const review = await ask('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      method: 'POST',
      headers,
      body: { spec: { namespace: 'rec' } },
    });
    const { status } = z
      .object({ status: z.object({ resourceRules: z.array(loose), incomplete: z.boolean() }) })
      .parse(review.json());
    expect(status.incomplete).toBe(false);
    expect(
      status.resourceRules.filter(({ apiGroups }) => String(apiGroups) !== 'authorization.k8s.io'),
    ).toEqual([{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }]);
  });

  it('names the namespace in what it refuses', async () => {
    await start([namespace('rec')], { users });
    const answer = await ask('/apis/apps/v1/namespaces/rec/deployments/x', { headers });
    expect(answer.json()).toMatchObject({
      message:
        'deployments.apps "x" is forbidden: User "reader" cannot get resource "deployments" in API group "apps" in the namespace "rec"',
      details: { name: 'x', group: 'apps', kind: 'deployments' },
    });
    expect((await ask('/api/v1/namespaces/rec/pods', { headers })).status).toBe(200);
  });
});

describe('logs', () => {
  const logs = {
    'rec/p/c': '2026-11-21T10:00:00.5Z one\n2026-11-21T10:00:10Z two\n2026-11-21T10:00:20Z three\n',
    'rec/p/c/previous': 'before\n',
  };
  const options = { logs, now: () => Date.parse('2026-11-21T10:00:25Z') };
  const at = '/api/v1/namespaces/rec/pods/p/log';

  it.each([
    ['', 'one\ntwo\nthree\n'],
    ['?tailLines=2', 'two\nthree\n'],
    ['?tailLines=0', ''],
    ['?sinceSeconds=16', 'two\nthree\n'],
    ['?timestamps=true&tailLines=1', '2026-11-21T10:00:20.000000000Z three\n'],
    ['?previous=true', 'before\n'],
    ['?limitBytes=5', 'one\nt'],
  ])('reads %s', async (query, text) => {
    await start([namespace('rec'), pod('p')], options);
    expect((await ask(`${at}${query}`)).text).toBe(text);
  });

  it('follows what is written, the newest lines first', async () => {
    const { world, url } = await start([namespace('rec'), pod('p')], options);
    const response = await fetch(`${url}${at}?follow=true&tailLines=1`, {
      headers: { authorization: 'Bearer test-token' },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('three\n');
    world.containerLogs.append('rec/p/c', 'four\n');
    expect((await reader?.read())?.value).toBe('four\n');
    await reader?.cancel();
  });

  it('says which containers there are when none was named, and that one waits', async () => {
    const two: KubeObject = {
      ...pod('two'),
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
      status: { containerStatuses: [{ name: 'b', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
    };
    await start([namespace('rec'), two]);
    const base = '/api/v1/namespaces/rec/pods/two/log';
    expect((await ask(base)).json()).toMatchObject({
      message: 'a container name must be specified for pod two, choose one of: [a b]',
    });
    expect((await ask(`${base}?container=b`)).json()).toMatchObject({
      message: 'container "b" in pod "two" is waiting to start: trying and failing to pull image',
    });
    expect((await ask('/api/v1/namespaces/rec/pods/none/log')).status).toBe(404);
  });
});

describe('faults on demand', () => {
  it('throttles with Retry-After, as a fresh definition does, and then answers', async () => {
    const { faults } = await start([]);
    faults.add({ kind: 'throttled', retryAfterSeconds: 1, times: 1 });
    const first = await ask('/api/v1/pods');
    expect(first.status).toBe(429);
    expect(first.headers.get('retry-after')).toBe('1');
    expect((await ask('/api/v1/pods')).status).toBe(200);
  });

  it('takes connections and answers nothing while it is paused', async () => {
    const { faults } = await start([]);
    faults.pause();
    let answered = false;
    const asked = ask('/version').then((answer) => {
      answered = true;
      return answer;
    });
    await fetch(`${cluster?.url}/version`, { signal: AbortSignal.timeout(200) }).catch(() => undefined);
    expect(answered).toBe(false);
    faults.resume();
    expect((await asked).status).toBe(200);
  });

  it('is reached again at its address after it was killed', async () => {
    await start([namespace('rec')]);
    await cluster?.stop();
    await expect(ask('/version')).rejects.toThrow('fetch failed');
    await cluster?.start();
    expect((await ask('/api/v1/namespaces/rec')).status).toBe(200);
  });
});
