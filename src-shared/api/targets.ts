import { z } from 'zod';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';

/** A cluster to read: the name of a kubeconfig context, `in-cluster`, `sandbox`, or `bundle:<id>`. */
export const targetId = z.string().trim().min(1).max(300);

/** The query of every read of a cluster: the target; without it the one the operator chose. */
export const targetQuery = z.object({ target: targetId.optional() });

/** The fields every answer read from a cluster has. `source`: `kubernetes`, `bundle` or `unavailable`. */
export const clusterReadingFields = {
  ...readingFields,
  /** The target that was read; absent when there is none. */
  target: z.string().optional(),
} as const;

/**
 * The state of a target. `unread`: not contacted yet, the console makes no call by itself; `ready`; `partly`:
 * answers, and refuses some requests; `unreachable`; `sign_in`: its token or certificate is not accepted, the
 * operator must renew it; `opening`: a bundle that is being read; `broken`: a bundle or a context that cannot
 * be used.
 */
export const targetState = z.enum([
  'unread',
  'ready',
  'partly',
  'unreachable',
  'sign_in',
  'opening',
  'broken',
]);
export type TargetState = z.infer<typeof targetState>;

export const target = z.object({
  id: z.string(),
  kind: z.enum(['context', 'in_cluster', 'sandbox', 'bundle']),
  /** Display name. */
  name: z.string(),
  state: targetState,
  /** Reason for the state and what to do, a sentence; always present unless `unread` or `ready`. */
  detail: z.string().optional(),
  /** Host of the API server, or file name of the bundle. */
  address: z.string().optional(),
  /** Kubernetes version, as the API server or the bundle has it. */
  version: z.string().optional(),
  /** For a bundle: when it was taken, and the source of that time. */
  taken_at: z.iso.datetime().optional(),
  taken_by: z.string().optional(),
  /** Whether the console may change anything in it (CONSOLE_WRITABLE_TARGETS); never for a bundle. */
  writable: z.boolean(),
  /** For a bundle: whether the caller may close it. */
  closable: z.boolean().optional(),
  /** Time of its last answer. */
  read_at: z.iso.datetime().optional(),
});
export type Target = z.infer<typeof target>;

/** An opened bundle. */
export const bundle = z.object({
  id: z.string(),
  /** ID of the target, `bundle:<id>`. */
  target: z.string(),
  name: z.string(),
  layout: z.enum(['support-bundle', 'cluster-info', 'must-gather', 'objects']).optional(),
  state: z.enum(['opening', 'open', 'failed', 'cancelled']),
  detail: z.string().optional(),
  opened_at: z.iso.datetime(),
  /** Whether the caller may close it: who opened it, and session admins. */
  closable: z.boolean(),
  taken_at: z.iso.datetime().optional(),
  /** By what the time it was taken is known, such as `newest node heartbeat`. */
  taken_by: z.string().optional(),
  version: z.string().optional(),
  bytes: z.number().int().nonnegative().optional(),
  files: z.number().int().nonnegative(),
  objects: z.number().int().nonnegative(),
  logs: z.number().int().nonnegative(),
  /** Parts that are missing or could not be parsed, one sentence each. */
  gaps: z.array(z.string()),
});
export type Bundle = z.infer<typeof bundle>;

/**
 * The progress of a bundle, an event of `GET /api/bundles/{id}/progress`; the last has state `open`, `failed`
 * or `cancelled`.
 */
export const bundleProgress = z.object({
  state: z.enum(['opening', 'open', 'failed', 'cancelled']),
  /** Current step, such as `Reading pods`. */
  step: z.string(),
  bytes_read: z.number().int().nonnegative(),
  /** Size of the file; absent for a folder. */
  bytes: z.number().int().nonnegative().optional(),
  files: z.number().int().nonnegative(),
  objects: z.number().int().nonnegative(),
  detail: z.string().optional(),
});
export type BundleProgress = z.infer<typeof bundleProgress>;

