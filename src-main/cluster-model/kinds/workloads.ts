import { z } from 'zod';
import { define } from './define.ts';
import { conditions, flag, labelSelector, list, metadata, number, optional, text } from './fields.ts';
import { podTemplate } from './pods.ts';

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
