import { z } from 'zod';
import { define } from './define.ts';
import {
  conditions,
  flag,
  intOrText,
  labelSelector,
  leanMetadata,
  list,
  metadata,
  number,
  optional,
  text,
  textMap,
} from './fields.ts';

export const services = define({
  group: '',
  plural: 'services',
  kind: 'Service',
  schema: z.object({
    metadata,
    spec: z.object({
      type: text,
      selector: textMap,
      clusterIP: text,
      externalName: text,
      ports: list(
        z.object({
          name: text,
          port: z.number(),
          targetPort: optional(intOrText),
          protocol: text,
          appProtocol: text,
        }),
      ),
    }),
  }),
});

export const endpointSlices = define({
  group: 'discovery.k8s.io',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  schema: z.object({
    metadata: leanMetadata,
    endpoints: list(
      z.object({
        addresses: list(z.string()),
        conditions: optional(z.object({ ready: flag, serving: flag, terminating: flag })),
        targetRef: optional(z.object({ kind: text, name: text, namespace: text })),
      }),
    ),
    ports: list(z.object({ name: text, port: number })),
  }),
});

/** Older than slices; bundles often hold only these. */
export const endpoints = define({
  group: '',
  plural: 'endpoints',
  kind: 'Endpoints',
  schema: z.object({
    metadata: leanMetadata,
    subsets: list(
      z.object({
        addresses: list(
          z.object({ ip: z.string(), targetRef: optional(z.object({ kind: text, name: text })) }),
        ),
        notReadyAddresses: list(
          z.object({ ip: z.string(), targetRef: optional(z.object({ kind: text, name: text })) }),
        ),
        ports: list(z.object({ name: text, port: number })),
      }),
    ),
  }),
});

/** The form of `extensions/v1beta1` (served until Kubernetes 1.21) is in old bundles still. */
const oldBackend = z
  .object({ serviceName: z.string(), servicePort: z.union([z.number(), z.string()]).optional() })
  .transform(({ serviceName, servicePort }) => ({
    service: {
      name: serviceName,
      port: typeof servicePort === 'number' ? { number: servicePort } : { name: servicePort },
    },
  }));

export const ingresses = define({
  group: 'networking.k8s.io',
  plural: 'ingresses',
  kind: 'Ingress',
  schema: z.object({
    metadata,
    spec: z.object({
      ingressClassName: text,
      defaultBackend: optional(z.unknown()),
      tls: list(z.object({ hosts: list(z.string()), secretName: text })),
      rules: list(
        z.object({
          host: text,
          http: optional(
            z.object({
              paths: list(
                z.object({
                  path: text,
                  pathType: text,
                  backend: z.union([
                    oldBackend,
                    z.object({
                      service: optional(
                        z.object({
                          name: z.string(),
                          port: optional(z.object({ number: number, name: text })),
                        }),
                      ),
                    }),
                  ]),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
    status: optional(
      z.object({
        loadBalancer: optional(z.object({ ingress: list(z.object({ ip: text, hostname: text })) })),
      }),
    ),
  }),
});

export const networkPolicies = define({
  group: 'networking.k8s.io',
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  schema: z.object({
    metadata: leanMetadata,
    spec: z.object({
      podSelector: labelSelector,
      policyTypes: list(z.string()),
      ingress: list(
        z.object({
          from: list(
            z.object({
              podSelector: optional(labelSelector),
              namespaceSelector: optional(labelSelector),
              ipBlock: optional(z.object({ cidr: z.string() })),
            }),
          ),
          ports: list(z.object({ port: optional(intOrText), endPort: number })),
        }),
      ),
    }),
  }),
});

const parentRef = z.object({ group: text, kind: text, name: z.string(), namespace: text, sectionName: text });

export const gateways = define({
  group: 'gateway.networking.k8s.io',
  versions: ['v1', 'v1beta1'],
  plural: 'gateways',
  kind: 'Gateway',
  schema: z.object({
    metadata,
    spec: z.object({
      gatewayClassName: text,
      listeners: list(z.object({ name: z.string(), hostname: text, port: z.number(), protocol: z.string() })),
    }),
    status: optional(z.object({ conditions, addresses: list(z.object({ value: text })) })),
  }),
});

export const httpRoutes = define({
  group: 'gateway.networking.k8s.io',
  versions: ['v1', 'v1beta1'],
  plural: 'httproutes',
  kind: 'HTTPRoute',
  schema: z.object({
    metadata,
    spec: z.object({
      parentRefs: list(parentRef),
      hostnames: list(z.string()),
      rules: list(
        z.object({
          matches: list(z.object({ path: optional(z.object({ type: text, value: text })), method: text })),
          filters: list(z.object({ type: z.string() })),
          backendRefs: list(
            z.object({
              group: text,
              kind: text,
              name: z.string(),
              namespace: text,
              port: number,
              weight: number,
            }),
          ),
        }),
      ),
    }),
    status: optional(z.object({ parents: list(z.object({ parentRef, conditions })) })),
  }),
});
