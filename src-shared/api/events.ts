import { z } from 'zod';
import { defineRoute } from './route.ts';

/**
 * Interval at which a silent stream sends a comment, in ms: otherwise a proxy would close it, and a reader
 * would not notice a dead peer.
 */
export const heartbeatMs = 15_000;

/** Most event streams one connection carries: a few for each window of a browser. */
export const maxSubscriptions = 100;

/** The name of a subscription, which its reader makes up. */
const subscription = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** The first event of a connection. */
const opened = z.object({
  /** ID of the connection, used by subscriptions. */
  id: z.string(),
});

/** One event of a subscribed stream. */
const carried = z.object({
  subscription,
  event: z.string(),
  /** As the stream's own route declares it. */
  data: z.unknown(),
  id: z.string().optional(),
});
export type CarriedEvent = z.infer<typeof carried>;

/** The end of a subscription. With a status it is the error that the stream's own route answers. */
const ended = z.object({
  subscription,
  status: z.number().int().optional(),
  error: z.string().optional(),
  retry_after: z.string().optional(),
});
export type EndedSubscription = z.infer<typeof ended>;

const parameters = z
  .record(z.string().max(64), z.string().max(4096))
  .refine((value) => Object.keys(value).length <= 16, 'at most 16 are taken');

const connectionParams = z.object({ connection: z.string().min(1).max(64) });

export const eventRoutes = [
  defineRoute({
    id: 'events.open',
    method: 'GET',
    path: '/api/events',
    access: { kind: 'read' },
    summary:
      'One connection for many event streams: names itself, then carries the events of what is subscribed to over it.',
    answer: 'events',
    events: { connection: opened, event: carried, ended },
  }),
  defineRoute({
    id: 'events.subscribe',
    method: 'POST',
    path: '/api/events/{connection}/subscriptions',
    access: { kind: 'read' },
    summary:
      "Subscribes to a route's event stream over the caller's own connection; what that route refuses comes as `ended`.",
    params: connectionParams,
    body: z.strictObject({
      id: subscription,
      /** The route's name in this document, its `operationId`. */
      route: z.string().max(100),
      params: parameters.optional(),
      query: parameters.optional(),
      /** The last event of the stream that the caller has. */
      last_event_id: z.string().max(200).optional(),
    }),
    answer: z.object({ subscription }),
  }),
  defineRoute({
    id: 'events.unsubscribe',
    method: 'DELETE',
    path: '/api/events/{connection}/subscriptions/{id}',
    access: { kind: 'read' },
    summary: "Ends a subscription of the caller's own connection.",
    params: connectionParams.extend({ id: subscription }),
    answer: z.object({ ended: z.boolean() }),
  }),
] as const;
