import { z } from 'zod';
import { labelName, objectName, segmentName } from '../platform/kubernetes-names.ts';
import {
  attention,
  clusterEvent,
  condition,
  controlPlane,
  edgeRoute,
  healthState,
  heldCertificate,
  instance,
  meshCa,
  namespaceRow,
  nodeRow,
  pod,
  quantities,
  serviceRow,
  workload,
} from './cluster.ts';
import { defineRoute } from './route.ts';
import { clusterReadingFields, targetId, targetQuery } from './targets.ts';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();
const namespaceFilter = targetQuery.extend({ namespace: labelName.optional() });

/** `GET /api/metrics`. */
export const metricsAnswer = z.object({
  process: z.object({
    rss_bytes: count,
    heap_used_bytes: count,
    heap_total_bytes: count,
    event_loop_p99_ms: z.number(),
    open_streams: count,
    /** Received since the start. */
    requests: count,
    uptime_seconds: z.number(),
  }),
  workloads: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      namespace: z.string(),
      cpu_cores: z.number(),
      memory_bytes: z.number(),
      requests: quantities,
      limits: quantities,
    }),
  ),
  ...clusterReadingFields,
});
export type Metrics = z.input<typeof metricsAnswer>;

/** The Prometheus text exposition format that a scraper requests. */
export const prometheusText = 'text/plain; version=0.0.4';

export const clusterRoutes = [
  defineRoute({
    id: 'cluster.dashboard',
    method: 'GET',
    path: '/api/dashboard',
    access: { kind: 'read' },
    summary: 'Tracked workloads, how many there are in all, client instances, and what most needs attention.',
    query: targetQuery,
    answer: z.object({
      /** Those that are tracked. */
      workloads: z.array(workload),
      /** How many workloads there are in each state, tracked or not; states without any are absent. */
      workload_counts: z.partialRecord(healthState, count).optional(),
      instances: z.array(instance),
      attention: z.array(attention),
      /** The diagnosis whose findings are in `attention`; absent for a cluster that cannot be read. */
      diagnosis: z
        .object({
          /** End of the diagnosis that produced the findings; absent before the first diagnosis. */
          at: time.optional(),
          /** Whether one is under way now. */
          running: z.boolean(),
        })
        .optional(),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'cluster.controlPlanes',
    method: 'GET',
    path: '/api/control-planes',
    access: { kind: 'read' },
    summary:
      'Control planes and instances: probes as specified and as they are, drift, and health check by check.',
    query: targetQuery,
    answer: z.object({ items: z.array(controlPlane), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'cluster.nodes',
    method: 'GET',
    path: '/api/cluster-nodes',
    access: { kind: 'read' },
    summary:
      'Nodes with their load, pressures, and whether dedicated ones are kept to those they are dedicated to.',
    query: targetQuery,
    answer: z.object({ items: z.array(nodeRow), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'cluster.node',
    method: 'GET',
    path: '/api/nodes/{name}',
    access: { kind: 'read' },
    summary: 'One node: conditions, capacity, taints, and its pods by namespace.',
    params: z.object({ name: objectName }),
    query: targetQuery,
    answer: z.object({
      /** Absent when it could not be read; a node that does not exist is 404. */
      node: nodeRow.optional(),
      conditions: z.array(condition),
      labels: z.record(z.string(), z.string()),
      namespaces: z.array(z.object({ namespace: z.string(), pods: z.array(pod) })),
      events: z.array(clusterEvent),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'cluster.namespaces',
    method: 'GET',
    path: '/api/namespaces',
    access: { kind: 'read' },
    summary: 'Per namespace what runs, what fails and why, warnings, quotas, and a verdict.',
    query: targetQuery,
    answer: z.object({ items: z.array(namespaceRow), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'cluster.namespace',
    method: 'GET',
    path: '/api/namespaces/{name}',
    access: { kind: 'read' },
    summary: 'One namespace: its workloads, pods and warning events.',
    params: z.object({ name: objectName }),
    query: targetQuery,
    answer: z.object({
      /** Absent when nothing of it could be read. */
      namespace: namespaceRow.optional(),
      workloads: z.array(workload),
      pods: z.array(pod),
      events: z.array(clusterEvent),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'cluster.services',
    method: 'GET',
    path: '/api/services',
    access: { kind: 'read' },
    summary: 'Serving status: ready of desired, endpoints, and whether a readiness probe backs it.',
    query: namespaceFilter,
    answer: z.object({ items: z.array(serviceRow), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'cluster.routes',
    method: 'GET',
    path: '/api/routes',
    access: { kind: 'read' },
    summary: 'Edge routes and `/studio/`, traced to service, endpoints and workload.',
    query: targetQuery,
    answer: z.object({ items: z.array(edgeRoute), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'cluster.security',
    method: 'GET',
    path: '/api/security',
    access: { kind: 'read' },
    summary:
      'Mesh CA per namespace: fingerprint, validity and chain; and every other certificate of Secrets, ConfigMaps and kubeconfigs, each once, worst first.',
    query: targetQuery,
    answer: z.object({
      items: z.array(meshCa),
      certificates: z.array(heldCertificate),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'cluster.object',
    method: 'GET',
    path: '/api/objects/{kind}/{name}',
    access: { kind: 'read' },
    summary:
      'One object as the cluster or the bundle has it, as YAML without managedFields; secret values are masked.',
    params: z.object({ kind: z.string().max(100), name: segmentName }),
    query: namespaceFilter.extend({
      /** API group of a kind that the console has no page for, or of which there are several; empty for the core group. */
      group: z.string().max(253).optional(),
    }),
    answer: z.object({ yaml: z.string().optional(), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'cluster.logs',
    method: 'GET',
    path: '/api/pods/{namespace}/{name}/logs',
    access: { kind: 'read' },
    summary:
      "A pod's log as text, each line as `<container> <line>` when several are asked for; `follow` streams until the caller goes away. Times stand before the container. At most 50 MB.",
    params: z.object({ namespace: labelName, name: objectName }),
    query: z.object({
      target: targetId.optional(),
      /** One container; without it all of them. */
      container: labelName.optional(),
      /** The run before the last restart. */
      previous: z.enum(['true', 'false']).optional(),
      follow: z.enum(['true', 'false']).optional(),
      /** Newest lines only. */
      tail: z.coerce.number().int().min(1).max(1_000_000).optional(),
      /** Lines written since a time, or since a duration before now, such as `15m`; of a bundle, before it was taken. */
      since: z.union([z.string().regex(/^\d{1,6}[smhd]$/), time]).optional(),
      /** The time of each line before it, as the cluster has it. A bundle has the times it was captured with. */
      timestamps: z.enum(['true', 'false']).optional(),
    }),
    answer: 'stream',
  }),
  defineRoute({
    id: 'cluster.metrics',
    method: 'GET',
    path: '/api/metrics',
    access: { kind: 'read', token: 'CONSOLE_METRICS_TOKEN' },
    summary:
      'This process, and CPU and memory of workloads from metrics.k8s.io against requests and limits. Prometheus text for `Accept: text/plain; version=0.0.4`.',
    query: targetQuery,
    alternative: prometheusText,
    answer: metricsAnswer,
  }),
] as const;
