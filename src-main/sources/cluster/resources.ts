import { z } from 'zod';
import { platformPrefix } from '#shared/platform/labels.ts';
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
  quantityMap,
  text,
  textMap,
} from './fields.ts';
import { envVariable, podSchema, podTemplate } from './pods.ts';
import type { Named, Resource } from './types.ts';

/** Every kind the console reads. A page reads by one of these, so that live and bundle read the same fields. */

type Kind<T extends Named> = Omit<Resource<T>, 'versions' | 'namespaced' | 'watchable' | 'explains'> & {
  readonly versions?: Resource['versions'];
  readonly namespaced?: boolean;
  readonly watchable?: boolean;
  readonly explains?: boolean;
};

const define = <T extends Named>(kind: Kind<T>): Resource<T> => ({
  versions: ['v1'],
  namespaced: true,
  watchable: true,
  explains: false,
  ...kind,
});

export const pods = define({ group: '', plural: 'pods', kind: 'Pod', schema: podSchema });

export const nodes = define({
  group: '',
  plural: 'nodes',
  kind: 'Node',
  namespaced: false,
  schema: z.object({
    metadata,
    spec: optional(
      z.object({
        unschedulable: flag,
        taints: list(z.object({ key: z.string(), value: text, effect: z.string(), timeAdded: text })),
        providerID: text,
      }),
    ),
    status: optional(
      z.object({
        capacity: quantityMap,
        allocatable: quantityMap,
        conditions,
        nodeInfo: optional(
          z.object({ kubeletVersion: text, osImage: text, architecture: text, bootID: text }),
        ),
        addresses: list(z.object({ type: z.string(), address: z.string() })),
      }),
    ),
  }),
});

export const namespaces = define({
  group: '',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  schema: z.object({ metadata, status: optional(z.object({ phase: text, conditions })) }),
});

/** core/v1 Event; what came by events.k8s.io carries `series` and `eventTime` instead of counts. */
export const events = define({
  group: '',
  plural: 'events',
  kind: 'Event',
  explains: true,
  schema: z.object({
    metadata: z.object({ name: z.string(), namespace: text, creationTimestamp: text, uid: text }),
    type: text,
    reason: text,
    message: text,
    count: number,
    firstTimestamp: text,
    lastTimestamp: text,
    eventTime: text,
    series: optional(z.object({ count: number, lastObservedTime: text })),
    involvedObject: z.object({ kind: text, name: text, namespace: text, fieldPath: text, uid: text }),
    source: optional(z.object({ component: text, host: text })),
  }),
});

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

const workloadSpec = {
  replicas: number,
  selector: optional(labelSelector),
  template: podTemplate,
};
const workloadStatus = {
  observedGeneration: number,
  replicas: number,
  readyReplicas: number,
  updatedReplicas: number,
  availableReplicas: number,
  conditions,
};

export const deployments = define({
  group: 'apps',
  plural: 'deployments',
  kind: 'Deployment',
  schema: z.object({
    metadata,
    spec: z.object({ ...workloadSpec, paused: flag }),
    status: optional(z.object(workloadStatus)),
  }),
});

export const statefulSets = define({
  group: 'apps',
  plural: 'statefulsets',
  kind: 'StatefulSet',
  schema: z.object({
    metadata,
    spec: z.object(workloadSpec),
    status: optional(z.object({ ...workloadStatus, currentRevision: text, updateRevision: text })),
  }),
});

export const daemonSets = define({
  group: 'apps',
  plural: 'daemonsets',
  kind: 'DaemonSet',
  schema: z.object({
    metadata,
    spec: z.object({ selector: optional(labelSelector), template: podTemplate }),
    status: optional(
      z.object({
        observedGeneration: number,
        desiredNumberScheduled: number,
        numberReady: number,
        updatedNumberScheduled: number,
        numberUnavailable: number,
        conditions,
      }),
    ),
  }),
});

export const replicaSets = define({
  group: 'apps',
  plural: 'replicasets',
  kind: 'ReplicaSet',
  schema: z.object({
    metadata,
    spec: z.object({
      replicas: number,
      template: z.object({
        spec: optional(z.object({ containers: list(z.object({ name: z.string(), image: text })) })),
      }),
    }),
    status: optional(z.object({ replicas: number, readyReplicas: number, conditions })),
  }),
});

const jobStatus = z.object({
  active: number,
  succeeded: number,
  failed: number,
  startTime: text,
  completionTime: text,
  conditions,
});

export const jobs = define({
  group: 'batch',
  plural: 'jobs',
  kind: 'Job',
  schema: z.object({
    metadata,
    spec: z.object({
      suspend: flag,
      parallelism: number,
      completions: number,
      backoffLimit: number,
      template: podTemplate,
    }),
    status: optional(jobStatus),
  }),
});

export const cronJobs = define({
  group: 'batch',
  versions: ['v1', 'v1beta1'],
  plural: 'cronjobs',
  kind: 'CronJob',
  schema: z.object({
    metadata,
    spec: z.object({
      schedule: z.string(),
      timeZone: text,
      suspend: flag,
      concurrencyPolicy: text,
      jobTemplate: z.object({ spec: optional(z.object({ template: podTemplate })) }),
    }),
    status: optional(
      z.object({
        lastScheduleTime: text,
        lastSuccessfulTime: text,
        active: list(z.object({ name: text })),
      }),
    ),
  }),
});

export const resourceQuotas = define({
  group: '',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  schema: z.object({
    metadata: leanMetadata,
    status: optional(z.object({ hard: quantityMap, used: quantityMap })),
  }),
});

