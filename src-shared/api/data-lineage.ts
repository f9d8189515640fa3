import { z } from 'zod';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';
import { targetQuery } from './targets.ts';

/**
 * A node of data lineage as an app calls it: a connection, a dataset, a workload, such as `connection:orders` or
 * `s3://lake/orders`.
 */
const lineageNodeId = z.string().trim().min(1).max(300);

/** One data flow an app observed. Reports may repeat, overtake one another and be sent again: the newest counts. */
export const lineageEdge = z.object({
  from: lineageNodeId,
  to: lineageNodeId,
  /** The kind of flow in the app's own terms, such as `read`, `write` or `copy`. */
  kind: z.string().trim().min(1).max(100),
  /** How often it was observed until `last_seen`, in total. */
  count: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  last_seen: z.iso.datetime({ offset: true }),
});
export type LineageEdge = z.infer<typeof lineageEdge>;

const node = z.object({
  id: z.string(),
  /** `observed`: named by reports only. */
  kind: z.enum(['tenant', 'connection', 'instance', 'observed']),
  title: z.string(),
  tenant: z.string().optional(),
  /** Type of a connection, such as `postgres`. */
  type: z.string().optional(),
  /** Namespace of an instance. */
  namespace: z.string().optional(),
});
export type LineageNode = z.infer<typeof node>;

const flow = z.object({
  from: z.string(),
  to: z.string(),
  kind: z.string(),
  /** Follows from what is configured, whether or not anything was seen to flow. */
  declared: z.boolean(),
  /** Absent when no app reported it. */
  observed: z
    .object({ count: z.number(), last_seen: z.iso.datetime(), apps: z.array(z.string()) })
    .optional(),
});
export type LineageFlow = z.infer<typeof flow>;

export const dataLineageRoutes = [
  defineRoute({
    id: 'dataLineage.read',
    method: 'GET',
    path: '/api/data-lineage',
    access: { kind: 'read' },
    summary:
      'Declared topology of tenants, connections and instances, and the data flows that apps observed.',
    query: targetQuery,
    answer: z.object({ ...readingFields, nodes: z.array(node), edges: z.array(flow) }),
  }),
  defineRoute({
    id: 'dataLineage.reportEdges',
    method: 'POST',
    path: '/api/data-lineage/edges',
    access: { kind: 'machine', token: 'CONSOLE_LINEAGE_INGEST_TOKEN' },
    summary: 'Takes data flows that an app observed; of reports of one flow the newest counts.',
    body: z.object({
      /** The reporting app; apps that share a name share their flows. */
      app: z.string().trim().min(1).max(200).optional(),
      edges: z.array(lineageEdge).min(1).max(5_000),
    }),
    answer: z.object({ accepted: z.number().int() }),
  }),
] as const;
