import { z } from 'zod';
import { labelName, objectName } from '../platform/kubernetes-names.ts';
import { defineRoute } from './route.ts';

/** Name of a forward: part of its address. */
const forwardName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens');

/** Kinds of objects a forward leads to: it picks a ready pod of any but a pod, which it is itself. */
export const forwardKind = z.enum(['Service', 'Deployment', 'StatefulSet', 'DaemonSet', 'Pod']);
export type ForwardKind = z.infer<typeof forwardKind>;

const port = z.number().int().min(1).max(65_535);

/** The object a forward leads to, and the ports of both ends. */
export const forwardDefinition = z.strictObject({
  name: forwardName,
  /** Name of a live target. */
  target: z.string().min(1).max(512),
  namespace: labelName,
  kind: forwardKind,
  object: objectName,
  /** Port of the Service, or of the pod, by number or by name. */
  port: z.union([
    port,
    z.string().regex(/^(?=.*[a-z])[a-z0-9-]{1,15}$/, 'must be a port number or its name'),
  ]),
  /** Port on this machine; absent for any free one, which the forward then keeps. */
  local_port: port.min(1024).optional(),
});
export type ForwardDefinition = z.infer<typeof forwardDefinition>;

export const forward = z.object({
  ...forwardDefinition.shape,
  /** `listening`: connections to `address` are taken; `failed`: the port could not be opened, `reason` says why. */
  state: z.enum(['stopped', 'listening', 'failed']),
  reason: z.string().optional(),
  /** `127.0.0.1:PORT`, while it listens. */
  address: z.string().optional(),
  /** Pod of the newest connection. */
  pod: z.string().optional(),
  /** Open connections, and those that were opened since it was started. */
  open: z.number().int(),
  opened: z.number().int(),
  /** Bytes since it was started: to the pod, and from it. */
  bytes_sent: z.number().int(),
  bytes_received: z.number().int(),
  /** The last connection that did not reach a pod: when, and why. */
  last_failure: z.object({ at: z.iso.datetime(), reason: z.string() }).optional(),
});
export type Forward = z.infer<typeof forward>;

const write = { kind: 'write', allowlist: 'CONSOLE_CLUSTER_ADMINS' } as const;

export const forwardRoutes = [
  defineRoute({
    id: 'forwards.list',
    method: 'GET',
    path: '/api/forwards',
    access: { kind: 'read' },
    summary: 'Port forwards of this machine, each with its state and what it carried.',
    answer: z.object({
      items: z.array(forward),
      /** Why forwards cannot be used here; absent where they can. */
      unavailable: z.string().optional(),
    }),
  }),
  defineRoute({
    id: 'forwards.create',
    method: 'POST',
    path: '/api/forwards',
    access: { ...write, action: 'forwards.create', target: 'body.name' },
    summary:
      'Keeps a port forward by name and starts it. 409 for a name that is taken, 422 where the port cannot be opened.',
    body: forwardDefinition,
    answer: forward,
  }),
  defineRoute({
    id: 'forwards.start',
    method: 'POST',
    path: '/api/forwards/{name}/start',
    access: { ...write, action: 'forwards.start', target: 'params.name' },
    summary: 'Starts a port forward that is kept. 422 where its port cannot be opened.',
    params: z.object({ name: forwardName }),
    answer: forward,
  }),
  defineRoute({
    id: 'forwards.stop',
    method: 'POST',
    path: '/api/forwards/{name}/stop',
    access: { ...write, action: 'forwards.stop', target: 'params.name' },
    summary: 'Stops a port forward: its port is closed and its connections end.',
    params: z.object({ name: forwardName }),
    answer: forward,
  }),
  defineRoute({
    id: 'forwards.delete',
    method: 'DELETE',
    path: '/api/forwards/{name}',
    access: { ...write, action: 'forwards.delete', target: 'params.name' },
    summary: 'Stops a port forward and forgets it.',
    params: z.object({ name: forwardName }),
    answer: z.object({ deleted: z.literal(true) }),
  }),
] as const;
