import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type CertifiedKey,
  issueCertificate,
  memoryWorld,
  startKubeApi,
} from '../../../src-main/kube-api/index.ts';
import { ask, namespace, objectOf, start } from './harness.ts';

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
      .object({ status: z.object({ resourceRules: z.array(z.looseObject({})), incomplete: z.boolean() }) })
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

describe('rights in a world that can only be read', () => {
  it('are those to read, also of who may do everything', async () => {
    const { write: _write, ...world } = memoryWorld([namespace('rec')]);
    const api = await startKubeApi({ world });
    const review = async (plural: string, spec: object) => {
      const answer = await fetch(`${api.url}/apis/authorization.k8s.io/v1/${plural}`, {
        method: 'POST',
        body: JSON.stringify({ spec }),
      });
      return objectOf(await answer.text()).status;
    };
    const can = (verb: string) =>
      review('selfsubjectaccessreviews', {
        resourceAttributes: { verb, resource: 'pods', namespace: 'rec' },
      });
    try {
      expect(await can('list')).toEqual({ allowed: true });
      expect(await can('delete')).toEqual({ allowed: false });
      const get = (path: string) =>
        review('selfsubjectaccessreviews', { nonResourceAttributes: { verb: 'get', path } });
      expect([await get('/livez'), await get('/apis/apps/v1'), await get('/metrics')]).toEqual([
        { allowed: true },
        { allowed: true },
        { allowed: false },
      ]);
      // Neither form, or both: as the API server refuses them.
      expect(await review('selfsubjectaccessreviews', {})).toBe('Failure');
      expect(await review('selfsubjectrulesreviews', { namespace: 'rec' })).toMatchObject({
        resourceRules: expect.arrayContaining([
          { verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] },
        ]),
      });
    } finally {
      await api.close();
    }
  });
});

describe('client certificates', () => {
  const valid = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000 };
  const issued = (ca: CertifiedKey, name: string, hosts: readonly string[] = []) =>
    issueCertificate({ name, hosts, issuer: { ...ca, name: 'ca' }, ...valid });
  const ca = issueCertificate({ name: 'ca', isCa: true, ...valid });
  const other = issueCertificate({ name: 'ca', isCa: true, ...valid });

  it.each([
    ['its owner is let in', issued(ca, 'anna'), 200],
    ['somebody else is not', issued(ca, 'bert'), 401],
    ['another authority has signed it', issued(other, 'anna'), 401],
    ['there is none', undefined, 401],
  ])('name the caller: %s', async (_what, certificate, status) => {
    const { url } = await start([], {
      users: [{ name: 'anna', certificate: 'anna' }],
      tls: { ...issued(ca, 'localhost', ['127.0.0.1']), clientCa: ca.cert },
      ca: ca.cert,
    });
    const dispatcher = new Agent({ connect: { ca: ca.cert, ...certificate } });
    const answer = await request(`${url}/api/v1/pods`, { dispatcher });
    await answer.body.dump();
    await dispatcher.close();
    expect(answer.statusCode).toBe(status);
  });
});
