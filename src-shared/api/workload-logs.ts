import { z } from 'zod';
import { labelName, objectName } from '../platform/kubernetes-names.ts';
import { defineRoute } from './route.ts';
import { clusterReadingFields, targetId } from './targets.ts';

const time = z.iso.datetime();

/** What runs pods, or sends requests to them. */
export const logOwnerKind = z.enum([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
  'Service',
]);
export type LogOwnerKind = z.infer<typeof logOwnerKind>;

/** Whose logs: a workload, a service, or what a label selector takes. */
const logsOf = {
  target: targetId.optional(),
  namespace: labelName,
  kind: logOwnerKind.optional(),
  name: objectName.optional(),
  /** A label selector, in place of `kind` and `name`. */
  selector: z.string().min(1).max(1_000).optional(),
} as const;

export const workloadLogRoutes = [
  defineRoute({
    id: 'logs.sources',
    method: 'GET',
    path: '/api/log-sources',
    access: { kind: 'read' },
    summary:
      'The pods of a workload, a service or a label selector, with their containers: whose logs are merged.',
    query: z.object(logsOf),
    answer: z.object({
      items: z.array(
        z.object({
          pod: z.string(),
          phase: z.string().optional(),
          containers: z.array(z.string()),
          created_at: time.optional(),
        }),
      ),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'logs.merged',
    method: 'GET',
    path: '/api/logs',
    access: { kind: 'read' },
    summary:
      'The logs of all pods and containers of a workload, a service or a label selector as one text in the order of time, each line as `<time> <pod>/<container> <line>`. `follow` joins pods that come and says which go; lines in brackets are remarks. At most 200 MB.',
    query: z.object({
      ...logsOf,
      /** One container of each pod; without it all. */
      container: labelName.optional(),
      /** Pods, or containers as `pod/container`, that are left out; separated by commas. */
      without: z.string().max(4_000).optional(),
      /** The runs before the last restart of each container. */
      previous: z.enum(['true', 'false']).optional(),
      follow: z.enum(['true', 'false']).optional(),
      /** Newest lines of each container. */
      tail: z.coerce.number().int().min(1).max(1_000_000).optional(),
      /** Lines written since a time, or since a duration before now, such as `15m`; of a bundle, before it was taken. */
      since: z.union([z.string().regex(/^\d{1,6}[smhd]$/), time]).optional(),
    }),
    answer: 'stream',
  }),
] as const;
