import { z } from 'zod';
import { dataSourceDeprecation, dataSourceId, dataSourceName } from './connections.ts';
import { defineRoute } from './route.ts';

/** Host name or address at which applications reach a runner; empty for none. */
export const runnerAddress = z
  .string()
  .trim()
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,252}))?$/, 'must be a host name or address');

/** Labels of a runner, as Kubernetes names them. */
export const runnerLabels = z
  .record(
    z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/),
    z.string().regex(/^[A-Za-z0-9._-]{0,63}$/),
  )
  .refine((labels) => Object.keys(labels).length <= 20, 'must be 20 labels at most');

/** An enrolment ticket without its secret. */
export const runnerTicket = z.object({
  id: dataSourceId,
  created_at: z.iso.datetime(),
  created_by: z.string().optional(),
  /** 15 minutes after it was created. */
  expires_at: z.iso.datetime(),
});
export type RunnerTicket = z.infer<typeof runnerTicket>;

/** A program that reaches data from its own network. */
export const runner = z.object({
  id: dataSourceId,
  name: z.string(),
  /** `enrolling`: its ticket was not redeemed yet; `offline`: it missed three heartbeats. */
  state: z.enum(['enrolling', 'connected', 'offline', 'revoked']),
  address: z.string().optional(),
  labels: z.record(z.string(), z.string()),
  /** As the runner says. */
  version: z.string().optional(),
  created_at: z.iso.datetime(),
  created_by: z.string().optional(),
  enrolled_at: z.iso.datetime().optional(),
  last_seen_at: z.iso.datetime().optional(),
  revoked_at: z.iso.datetime().optional(),
  revoked_by: z.string().optional(),
  /** Tickets that can still be redeemed. */
  tickets: z.array(runnerTicket),
});
export type Runner = z.infer<typeof runner>;

/** A port of a runner that leads to a connection. */
export const listener = z.object({
  id: dataSourceId,
  name: z.string(),
  runner_id: dataSourceId,
  connection_id: dataSourceId,
  port: z.number().int(),
  /** `pending`: its runner did not report on it yet; `offline`: its runner is offline or revoked. */
  state: z.enum(['pending', 'listening', 'failed', 'offline']),
  reason: z.string().optional(),
  reported_at: z.iso.datetime().optional(),
  created_at: z.iso.datetime(),
  created_by: z.string().optional(),
});
export type Listener = z.infer<typeof listener>;

/** A ticket with its secret, which is answered this once. */
const newTicket = z.object({ ticket: runnerTicket, secret: z.string() });

const mayChange = { kind: 'write', allowlist: 'CONSOLE_CONNECTION_ADMINS' } as const;
const params = z.object({ id: dataSourceId });
const deprecated = { ...dataSourceDeprecation, successor: '/datasource.v1.RunnersService' } as const;

export const runnerRoutes = [
  defineRoute({
    id: 'runners.list',
    method: 'GET',
    path: '/api/runners',
    access: { kind: 'read' },
    deprecated,
    summary: 'Data-access runners, by name.',
    answer: z.object({ items: z.array(runner) }),
  }),
  defineRoute({
    id: 'runners.enrol',
    method: 'POST',
    path: '/api/runners',
    access: { ...mayChange, action: 'runners.enrol', target: 'body.name' },
    deprecated,
    summary: 'Enrols a runner; its one-time ticket is answered this once and is valid for 15 minutes.',
    body: z.strictObject({
      name: dataSourceName,
      address: runnerAddress.optional(),
      labels: runnerLabels.optional(),
    }),
    answer: newTicket.extend({ runner }),
  }),
  defineRoute({
    id: 'runners.ticket',
    method: 'POST',
    path: '/api/runners/{id}/token',
    access: { ...mayChange, action: 'runners.ticket', target: 'params.id' },
    deprecated,
    summary: 'Answers another enrolment ticket of a runner; redeeming it ends the token in use.',
    params,
    answer: newTicket,
  }),
  defineRoute({
    id: 'runners.connect',
    method: 'POST',
    path: '/api/runners/{id}/connect',
    access: { kind: 'open' },
    deprecated,
    summary: "Redeems an enrolment ticket, which is the caller's only proof, for the runner's own token.",
    params,
    body: z.strictObject({ secret: z.string().min(1).max(200), version: z.string().max(60).optional() }),
    answer: z.object({ runner, token: z.string(), heartbeat_seconds: z.number().int() }),
  }),
  defineRoute({
    id: 'runners.revoke',
    method: 'POST',
    path: '/api/runners/{id}/revoke',
    access: { ...mayChange, action: 'runners.revoke', target: 'params.id' },
    deprecated,
    summary: "Ends a runner's token, tickets and listeners for good; its row stays.",
    params,
    answer: runner,
  }),
  defineRoute({
    id: 'runners.changeAddress',
    method: 'PATCH',
    path: '/api/runners/{id}/address',
    access: { ...mayChange, action: 'runners.change', target: 'params.id' },
    deprecated,
    summary: 'Changes the address at which applications reach a runner.',
    params,
    body: z.strictObject({ address: runnerAddress }),
    answer: runner,
  }),
  defineRoute({
    id: 'runners.changeLabels',
    method: 'PATCH',
    path: '/api/runners/{id}/labels',
    access: { ...mayChange, action: 'runners.change', target: 'params.id' },
    deprecated,
    summary: 'Replaces the labels of a runner.',
    params,
    body: z.strictObject({ labels: runnerLabels }),
    answer: runner,
  }),
  defineRoute({
    id: 'runners.revokeTicket',
    method: 'DELETE',
    path: '/api/runner-tokens/{id}',
    access: { ...mayChange, action: 'runners.revoke_ticket', target: 'params.id' },
    deprecated,
    summary: 'Makes an unused enrolment ticket worthless; 404 for one that was used or has expired.',
    params,
    answer: z.object({ revoked: z.boolean() }),
  }),
] as const;
