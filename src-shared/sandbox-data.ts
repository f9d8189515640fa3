import { z } from 'zod';

const text = z.string();
const texts = z.record(text, text);

/** What the sandbox platform has of data sources, for the console to show while it runs; it may be another process. */
export const sandboxData = z.object({
  connections: z.array(
    z.object({ name: text, type: text, tenant: text, settings: texts, credentials: texts }),
  ),
  runners: z.array(
    z.object({
      name: text,
      address: text,
      labels: texts,
      /** `live` is enrolled and speaks; `waiting` has a ticket that nobody redeemed. */
      state: z.enum(['live', 'waiting', 'revoked']),
      /** Ports it forwards to connections, by name; `reason` where it could not open one. */
      listeners: z.array(
        z.object({ name: text, connection: text, port: z.number(), reason: text.optional() }),
      ),
    }),
  ),
  assets: z.array(
    z.object({
      name: text,
      currency: text,
      price_minor: z.number(),
      residual_minor: z.number(),
      in_service_on: text,
      lifetime_months: z.number(),
      nodes: z.array(text),
    }),
  ),
  /** Private network of its servers, in CIDR notation; its addresses are nobody else's. */
  network: text,
  /** Address of each server, by host name. */
  names: texts,
  /** Port on loopback behind each address. */
  ports: z.record(text, z.number()),
});
export type SandboxData = z.infer<typeof sandboxData>;
