import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { effectiveProbes } from '../../../src-shared/platform/probes.ts';
import { startTestCluster, type TestCluster } from '../../support/kube-api.ts';
import { definitionValidator, platformDefinitions } from '../../support/kube-api-schemas.ts';

const definitions = platformDefinitions();
const validate = definitionValidator(definitions);

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

/** Posts a control plane whose probes are these, to a server that has the platform's definitions. */
async function post(
  object: Pick<KubeObject, 'kind' | 'metadata'> & { readonly spec?: unknown },
  plural = `${object.kind.toLowerCase()}s`,
): Promise<{ status: number; text: string }> {
  cluster ??= await startTestCluster(
    [...definitions, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }],
    { validate },
  );
  const response = await fetch(`${cluster.url}/apis/platform.dev/v1alpha1/namespaces/a/${plural}`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-token', 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'platform.dev/v1alpha1', ...object }),
  });
  return { status: response.status, text: await response.text() };
}

const withProbes = (probes: unknown) => ({
  kind: 'CockpitControlPlane',
  metadata: { name: 'c' },
  spec: { image: 'r/o/cockpit:1', ...(probes === undefined ? {} : { probes }) },
});

describe('the definitions of the custom resources', () => {
  it('are installed: their rules can be asked, and their defaults hold by them', async () => {
    cluster = await startTestCluster();
    expect(definitions).toHaveLength(3);
    for (const definition of definitions) {
      const answer = await fetch(`${cluster.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, {
        method: 'POST',
        headers: { authorization: 'Bearer test-token', 'content-type': 'application/json' },
        body: JSON.stringify(definition),
      });
      expect([definition.metadata.name, answer.status, await answer.text()]).toEqual([
        definition.metadata.name,
        201,
        expect.stringContaining('Established'),
      ]);
    }
  });

  it.each([
    ['no probes', undefined],
    ['the probes that reflect mesh and consensus', { readinessPath: '/readyz', livenessPath: '/livez' }],
    ['a readiness path alone', { readinessPath: '/readyz' }],
    ['forbidden paths of probes that are off', { path: '/readyz', livenessPath: '/readyz', disabled: true }],
    ['a path that only begins like it', { path: '/readyz-lite' }],
  ])('admit %s, as the rules in code do (RTE-012)', async (_name, probes) => {
    expect(effectiveProbes(probes, '7100').refusals).toEqual([]);
    expect((await post(withProbes(probes))).status).toBe(201);
  });

  it.each([
    ['the startup path at /readyz', { path: '/readyz' }, 'spec.probes.path', 'startup probe'],
    [
      'the startup path at /readyz, whatever liveness asks',
      { path: '/readyz', livenessPath: '/livez' },
      'spec.probes.path',
      'startup probe',
    ],
    [
      'the liveness path at /readyz',
      { livenessPath: '/readyz' },
      'spec.probes.livenessPath',
      'liveness probe',
    ],
    [
      'the liveness path at /readyz/',
      { livenessPath: '/readyz/' },
      'spec.probes.livenessPath',
      'liveness probe',
    ],
    [
      'the liveness path at //./readyz?verbose',
      { livenessPath: '//./readyz?verbose' },
      'spec.probes.livenessPath',
      'liveness probe',
    ],
    [
      'the liveness path at /livez/../readyz',
      { livenessPath: '/livez/../readyz' },
      'spec.probes.livenessPath',
      'liveness probe',
    ],
    ['a path without its slash', { path: 'auth/config' }, 'spec.probes.path', 'pattern'],
    ['no seconds at all', { startupSeconds: 0 }, 'spec.probes.startupSeconds', '>= 1'],
    [
      'half a failure',
      { readinessFailureThreshold: 1.5 },
      'spec.probes.readinessFailureThreshold',
      'integer',
    ],
    ['a switch in words', { disabled: 'yes' }, 'spec.probes.disabled', 'boolean'],
  ])('refuse %s, as the rules in code do', async (_name, probes, field, words) => {
    expect(effectiveProbes(probes, '7100').refusals).not.toEqual([]);
    const { status, text } = await post(withProbes(probes));
    expect(status).toBe(422);
    expect(JSON.parse(text)).toMatchObject({
      reason: 'Invalid',
      details: { causes: expect.arrayContaining([expect.objectContaining({ field })]) },
    });
    expect(text).toContain(words);
  });

  it.each([
    ['a control plane without an image', { kind: 'CampaignControlPlane', metadata: { name: 'c' }, spec: {} }],
    [
      'an instance without its control plane',
      { kind: 'ClientInstance', metadata: { name: 'c' }, spec: { tenant: 'willow' } },
    ],
    [
      'an instance with a user who is no address',
      {
        kind: 'ClientInstance',
        metadata: { name: 'c' },
        spec: { tenant: 'willow', controlPlaneRef: { name: 'c' }, users: ['willow'] },
      },
    ],
    [
      'a variable with two values',
      {
        kind: 'CampaignControlPlane',
        metadata: { name: 'c' },
        spec: {
          image: 'x',
          env: [{ name: 'A', value: '1', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        },
      },
    ],
  ])('refuse %s', async (_name, object) => {
    expect((await post(object)).status).toBe(422);
  });

  it('take their defaults from the spec', () => {
    for (const definition of definitions) {
      const text = JSON.stringify(definition);
      for (const part of [
        '"default":"/auth/config"',
        '"default":900',
        '"default":5',
        '"default":3',
        '"default":6',
      ])
        expect(text).toContain(part);
    }
  });

  it('serve their kinds after they were created, by name and short name, and not before', async () => {
    cluster = await startTestCluster([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }]);
    const headers = { authorization: 'Bearer test-token', 'content-type': 'application/json' };
    const at = `${cluster.url}/apis/platform.dev/v1alpha1`;
    expect((await fetch(at, { headers })).status).toBe(404);
    for (const definition of definitions)
      await fetch(`${cluster.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(definition),
      });
    const served = await (await fetch(at, { headers })).text();
    for (const name of ['"ccp"', '"cmcp"', '"ci"', 'clientinstances/status']) expect(served).toContain(name);
  });

  it('print tenant, control plane, phase and readiness', async () => {
    await post({
      kind: 'ClientInstance',
      metadata: { name: 'willow' },
      spec: { tenant: 'willow', controlPlaneRef: { name: 'cockpit-control' } },
    });
    const at = `${cluster?.url}/apis/platform.dev/v1alpha1/namespaces/a/clientinstances/willow/status`;
    const headers = { authorization: 'Bearer test-token' };
    await fetch(at, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({
        status: {
          phase: 'Ready',
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'Up',
              message: '',
              lastTransitionTime: '2026-11-21T10:00:00Z',
            },
          ],
        },
      }),
    });
    const table = await fetch(at.replace('/willow/status', ''), {
      headers: { ...headers, accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
    expect(JSON.parse(await table.text()).rows[0].cells.slice(0, 3)).toEqual([
      'willow',
      'willow',
      'cockpit-control',
    ]);
    expect(JSON.parse(await (await fetch(at, { headers })).text()).status.phase).toBe('Ready');
  });
});
