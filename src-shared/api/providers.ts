import { z } from 'zod';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';

/** Cloud providers whose fleet the console can read. */
export const providerName = z.enum(['gcp']);
export type ProviderName = z.infer<typeof providerName>;

/** A cloud provider as it is configured; never a credential's value. */
export const provider = z.object({
  provider: providerName,
  /** Such as `Google Cloud`. */
  name: z.string(),
  documentation: z.url(),
  /** Whether its fleet is read; off until somebody turns it on. */
  enabled: z.boolean(),
  project: z.string().optional(),
  credentials: z.array(z.object({ key: z.string(), label: z.string(), set: z.boolean() })),
  /** Connection types of the catalogue that it publishes. */
  connectors: z.array(z.string()),
  updated_at: z.iso.datetime().optional(),
  updated_by: z.string().optional(),
});
export type Provider = z.infer<typeof provider>;

/** A cluster that is a member of the provider's fleet. */
export const fleetMembership = z.object({
  /** Such as `projects/northgate/locations/global/memberships/edge-1`. */
  name: z.string(),
  location: z.string(),
  /** As the provider says, such as `READY`. */
  state: z.string(),
  description: z.string().optional(),
  labels: z.record(z.string(), z.string()),
  /** The cluster as the provider names it. */
  cluster: z.string().optional(),
  kubernetes_version: z.string().optional(),
  nodes: z.number().int().optional(),
  vcpus: z.number().int().optional(),
  memory_bytes: z.number().int().optional(),
  created_at: z.iso.datetime().optional(),
  /** Time at which the cluster last contacted the fleet. */
  last_connection_at: z.iso.datetime().optional(),
});
export type FleetMembership = z.infer<typeof fleetMembership>;

export const providerRoutes = [
  defineRoute({
    id: 'providers.list',
    method: 'GET',
    path: '/api/providers',
    access: { kind: 'read' },
    summary:
      'Cloud providers as they are configured, and the connectors that the platform publishes of each.',
    answer: z.object({ items: z.array(provider) }),
  }),
  defineRoute({
    id: 'providers.configure',
    method: 'POST',
    path: '/api/providers',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_CONNECTION_ADMINS',
      action: 'providers.configure',
      target: 'body.provider',
    },
    summary:
      'Configures a cloud provider; its key goes to the keychain or the sealed store and is never answered.',
    body: z.strictObject({
      provider: providerName,
      enabled: z.boolean(),
      project: z
        .string()
        .trim()
        .regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the ID of a project')
        .optional(),
      /** Key of a service account as the provider hands it out, JSON; null forgets it, absent leaves it. */
      service_account_key: z.string().min(1).max(16_384).nullable().optional(),
    }),
    answer: provider,
  }),
  defineRoute({
    id: 'providers.gcpStatus',
    method: 'GET',
    path: '/api/providers/gcp/status',
    access: { kind: 'read' },
    summary: 'Live memberships of the fleet in Google Cloud, when its provider is turned on.',
    answer: z.object({
      enabled: z.boolean(),
      project: z.string().optional(),
      items: z.array(fleetMembership),
      ...readingFields,
    }),
  }),
] as const;
