import { z } from 'zod';
import { isKubeconfig, pemOfKubeconfig } from '../identity/read-certificates.ts';
import { define } from './define.ts';
import {
  conditions,
  flag,
  intOrText,
  leanMetadata,
  list,
  metadata,
  number,
  optional,
  quantityMap,
  text,
  textMap,
} from './fields.ts';
import { podSchema } from './pods.ts';

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

export const resourceQuotas = define({
  group: '',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  schema: z.object({
    metadata: leanMetadata,
    status: optional(z.object({ hard: quantityMap, used: quantityMap })),
  }),
});

type Data = Readonly<Record<string, unknown>> | null | undefined;

const isCertificate = (key: string): boolean => /\.(crt|pem|cert)$/.test(key) && !/key/.test(key);

const isKubeconfigKey = (key: string): boolean => /kubeconfig|^config$|^value$/i.test(key);

const certificatesOnly = (data: Data): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [
      key,
      typeof value !== 'string' ? '' : isCertificate(key) ? value : certificatesOfKubeconfig(key, value),
    ]),
  );

/** Certificates of a kubeconfig in a Secret are kept as PEM; its keys and tokens are not. */
function certificatesOfKubeconfig(key: string, value: string): string {
  if (!isKubeconfigKey(key)) return '';
  const text = Buffer.from(value, 'base64').toString('latin1');
  return isKubeconfig(text) ? pemOfKubeconfig(text) : '';
}

/** Values are only in `get`: a list keeps what keys there are, which of them are empty, and certificates, which are no secret. */
export const secrets = define({
  group: '',
  plural: 'secrets',
  kind: 'Secret',
  schema: z
    .object({ metadata: leanMetadata, type: text, data: z.record(z.string(), z.unknown()).nullish() })
    .transform(({ data, ...rest }) => ({
      ...rest,
      data: certificatesOnly(data),
      emptyKeys: Object.entries(data ?? {}).flatMap(([key, value]) => (value === '' ? [key] : [])),
    })),
});

export const configMaps = define({
  group: '',
  plural: 'configmaps',
  kind: 'ConfigMap',
  schema: z.object({ metadata: leanMetadata, data: textMap }),
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
