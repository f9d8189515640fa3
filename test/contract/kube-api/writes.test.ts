import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { memoryWorld, startKubeApi } from '../../../src-main/kube-api/index.ts';
import { ask, config, itemNames, namespace, objectOf, pod, start } from './harness.ts';

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

  it('refuses a body in protobuf, which newer clients send by themselves, as a format it does not know', async () => {
    await start([namespace('rec')]);
    // Access reviews are read in it, as kubectl's `auth can-i` sends them: this one is cut short.
    for (const [at, status, reason] of [
      ['/api/v1/namespaces/rec/configmaps', 415, 'UnsupportedMediaType'],
      ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 400, 'BadRequest'],
    ] as const) {
      const answer = await ask(at, {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body: 'k8s\0\n\u0010',
      });
      expect({ at, status: answer.status }).toEqual({ at, status });
      expect(answer.json()).toMatchObject({ reason });
    }
  });

  it.each([
    ['/api/v1/namespaces/rec/configmaps', 'announced'],
    ['/api/v1/namespaces/rec/configmaps', 'in pieces'],
    ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'in pieces'],
  ])('refuses more than 3 MiB with a Status, as the API server does: %s, %s', async (path, way) => {
    const { url } = await start([namespace('rec')]);
    const piece = Buffer.alloc(512 * 1024, 'a');
    const body =
      way === 'announced'
        ? Buffer.concat(Array<Buffer>(16).fill(piece))
        : Readable.from(Array<Buffer>(16).fill(piece));
    const answer = await request(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-token', 'content-type': 'application/json' },
      body,
    });
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([
      413,
      {
        kind: 'Status',
        reason: 'RequestEntityTooLarge',
        message: 'Request entity too large: limit is 3145728',
        code: 413,
      },
    ]);
    expect((await ask('/api/v1/namespaces/rec/configmaps')).status).toBe(200);
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
