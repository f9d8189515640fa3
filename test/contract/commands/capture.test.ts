import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../src-main/cluster-model/index.ts';
import { resources } from '../../../src-main/cluster-model/index.ts';
import { captureCluster } from '../../../src-main/sources/cluster/bundle/index.ts';
import type { Cluster } from '../../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../../support/object-cluster.ts';
import { logText, opened, testFolder } from '../../support/opened-bundle.ts';

// A bundle that was captured answers as the cluster it was taken of, without its credentials.

const metadata = (name: string, more: object = {}): object => ({
  name,
  namespace: 'shop',
  uid: `uid-${name}`,
  ...more,
});
const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString(
  'base64',
);
const applied = JSON.stringify({ kind: 'Secret', data: { password: 'aHVudGVyMg==' } });
const secrets = ['aHVudGVyMg==', 'hunter2', 's3cr3t', 'ghp_0123456789abcdef', 'MIIEvQ'];

const objects: RawObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'till' } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { capacity: { cpu: '4' } } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('web-1', { managedFields: [{ manager: 'kubectl' }], labels: { app: 'web' } }),
    spec: {
      tolerations: [{ key: 'dedicated', value: 'x' }],
      containers: [
        {
          name: 'web',
          args: ['--db-password=hunter2', '--verbose'],
          env: [
            { name: 'DB_PASSWORD', value: 'hunter2' },
            { name: 'DATABASE_URL', value: 'postgres://web:s3cr3t@db/web' },
            { name: 'LOG_LEVEL', value: 'debug' },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
          ],
        },
      ],
    },
    status: { phase: 'Running', containerStatuses: [{ name: 'web', restartCount: 2 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: metadata('keys', {
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': applied },
    }),
    data: { password: 'aHVudGVyMg==', 'tls.crt': certificate },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('settings'),
    data: {
      'api.token': 'ghp_0123456789abcdef',
      'app.pem': '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n',
      mode: 'fast',
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('web'),
    spec: { replicas: 1, template: {} },
  },
  {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'CockpitControlPlane',
    metadata: metadata('web'),
    spec: { image: 'registry/cockpit:1', replicas: 1 },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: metadata('web.1'),
    reason: 'Started',
    involvedObject: { kind: 'Pod', name: 'web-1' },
    lastTimestamp: '2026-05-01T10:00:00Z',
  },
];
const states = {
  'gateways.gateway.networking.k8s.io': { state: 'not_served', gaps: [] },
  'httproutes.gateway.networking.k8s.io': { state: 'not_served', gaps: [] },
  services: { state: 'forbidden', gaps: ['Forbidden: list services in all namespaces.'] },
} as const;

/** A cluster of objects whose API answers lists in pages of two, and refuses what the listings say is refused. */
function cluster(more: Partial<Cluster> = {}): Cluster {
  const base = objectCluster(objects, {
    states,
    logs: { 'shop/web-1/web': 'Bearer ghp_0123456789abcdef.\nready\n' },
  });
  return {
    ...base,
    async httpGet(address) {
      const { pathname, searchParams } = new URL(address, 'http://cluster');
      const say = (status: number, body: unknown) =>
        ({ state: 'read', status, body: JSON.stringify(body) }) as const;
      if (pathname === '/version') return say(200, { gitVersion: 'v1.36.0' });
      const [, version = 'v1', namespace, plural = ''] =
        /^\/(?:api|apis)\/((?:[^/]+\/)?v\w+)\/(?:namespaces\/([^/]+)\/)?([^/]+)$/.exec(pathname) ?? [];
      const resource = resources.everyKind.find(
        (each) =>
          each.plural === plural &&
          version === (each.group === '' ? 'v1' : `${each.group}/${each.versions[0]}`),
      );
      if (resource === undefined)
        return say(404, { message: 'the server could not find the requested resource' });
      if (plural === 'services') return say(403, { message: 'services is forbidden' });
      const all = objects.filter(
        ({ kind, metadata: of }) =>
          kind === resource.kind &&
          (namespace === undefined || (of as { namespace?: string }).namespace === namespace),
      );
      const from = Number(searchParams.get('continue') ?? 0);
      const next = from + 2 < all.length ? { continue: String(from + 2) } : {};
      return say(200, {
        kind: `${resource.kind}List`,
        apiVersion: version,
        metadata: next,
        items: all.slice(from, from + 2),
      });
    },
    ...more,
  };
}

const takenAt = Date.parse('2026-05-01T12:00:00Z');
async function capture(
  of: Cluster,
  more: Partial<Parameters<typeof captureCluster>[0]> = {},
): Promise<string> {
  const file = join(testFolder(), 'capture.tar.gz');
  await captureCluster({
    cluster: of,
    version: '1.2.3',
    file,
    now: () => takenAt,
    onProgress: () => undefined,
    signal: AbortSignal.timeout(30_000),
    ...more,
  });
  return file;
}

describe('a capture', () => {
  it('lists every kind as the cluster it was taken of, with the same states and gaps', async () => {
    const live = cluster();
    const { cluster: captured, facts } = await opened(await capture(live));
    expect(facts).toMatchObject({
      layout: 'support-bundle',
      version: 'v1.36.0',
      taken_at: '2026-05-01T12:00:00.000Z',
      taken_by: 'its own record',
    });
    for (const resource of resources.everyKind) {
      const [of, is] = [await live.list(resource), await captured.list(resource)];
      expect({ state: is.state, gaps: is.gaps }, resource.plural).toEqual({ state: of.state, gaps: of.gaps });
      if (!['secrets', 'configmaps'].includes(resource.plural))
        expect(is.items, resource.plural).toEqual(of.items);
    }
  });

  it('holds no credential, but their names, and certificates', async () => {
    const file = await capture(cluster());
    const text = gunzipSync(readFileSync(file)).toString('latin1');
    for (const secret of secrets) expect(text).not.toContain(secret);
    const { cluster: captured } = await opened(file);
    const read = await captured.get(resources.secrets, 'keys', 'shop');
    expect(read).toMatchObject({
      object: { data: { password: Buffer.from('7 bytes long').toString('base64'), 'tls.crt': certificate } },
    });
    expect(await captured.get(resources.pods, 'web-1', 'shop')).toMatchObject({
      object: {
        // Who set a field: what drift is explained by.
        metadata: { managedFields: [{ manager: 'kubectl' }] },
        spec: {
          tolerations: [{ key: 'dedicated', value: 'x' }],
          containers: [
            {
              args: ['--db-password=***HIDDEN***', '--verbose'],
              env: [
                { name: 'DB_PASSWORD', value: '***HIDDEN***' },
                { name: 'DATABASE_URL', value: 'postgres://web:***HIDDEN***@db/web' },
                { name: 'LOG_LEVEL', value: 'debug' },
                { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
              ],
            },
          ],
        },
      },
    });
    expect((await captured.list(resources.configMaps)).items).toMatchObject([
      { data: { 'api.token': '***HIDDEN***', mode: 'fast' } },
    ]);
  });

  it('holds logs of this run and the one before, and answers nothing else', async () => {
    const bundle = await opened(await capture(cluster()));
    expect(bundle.facts.logs).toBe(2);
    for (const previous of [false, true])
      expect(await logText(bundle, 'shop/web-1/web', { previous })).toBe('Bearer ***HIDDEN***\nready\n');
    expect(
      await bundle.cluster.patch(resources.deployments, { name: 'web', namespace: 'shop', patch: {} }),
    ).toMatchObject({ state: 'read_only' });
  });

  it('is of the namespaces that were asked for, and says so', async () => {
    const { cluster: captured } = await opened(await capture(cluster(), { namespaces: ['till'] }));
    expect(await captured.list(resources.pods)).toMatchObject({
      state: 'partly',
      items: [],
      gaps: ['Only these namespaces were captured: till.'],
    });
    expect((await captured.list(resources.nodes)).items).toHaveLength(1);
  });

  it('is a file for its owner only, and none at all when it is cancelled or nothing answers', async () => {
    expect(statSync(await capture(cluster())).mode & 0o777).toBe(0o600);
    const folder = testFolder();
    const file = join(folder, 'capture.tar.gz');
    const dead = cluster({ httpGet: async () => ({ state: 'unread', reason: 'connection refused' }) });
    await expect(capture(dead, { file })).rejects.toThrow(
      'Nothing was captured: the cluster does not answer: connection refused',
    );
    const cancel = new AbortController();
    await expect(
      capture(cluster(), { file, signal: cancel.signal, onProgress: () => cancel.abort() }),
    ).rejects.toThrow('The capture was cancelled.');
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
