import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext } from './context.ts';
import { serviceAndSlice } from './services.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';

/** Services beside those of workloads, Ingresses, the Gateway and its routes. */
export function networkObjects(context: EstateContext): KubeObject[] {
  const { seed } = context;
  const age = 30 * 86_400_000;
  return [
    ...seed.services.flatMap(({ name, namespace, selector, port, target }) =>
      serviceAndSlice(context, {
        name,
        namespace,
        age,
        selector,
        port,
        target,
        targetNumber: target,
        pods: [],
      }),
    ),
    ...seed.ingresses.map(({ namespace, name, host, paths }) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, namespace, creationTimestamp: ago(context, age) },
      spec: {
        ingressClassName: 'mesh',
        rules: [
          {
            host,
            http: {
              paths: Object.entries(paths).map(([path, service]) => ({
                path,
                pathType: 'Prefix',
                backend: { service: { name: service, port: { name: 'http' } } },
              })),
            },
          },
        ],
      },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.10' }] } },
    })),
    gatewayObject(context, age),
    ...seed.routes.map((route) => routeObject(context, route, age)),
  ];
}

function gatewayObject(context: EstateContext, age: number): KubeObject {
  const { namespace, name, hostname } = context.seed.gateway;
  const met = (type: string) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    observedGeneration: 1,
    lastTransitionTime: ago(context, age),
  });
  return {
    apiVersion,
    kind: 'Gateway',
    metadata: { name, namespace, creationTimestamp: ago(context, age) },
    spec: {
      gatewayClassName: 'mesh',
      listeners: [
        {
          name: 'https',
          hostname,
          port: 443,
          protocol: 'HTTPS',
          tls: { mode: 'Terminate', certificateRefs: [{ name: 'edge-tls' }] },
          allowedRoutes: { namespaces: { from: 'All' } },
        },
      ],
    },
    status: {
      conditions: [met('Accepted'), met('Programmed')],
      addresses: [{ type: 'IPAddress', value: '192.0.2.10' }],
    },
  };
}

function routeObject(
  context: EstateContext,
  { namespace, name, host, path, service, port }: EstateContext['seed']['routes'][number],
  age: number,
): KubeObject {
  const { gateway, workloads } = context.seed;
  const parentRef = {
    group: 'gateway.networking.k8s.io',
    kind: 'Gateway',
    name: gateway.name,
    namespace: gateway.namespace,
  };
  const exists = workloads.some((each) => each.name === service && each.namespace === namespace);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    observedGeneration: 1,
    lastTransitionTime: ago(context, age),
  });
  return {
    apiVersion,
    kind: 'HTTPRoute',
    metadata: { name, namespace, creationTimestamp: ago(context, age) },
    spec: {
      parentRefs: [parentRef],
      hostnames: [host],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: path } }],
          backendRefs: [{ group: '', kind: 'Service', name: service, port, weight: 1 }],
        },
      ],
    },
    status: {
      parents: [
        {
          parentRef,
          controllerName: 'mesh.example/gateway',
          conditions: [
            condition('Accepted', 'True', 'Accepted', ''),
            exists
              ? condition('ResolvedRefs', 'True', 'ResolvedRefs', '')
              : condition('ResolvedRefs', 'False', 'BackendNotFound', `Service "${service}" not found`),
          ],
        },
      ],
    },
  };
}