/** The state of a target, an event of `GET /api/targets/changes`, as far as the target has been contacted. */
export const clusterStatus = z.object({
  state: targetState,
  detail: z.string().optional(),
  version: z.string().optional(),
  /** Epoch milliseconds of its last answer. */
  readAt: z.number().optional(),
});

/** Resources that changed, by their plural names, an event of `GET /api/targets/changes`. */
export const targetChange = z.object({ resources: z.array(z.string()) });

export const bundleParams = z.object({ id: z.string().regex(/^[a-z0-9]{4,32}$/) });

export const targetRoutes = [
  defineRoute({
    id: 'targets.list',
    method: 'GET',
    path: '/api/targets',
    access: { kind: 'read' },
    summary: 'Clusters and bundles that can be read, how each stands, and which the caller chose.',
    answer: z.object({
      items: z.array(target),
      /** The one that reads without `?target=` go to; absent when there is none. */
      chosen: z.string().optional(),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'targets.select',
    method: 'POST',
    path: '/api/targets/select',
    access: { kind: 'own' },
    summary: 'Chooses the cluster or bundle that the caller reads from now on.',
    body: z.object({ target: targetId }),
    answer: z.object({ chosen: z.string() }),
  }),
  defineRoute({
    id: 'targets.retry',
    method: 'POST',
    path: '/api/targets/retry',
    access: { kind: 'own' },
    summary: 'Contacts a target anew at once, with its kubeconfig read again: after a sign-in, for one.',
    body: z.object({ target: targetId }),
    answer: target,
  }),
  defineRoute({
    id: 'targets.changes',
    method: 'GET',
    path: '/api/targets/changes',
    access: { kind: 'read' },
    summary:
      'Server-sent events `changed` with the resources that changed in a target, at most two a second, and `state` when the target itself does.',
    query: targetQuery,
    answer: 'events',
    events: { state: clusterStatus, changed: targetChange },
    endless: true,
  }),
  defineRoute({
    id: 'bundles.open',
    method: 'POST',
    path: '/api/bundles',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      ownSubject: true,
      action: 'bundles.open',
      target: 'bundles',
    },
    summary:
      'Opens an offline bundle: a path of this machine (from the desktop window or a console on loopback only), or an upload.',
    accepts: ['application/json', 'application/octet-stream'],
    query: z.object({ name: z.string().trim().min(1).max(255).optional() }),
    body: z.union([z.object({ path: z.string().trim().min(1).max(4096) }), z.custom<UploadedFile>(isUpload)]),
    answer: bundle,
  }),
  defineRoute({
    id: 'bundles.list',
    method: 'GET',
    path: '/api/bundles',
    access: { kind: 'read' },
    summary: 'Bundles that are open or being opened.',
    answer: z.object({ items: z.array(bundle), ...readingFields }),
  }),
  defineRoute({
    id: 'bundles.progress',
    method: 'GET',
    path: '/api/bundles/{id}/progress',
    access: { kind: 'read' },
    summary: 'Server-sent events while a bundle is opened; ends when it is open, failed or cancelled.',
    params: bundleParams,
    answer: 'events',
    events: { progress: bundleProgress },
  }),
  defineRoute({
    id: 'bundles.close',
    method: 'DELETE',
    path: '/api/bundles/{id}',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      ownSubject: true,
      localOperator: true,
      action: 'bundles.close',
      target: 'params.id',
    },
    summary:
      "Closes a bundle that one opened oneself, or anyone's for session admins; cancels its opening, and removes an uploaded file.",
    params: bundleParams,
    answer: z.object({ closed: z.boolean() }),
  }),
] as const;

/** A body that is taken as it comes, piece by piece. */
export type UploadedFile = { readonly bytes: AsyncIterable<Uint8Array>; readonly length: number | undefined };

function isUpload(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'bytes' in value;
}
