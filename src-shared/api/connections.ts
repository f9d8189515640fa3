import { z } from 'zod';
import { connectionStatus, connectionType, connectionTypeName } from './connectors.ts';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';

/** ID of a connection, runner, ticket or listener. */
export const dataSourceId = z.string().regex(/^[a-z0-9]{8,32}$/, 'must be an ID as the list has it');

/** Name of a connection, runner or listener. */
export const dataSourceName = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}$/,
    'must be 1 to 80 letters, digits, spaces, dots, dashes or underscores',
  );

/** Name of a tenant. */
export const tenantName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, dots, dashes or underscores');

const key = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);

/** Settings by name; what each may be, its type says. */
export const connectionSettings = z.record(key, z.string().max(16_384));

/** Credentials by key. */
const givenCredentials = z.record(key, z.string().min(1).max(16_384));

/** A registered data source of a tenant; never a credential's value. */
export const connection = z.object({
  id: dataSourceId,
  /** Unique in its tenant. */
  name: z.string(),
  type: z.string(),
  tenant: z.string(),
  settings: z.record(z.string(), z.string()),
  /** Every credential of its type and whether it is set. */
  credentials: z.array(
    z.object({ key: z.string(), set: z.boolean(), kept_in: z.enum(['keychain', 'sealed']).optional() }),
  ),
  /** Host and port that a refresh dials, such as `db.example.com:5432`. */
  endpoint: z.string(),
  /** Grows with every change. */
  revision: z.number().int(),
  created_at: z.iso.datetime(),
  created_by: z.string().optional(),
  updated_at: z.iso.datetime(),
  updated_by: z.string().optional(),
});
export type Connection = z.infer<typeof connection>;

const mayChange = { kind: 'write', allowlist: 'CONSOLE_CONNECTION_ADMINS' } as const;
const params = z.object({ id: dataSourceId });

/** The aliases of `datasource.v1` are kept for one release (CON-125, CON-203). */
export const dataSourceDeprecation = {
  since: '2026-11-23T00:00:00Z',
  sunset: '2027-05-31T00:00:00Z',
} as const;

const deprecated = {
  ...dataSourceDeprecation,
  successor: '/datasource.v1.ConnectionsService',
} as const;

export const connectionRoutes = [
  defineRoute({
    id: 'connections.list',
    method: 'GET',
    path: '/api/connections',
    access: { kind: 'read' },
    deprecated,
    summary: 'The data-source connections of tenants, by name.',
    query: z.object({ tenant: tenantName.optional(), type: connectionTypeName.optional() }),
    answer: z.object({ items: z.array(connection) }),
  }),
  defineRoute({
    id: 'connections.create',
    method: 'POST',
    path: '/api/connections',
    access: { ...mayChange, action: 'connections.create', target: 'body.name' },
    deprecated,
    summary:
      'Registers a connection; its credentials go to the keychain or the sealed store and are never answered.',
    body: z.strictObject({
      name: dataSourceName,
      type: connectionTypeName,
      tenant: tenantName,
      settings: connectionSettings,
      credentials: givenCredentials.optional(),
    }),
    answer: connection,
  }),
  defineRoute({
    id: 'connections.read',
    method: 'GET',
    path: '/api/connections/{id}',
    access: { kind: 'read' },
    deprecated,
    summary: 'One connection.',
    params,
    answer: connection,
  }),
  defineRoute({
    id: 'connections.change',
    method: 'PUT',
    path: '/api/connections/{id}',
    access: { ...mayChange, action: 'connections.change', target: 'params.id' },
    deprecated,
    summary:
      'Changes a connection. Kept credentials stay with their endpoint: another endpoint needs them again, or 422.',
    params,
    body: z.strictObject({
      name: dataSourceName.optional(),
      tenant: tenantName.optional(),
      /** Replaces all settings. */
      settings: connectionSettings.optional(),
      /** By key; null forgets that credential, one that is not named stays. */
      credentials: z.record(key, z.string().min(1).max(16_384).nullable()).optional(),
      /** Revision the change is based on; 409 when it is not the newest. */
      revision: z.number().int().positive().optional(),
    }),
    answer: connection,
  }),
  defineRoute({
    id: 'connections.delete',
    method: 'DELETE',
    path: '/api/connections/{id}',
    access: { ...mayChange, action: 'connections.delete', target: 'params.id' },
    deprecated,
    summary: 'Forgets a connection, its credentials, its listeners and its status.',
    params,
    answer: z.object({ deleted: z.boolean() }),
  }),
  defineRoute({
    id: 'connections.types',
    method: 'GET',
    path: '/api/connection-types',
    access: { kind: 'read' },
    summary: 'Catalogue of connectors: settings and credential keys of each type.',
    answer: z.object({ items: z.array(connectionType) }),
  }),
  defineRoute({
    id: 'connections.status',
    method: 'GET',
    path: '/api/connectors/status',
    access: { kind: 'read' },
    summary: 'The last probe of each connection; never dials.',
    answer: z.object({ items: z.array(connectionStatus), ...readingFields }),
  }),
  defineRoute({
    id: 'connections.refresh',
    method: 'POST',
    path: '/api/connectors/status/refresh',
    access: { ...mayChange, action: 'connections.refresh', target: 'connections' },
    summary:
      'Probes connections, 4 at a time and 5 s each: DNS, address rules, TCP, TLS, protocol hello. No credential is sent; each dial is audited.',
    body: z.strictObject({
      /** Absent for all. */
      ids: z.array(dataSourceId).min(1).max(500).optional(),
    }),
    answer: z.object({ items: z.array(connectionStatus), ...readingFields }),
  }),
] as const;
