import { z } from 'zod';
import { labelName, segmentName } from '../platform/kubernetes-names.ts';
import { clusterEvent, condition } from './cluster.ts';
import { defineRoute } from './route.ts';
import { clusterReadingFields, targetQuery } from './targets.ts';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();

/** An API group; empty for the core group. */
const group = z
  .string()
  .max(253)
  .regex(/^[a-z0-9.-]*$/, 'must be an API group');

/** A kind's plural, as kubectl takes it. */
const plural = z
  .string()
  .max(253)
  .regex(/^[a-z0-9.-]+$/, 'must be the plural of a kind, such as deployments');

const kindName = z
  .string()
  .max(253)
  .regex(/^[A-Za-z][A-Za-z0-9]*$/, 'must be a kind, such as Deployment');

/** A kind as the cluster serves it. */
export const servedKind = z.object({
  /** Empty for the core group. */
  group: z.string(),
  /** The version its objects are read in. */
  version: z.string(),
  plural: z.string(),
  kind: z.string(),
  namespaced: z.boolean(),
  short_names: z.array(z.string()),
  /** Objects of it; absent where that was not asked yet (`GET /api/object-counts`). */
  count: count.optional(),
});
export type ServedKind = z.infer<typeof servedKind>;

/** A column as `kubectl get` heads it. */
export const objectColumn = z.object({
  name: z.string(),
  /** `string`, `integer`, `number`, `boolean` or `date`, as the server names it. */
  type: z.string(),
  /** True for what `kubectl get` shows with `-o wide` only. */
  wide: z.boolean(),
});
export type ObjectColumn = z.infer<typeof objectColumn>;

/** An object by what identifies it. */
const reference = z.object({
  group: z.string(),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
});

/** A row of a list: one object. */
export const objectRow = z.object({
  name: z.string(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  created_at: time.optional(),
  /** The controller that owns it. */
  owner: z.object({ kind: z.string(), name: z.string() }).optional(),
  /** In the order of the columns; null where the object has nothing to show. */
  cells: z.array(z.union([z.string(), z.number(), z.boolean()]).nullable()),
});
export type ObjectRow = z.infer<typeof objectRow>;

/** An object that another one has to do with. */
const relative = reference.extend({
  /** How it is related, such as `controls` or `mounts`. */
  relation: z.string(),
  /** Whether it is there; absent where that was not read. */
  found: z.boolean().optional(),
  /** What `kubectl get` would show of it beside its name, one clause. */
  detail: z.string().optional(),
});
export type RelatedObject = z.infer<typeof relative>;

const objectView = z.object({
  object: reference
    .extend({
      version: z.string(),
      plural: z.string(),
      uid: z.string().optional(),
      created_at: time.optional(),
      /** Set while it is being deleted. */
      deleted_at: time.optional(),
      generation: count.optional(),
      resource_version: z.string().optional(),
      labels: z.record(z.string(), z.string()),
      /** Without the one that repeats the object. */
      annotations: z.record(z.string(), z.string()),
      finalizers: z.array(z.string()),
    })
    .optional(),
  conditions: z.array(condition),
  /** Objects that own it, its controller first. */
  owners: z.array(relative),
  /** Objects that name it as their owner. */
  owned: z.array(relative),
  /** Newest first. */
  events: z.array(clusterEvent),
  ...clusterReadingFields,
});
export type ObjectView = z.infer<typeof objectView>;

export const objectRoutes = [
  defineRoute({
    id: 'objects.kinds',
    method: 'GET',
    path: '/api/object-kinds',
    access: { kind: 'read' },
    summary:
      'Every kind of a cluster, custom ones too, as its discovery names them; of a bundle those it holds, with their number.',
    query: targetQuery,
    answer: z.object({ items: z.array(servedKind), ...clusterReadingFields }),
  }),
  defineRoute({
    id: 'objects.counts',
    method: 'GET',
    path: '/api/object-counts',
    access: { kind: 'read' },
    summary:
      'How many objects of each kind there are, asked of the cluster without reading them; a kind that may not be listed is absent.',
    query: targetQuery,
    answer: z.object({
      items: z.array(z.object({ group: z.string(), plural: z.string(), count })),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'objects.list',
    method: 'GET',
    path: '/api/objects',
    access: { kind: 'read' },
    summary:
      'A page of the objects of any kind with the columns of `kubectl get`: as the server prints them, or for a bundle as the definition in it says.',
    query: targetQuery.extend({
      group: group.optional(),
      plural,
      namespace: labelName.optional(),
      /** A label selector, such as `app=web,tier in (a,b)`. */
      selector: z.string().max(1_000).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).optional(),
      /** The page after the one that answered this. */
      continue: z.string().max(4_000).optional(),
    }),
    answer: z.object({
      columns: z.array(objectColumn),
      items: z.array(objectRow),
      /** Names the next page; absent at the end. */
      continue: z.string().optional(),
      /** Objects after this page, where the cluster says so. */
      remaining: count.optional(),
      ...clusterReadingFields,
    }),
  }),
  defineRoute({
    id: 'objects.view',
    method: 'GET',
    path: '/api/objects/{kind}/{name}/view',
    access: { kind: 'read' },
    summary: 'One object with its owners, what it owns, its conditions and its events.',
    params: z.object({ kind: kindName, name: segmentName }),
    query: targetQuery.extend({ group: group.optional(), namespace: labelName.optional() }),
    answer: objectView,
  }),
] as const;
