import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import type { EdgeRoute } from '../../../../src-shared/api/cluster.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { deployment, object, pod, readingCluster, service, slice } from './harness.ts';

const place = { namespace: 'shop' } as const;
const served = [
  service({ name: 'api', ...place, port: 80 }),
  slice('api', 'shop', { 'api-7f-a': true }),
  deployment({ name: 'api', ...place }),
  pod({ name: 'api-7f-a', of: 'api', ...place, container: { readinessProbe: {} } }),
];
const gateway = (hostname?: string) =>
  object(
    'gateway.networking.k8s.io/v1',
    'Gateway',
    { name: 'edge', namespace: 'mesh' },
    {
      spec: {
        gatewayClassName: 'mesh',
        listeners: [{ name: 'https', port: 443, protocol: 'HTTPS', hostname }],
      },
      status: { addresses: [{ value: '192.0.2.1' }], conditions: [] },
    },
  );
const httpRoute = (more: { rules?: unknown[]; status?: unknown } = {}) =>
  object(
    'gateway.networking.k8s.io/v1',
    'HTTPRoute',
    { name: 'shop', ...place },
    {
      spec: {
        parentRefs: [{ name: 'edge', namespace: 'mesh' }],
        hostnames: ['shop.example.com'],
        rules: more.rules ?? [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/api' } }],
            backendRefs: [{ name: 'api', port: 80 }],
          },
        ],
      },
      status: more.status,
    },
  );
const ingress = (serviceName: string, port: unknown = { number: 80 }) =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    { name: 'shop', ...place },
    {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['shop.example.com'], secretName: 'shop-tls' }],
        rules: [
          {
            host: 'shop.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: serviceName, port } } }],
            },
          },
        ],
      },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }] } },
    },
  );

async function routesOf(
  objects: RawObject[],
  { env = {}, ...options }: Parameters<typeof objectCluster>[1] & { env?: Record<string, string> } = {},
) {
  const { read } = await readingCluster(objectCluster(objects, options), env);
  const { items, ...answer } = await read('cluster.routes');
  return { studio: items[0], routes: items.slice(1), answer };
}
const hops = (route: EdgeRoute | undefined) => route?.hops.map(({ step, state }) => `${step} ${state}`);

