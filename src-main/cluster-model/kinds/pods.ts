import { z } from 'zod';
import { flag, intOrText, leanMetadata, list, number, optional, quantityMap, text } from './fields.ts';

/** Parts of a pod and of what makes pods (core/v1 PodSpec, PodStatus). */
const handler = {
  httpGet: optional(z.object({ path: text, port: intOrText, scheme: text })),
  tcpSocket: optional(z.object({ port: intOrText })),
  exec: optional(z.object({ command: list(z.string()) })),
  grpc: optional(z.object({ port: z.number(), service: text })),
};

export const probeSpec = z.object({
  ...handler,
  initialDelaySeconds: number,
  periodSeconds: number,
  timeoutSeconds: number,
  failureThreshold: number,
  successThreshold: number,
});
export type ProbeSpec = z.infer<typeof probeSpec>;

const resources = optional(z.object({ requests: quantityMap, limits: quantityMap }));

export const envVariable = z.object({
  name: z.string(),
  value: text,
  valueFrom: optional(
    z.object({
      secretKeyRef: optional(z.object({ name: text, key: z.string(), optional: flag })),
      configMapKeyRef: optional(z.object({ name: text, key: z.string(), optional: flag })),
      fieldRef: optional(z.object({ fieldPath: z.string() })),
    }),
  ),
});

/** A container of a workload's template, in full. */
export const templateContainer = z.object({
  name: z.string(),
  image: text,
  command: list(z.string()),
  args: list(z.string()),
  env: list(envVariable),
  envFrom: list(
    z.object({
      prefix: text,
      configMapRef: optional(z.object({ name: text, optional: flag })),
      secretRef: optional(z.object({ name: text, optional: flag })),
    }),
  ),
  ports: list(z.object({ name: text, containerPort: z.number(), protocol: text })),
  resources,
  restartPolicy: text,
  startupProbe: optional(probeSpec),
  readinessProbe: optional(probeSpec),
  livenessProbe: optional(probeSpec),
});
export type TemplateContainer = z.infer<typeof templateContainer>;

const mountedConfig = z.object({ name: text, optional: flag });

/** A volume, as far as it names another object. */
const templateVolume = z.object({
  name: z.string(),
  secret: optional(z.object({ secretName: text, optional: flag })),
  configMap: optional(mountedConfig),
  persistentVolumeClaim: optional(z.object({ claimName: text })),
  projected: optional(
    z.object({
      sources: list(z.object({ secret: optional(mountedConfig), configMap: optional(mountedConfig) })),
    }),
  ),
});

export const podTemplate = z.object({
  metadata: optional(z.object({ labels: leanMetadata.shape.labels })),
  spec: optional(
    z.object({
      containers: list(templateContainer),
      initContainers: list(templateContainer),
      nodeSelector: leanMetadata.shape.labels,
      serviceAccountName: text,
      imagePullSecrets: list(z.object({ name: text })),
      volumes: list(templateVolume),
    }),
  ),
});

/** A container of a pod: what pods by the thousand are kept for. */
const podContainer = z.object({
  name: z.string(),
  image: text,
  resources,
  restartPolicy: text,
  ports: list(z.object({ name: text, containerPort: z.number() })),
  readinessProbe: z
    .unknown()
    .optional()
    .transform((probe) => probe !== undefined && probe !== null),
});

const terminated = z.object({
  exitCode: number,
  signal: number,
  reason: text,
  message: text,
  startedAt: text,
  finishedAt: text,
});

const containerStatus = z.object({
  name: z.string(),
  ready: flag,
  started: flag,
  restartCount: number,
  image: text,
  imageID: text,
  state: optional(
    z.object({
      waiting: optional(z.object({ reason: text, message: text })),
      running: optional(z.object({ startedAt: text })),
      terminated: optional(terminated),
    }),
  ),
  lastState: optional(z.object({ terminated: optional(terminated) })),
});

export const podSchema = z.object({
  metadata: leanMetadata,
  spec: z.object({
    nodeName: text,
    restartPolicy: text,
    priorityClassName: text,
    tolerations: list(z.object({ key: text, operator: text, value: text, effect: text })),
    containers: list(podContainer),
    initContainers: list(podContainer),
    /** Resources of the pod as a whole: they take precedence over those of its containers. */
    resources,
    overhead: quantityMap,
    readinessGates: list(z.object({ conditionType: z.string() })),
  }),
  status: z.object({
    phase: text,
    reason: text,
    message: text,
    startTime: text,
    conditions: list(z.object({ type: z.string(), status: z.string(), reason: text, message: text })),
    containerStatuses: list(containerStatus),
    initContainerStatuses: list(containerStatus),
  }),
});
export type PodObject = z.infer<typeof podSchema>;