/** Values are only in `get`: a list keeps what keys there are, and certificates, which are no secret. */
const certificatesOnly = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((data) => {
    const kept: Record<string, string> = {};
    for (const [key, value] of Object.entries(data ?? {}))
      kept[key] = typeof value === 'string' && /\.(crt|pem|cert)$/.test(key) && !/key/.test(key) ? value : '';
    return kept;
  });

export const secrets = define({
  group: '',
  plural: 'secrets',
  kind: 'Secret',
  schema: z.object({ metadata: leanMetadata, type: text, data: certificatesOnly }),
});

export const configMaps = define({
  group: '',
  plural: 'configmaps',
  kind: 'ConfigMap',
  schema: z.object({ metadata: leanMetadata, data: textMap }),
});

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
                  backend: z.object({
                    service: optional(
                      z.object({
                        name: z.string(),
                        port: optional(z.object({ number: number, name: text })),
                      }),
                    ),
                  }),
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

/** Argo CD. */
export const applications = define({
  group: 'argoproj.io',
  versions: ['v1alpha1'],
  plural: 'applications',
  kind: 'Application',
  schema: z.object({
    metadata,
    spec: z.object({
      source: optional(z.object({ repoURL: text, path: text, targetRevision: text, chart: text })),
      sources: list(z.object({ repoURL: text, path: text, targetRevision: text, chart: text })),
      destination: optional(z.object({ namespace: text, server: text, name: text })),
    }),
    status: optional(
      z.object({
        sync: optional(z.object({ status: text, revision: text, revisions: list(z.string()) })),
        /** Oldest first. */
        history: list(z.object({ revision: text, revisions: list(z.string()), deployedAt: text })),
        health: optional(z.object({ status: text, message: text, lastTransitionTime: text })),
        operationState: optional(z.object({ phase: text, message: text, finishedAt: text, startedAt: text })),
        reconciledAt: text,
        conditions: list(z.object({ type: z.string(), message: text, lastTransitionTime: text })),
      }),
    ),
  }),
});

const fluxStatus = optional(
  z.object({
    conditions,
    lastAppliedRevision: text,
    lastAttemptedRevision: text,
    observedGeneration: number,
  }),
);

export const kustomizations = define({
  group: 'kustomize.toolkit.fluxcd.io',
  versions: ['v1', 'v1beta2'],
  plural: 'kustomizations',
  kind: 'Kustomization',
  schema: z.object({
    metadata,
    spec: z.object({
      suspend: flag,
      path: text,
      sourceRef: optional(z.object({ kind: text, name: text, namespace: text })),
    }),
    status: fluxStatus,
  }),
});

export const helmReleases = define({
  group: 'helm.toolkit.fluxcd.io',
  versions: ['v2', 'v2beta2', 'v2beta1'],
  plural: 'helmreleases',
  kind: 'HelmRelease',
  schema: z.object({
    metadata,
    spec: z.object({
      suspend: flag,
      chart: optional(z.object({ spec: optional(z.object({ chart: text, version: text })) })),
    }),
    status: optional(
      z.object({
        conditions,
        lastAppliedRevision: text,
        lastAttemptedRevision: text,
        observedGeneration: number,
        history: list(z.object({ chartVersion: text, status: text, lastDeployed: text })),
      }),
    ),
  }),
});

const platformSpec = {
  image: text,
  replicas: number,
  env: list(envVariable),
  /** Read by `effectiveProbes` (src-shared/platform/probes.ts), which says what is wrong with it. */
  probes: z.unknown().optional(),
  runner: optional(z.unknown()),
};
const platformStatus = optional(
  z.object({ phase: text, conditions, observedGeneration: number, endpoint: text }),
);

const controlPlaneKind = (plural: string, kind: string) =>
  define({
    group: platformPrefix,
    versions: ['v1alpha1'],
    plural,
    kind,
    schema: z.object({ metadata, spec: z.object(platformSpec), status: platformStatus }),
  });

export const cockpitControlPlanes = controlPlaneKind('cockpitcontrolplanes', 'CockpitControlPlane');
export const campaignControlPlanes = controlPlaneKind('campaigncontrolplanes', 'CampaignControlPlane');

export const clientInstances = define({
  group: platformPrefix,
  versions: ['v1alpha1'],
  plural: 'clientinstances',
  kind: 'ClientInstance',
  schema: z.object({
    metadata,
    spec: z.object({
      ...platformSpec,
      tenant: text,
      controlPlaneRef: optional(z.object({ kind: text, name: z.string(), namespace: text })),
      users: list(z.unknown()),
    }),
    status: platformStatus,
  }),
});

const usage = z.object({ cpu: optional(intOrText), memory: optional(intOrText) });

export const podMetrics = define({
  group: 'metrics.k8s.io',
  versions: ['v1beta1'],
  plural: 'pods',
  kind: 'PodMetrics',
  watchable: false,
  schema: z.object({
    metadata: leanMetadata,
    timestamp: text,
    containers: list(z.object({ name: z.string(), usage })),
  }),
});

export const persistentVolumeClaims = define({
  group: '',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  schema: z.object({
    metadata: leanMetadata,
    spec: z.object({ storageClassName: text, volumeName: text }),
    status: optional(z.object({ phase: text, conditions })),
  }),
});

/** All of them, for what goes over every kind: capture, and the object page. */
export const resources: readonly Resource[] = [
  pods,
  nodes,
  namespaces,
  events,
  services,
  endpointSlices,
  endpoints,
  deployments,
  statefulSets,
  daemonSets,
  replicaSets,
  jobs,
  cronJobs,
  resourceQuotas,
  secrets,
  configMaps,
  ingresses,
  gateways,
  httpRoutes,
  applications,
  kustomizations,
  helmReleases,
  cockpitControlPlanes,
  campaignControlPlanes,
  clientInstances,
  podMetrics,
  persistentVolumeClaims,
];

/** What one object of a resource is, as it was read. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;