describe('routes', () => {
  it('of the Gateway API are followed to the workload (CON-089)', async () => {
    const { routes } = await routesOf([...served, gateway('*.example.com'), httpRoute()]);
    expect(routes).toHaveLength(1);
    expect(routes[0]).toMatchObject({
      kind: 'HTTPRoute',
      name: 'shop',
      host: 'shop.example.com',
      path: '/api',
      state: 'healthy',
    });
    expect(hops(routes[0])).toEqual([
      'host holds',
      'gateway holds',
      'path holds',
      'service holds',
      'endpoints holds',
      'workload holds',
    ]);
    expect(routes[0]).not.toHaveProperty('broken_at');
  });

  it('break at a host that no listener takes', async () => {
    const { routes } = await routesOf([...served, gateway('*.other.example'), httpRoute()]);
    expect(routes[0]).toMatchObject({
      broken_at: 'host',
      reason: 'No listener of Gateway edge takes the host shop.example.com.',
    });
    expect(hops(routes[0])?.slice(1)).toEqual(
      Array.from(['gateway', 'path', 'service', 'endpoints', 'workload'], (step) => `${step} unreached`),
    );
  });

  it('break at a gateway that is not there, or does not accept them', async () => {
    const missing = await routesOf([...served, httpRoute()]);
    expect(missing.routes[0]).toMatchObject({
      broken_at: 'gateway',
      reason: 'There is no Gateway edge in mesh.',
    });
    const refused = await routesOf([
      ...served,
      gateway(),
      httpRoute({
        status: {
          parents: [
            {
              parentRef: { name: 'edge' },
              conditions: [
                { type: 'Accepted', status: 'False', reason: 'NotAllowedByListeners', message: '' },
              ],
            },
          ],
        },
      }),
    ]);
    expect(refused.routes[0]).toMatchObject({
      broken_at: 'gateway',
      reason: 'Accepted is False: NotAllowedByListeners',
    });
  });

  it('break at a service that exists but that the gateway may not use', async () => {
    const { routes } = await routesOf([
      ...served,
      gateway(),
      httpRoute({
        status: {
          parents: [
            {
              parentRef: { name: 'edge' },
              conditions: [
                { type: 'Accepted', status: 'True' },
                {
                  type: 'ResolvedRefs',
                  status: 'False',
                  reason: 'RefNotPermitted',
                  message: 'no ReferenceGrant',
                },
              ],
            },
          ],
        },
      }),
    ]);
    expect(routes[0]).toMatchObject({
      broken_at: 'service',
      reason: 'ResolvedRefs is False: no ReferenceGrant',
    });
  });

  it('follow each backend of a rule that has weight, and a redirect to its end', async () => {
    const { routes } = await routesOf([
      ...served,
      gateway(),
      httpRoute({
        rules: [
          {
            backendRefs: [
              { name: 'api', port: 80, weight: 9 },
              { name: 'canary', port: 80, weight: 1 },
              { name: 'off', port: 80, weight: 0 },
            ],
          },
          { matches: [{ path: { value: '/old' } }], filters: [{ type: 'RequestRedirect' }] },
        ],
      }),
    ]);
    expect(routes.map(({ path, state, reason }) => [path, state, reason])).toEqual([
      ['/', 'healthy', undefined],
      ['/', 'failing', 'There is no Service canary in shop.'],
      ['/old', 'healthy', undefined],
    ]);
    expect(new Set(routes.map(({ id }) => id)).size).toBe(3);
  });

  it('of an Ingress are followed to the workload, by the port number or its name', async () => {
    for (const port of [{ number: 80 }, { name: 'http' }]) {
      const { routes } = await routesOf([...served, ingress('api', port)]);
      expect(routes).toMatchObject([{ kind: 'Ingress', host: 'shop.example.com', state: 'healthy' }]);
      expect(routes[0]?.hops[0]?.detail).toBe('TLS with Secret shop-tls');
    }
  });

  it('of an Ingress break at a service that does not exist, or has not the port', async () => {
    const missing = await routesOf([...served, ingress('apj')]);
    expect(missing.routes[0]).toMatchObject({
      broken_at: 'service',
      reason: 'There is no Service apj in shop.',
    });
    const port = await routesOf([...served, ingress('api', { number: 8080 })]);
    expect(port.routes[0]).toMatchObject({
      broken_at: 'service',
      reason: 'Service api has no port 8080; it has 80.',
    });
  });

  it('break at endpoints when nothing behind the service is ready, with the reason', async () => {
    const { routes } = await routesOf([service({ name: 'api', ...place }), ingress('api')]);
    expect(routes[0]).toMatchObject({
      broken_at: 'endpoints',
      state: 'failing',
      reason: 'no endpoints: no pod has the labels app=api',
    });
  });

  it('end in what was not read, and are not called broken for it', async () => {
    const { routes, answer } = await routesOf([ingress('api')], {
      states: { services: { state: 'forbidden', gaps: ['Forbidden: list services.'] } },
    });
    expect(routes[0]).toMatchObject({ state: 'not_read', reason: 'Service api in shop was not read.' });
    expect(routes[0]).not.toHaveProperty('broken_at');
    expect(answer.complete).toBe(false);
  });

  it('are simply none where the Gateway API is not installed', async () => {
    const none = { state: 'not_served', gaps: [] } as const;
    const { routes, answer } = await routesOf([], {
      states: { 'gateways.gateway.networking.k8s.io': none, 'httproutes.gateway.networking.k8s.io': none },
    });
    expect(routes).toEqual([]);
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true, unmeasured: [] });
  });
});

describe('the route of the studio (CON-089)', () => {
  const studio = [
    service({ name: 'studio', namespace: 'platform', port: 8080 }),
    slice('studio', 'platform', { 'studio-7f-a': true }),
    deployment({ name: 'studio', namespace: 'platform' }),
    pod({ name: 'studio-7f-a', of: 'studio', namespace: 'platform', container: { readinessProbe: {} } }),
  ];

  it('is followed into the cluster when its upstream is a service of one', async () => {
    for (const upstream of [
      'http://studio.platform.svc.cluster.local:8080',
      'cluster://platform/studio:8080',
    ]) {
      const { studio: route } = await routesOf(studio, { env: { STUDIO_UPSTREAM: upstream } });
      expect(route).toMatchObject({ kind: 'console', path: '/studio/', state: 'healthy' });
      expect(hops(route)).toEqual(['host holds', 'service holds', 'endpoints holds', 'workload holds']);
    }
  });

  it('breaks at the port that the service does not have', async () => {
    const { studio: route } = await routesOf(studio, {
      env: { STUDIO_UPSTREAM: 'http://studio.platform.svc' },
    });
    expect(route).toMatchObject({
      broken_at: 'service',
      reason: 'Service studio has no port 80; it has 8080.',
    });
  });

  it('ends at the host when that is outside of any cluster', async () => {
    const { studio: route } = await routesOf([], { env: { STUDIO_UPSTREAM: 'https://studio.example.com' } });
    expect(route).toMatchObject({ host: 'studio.example.com', state: 'not_read' });
    expect(hops(route)).toEqual(['host not_read']);
  });
});
