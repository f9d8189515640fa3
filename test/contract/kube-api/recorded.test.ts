import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { noRecordings, openapiChecker, recorded } from '../../support/kube-api-schemas.ts';
import { ask, config, namespace, objectOf, pod, start } from './harness.ts';

const loose = z.looseObject({});

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
