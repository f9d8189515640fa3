import type { ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import {
  connectionRoutes,
  connectionSettings,
  dataSourceId,
  dataSourceName,
  tenantName,
} from '#shared/api/connections.ts';
import { connectionTypeName } from '#shared/api/connectors.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { ConnectionsService } from '#shared/gen/datasource/v1/connections_pb.js';
import { pageOf } from '../../../grpc/page-of.ts';
import type { RpcGate } from '../../../grpc/rpc-gate.ts';
import { actingOf } from '../acting.ts';
import { shownConnector } from '../catalogue/read-connectors.ts';
import type { DataSources } from '../data-sources.ts';
import { refreshSummary } from '../status/refresh.ts';
import { connectionMessage, statusMessage, typeMessage } from './messages.ts';
import { checked } from './requests.ts';

const idOnly = z.object({ id: dataSourceId });
const ids = z.array(dataSourceId).max(500);
const maskPaths = z
  .array(z.enum(['name', 'tenant', 'settings', 'credentials']))
  .min(1, 'must name a field that changes');
const emptyAsUnset = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const filter = z.object({
  tenant: emptyAsUnset(tenantName),
  type: emptyAsUnset(connectionTypeName),
});
const createBody = connectionRoutes[1].body;
const changed = z
  .object({
    name: dataSourceName,
    tenant: tenantName,
    settings: connectionSettings,
    /** An empty text forgets a credential. */
    credentials: z.record(z.string(), z.string().max(16_384)),
  })
  .partial();

const usualPage = 100;
const mayChange = { allowlist: 'CONSOLE_CONNECTION_ADMINS' } as const;

/** datasource.v1.ConnectionsService: the register of connections and their probes. */
export function connectionsService(
  { connectors, connections, statuses, refresh }: DataSources,
  gate: RpcGate,
): ServiceImpl<typeof ConnectionsService> {
  return {
    listConnectionTypes: (_request, context) =>
      gate.read(context, async () => ({
        types: [...connectors().values()].map((one) => typeMessage(shownConnector(one))),
      })),

    listConnections: (request, context) =>
      gate.read(context, async () => {
        const all = await connections.list(checked(filter, request));
        const { items, nextPageToken } = pageOf(all, request, usualPage);
        return { connections: items.map(connectionMessage), nextPageToken };
      }),

    getConnection: (request, context) =>
      gate.read(context, async () => {
        const { id } = checked(idOnly, request);
        return { connection: connectionMessage(await connections.read(id)) };
      }),

    createConnection: (request, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'connections.create', target: request.name },
        async (call) => {
          const { name, type, tenant, settings, credentials } = request;
          const given = checked(createBody, { name, type, tenant, settings, credentials });
          const made = await connections.create(
            { ...given, credentials: given.credentials ?? {} },
            actingOf(call),
          );
          return { connection: connectionMessage(made) };
        },
      ),

    updateConnection: (request, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'connections.change', target: request.id },
        async (call) => {
          const { id } = checked(idOnly, request);
          const paths = checked(maskPaths, request.updateMask?.paths ?? []);
          // Only what the mask names is looked at.
          const named = Object.fromEntries(paths.map((path) => [path, request[path]]));
          const { name, tenant, settings, credentials } = checked(changed, named);
          const updated = await connections.change(
            id,
            {
              name,
              tenant,
              settings,
              credentials:
                credentials === undefined
                  ? undefined
                  : Object.fromEntries(
                      Object.entries(credentials).map(([key, value]) => [key, value === '' ? null : value]),
                    ),
              revision: request.revision === 0 ? undefined : request.revision,
            },
            actingOf(call),
          );
          return { connection: connectionMessage(updated) };
        },
      ),

    deleteConnection: (request, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'connections.delete', target: request.id },
        async (call) => {
          await connections.remove(checked(idOnly, request).id, actingOf(call));
          return {};
        },
      ),

    listConnectionStatuses: (request, context) =>
      gate.read(context, async () => {
        const { items, nextPageToken } = pageOf(
          await connections.choose(someOf(request.connectionIds)),
          request,
        );
        return { statuses: (await statuses.of(items)).map(statusMessage), nextPageToken };
      }),

    async *refreshConnectionStatuses(request, context) {
      const act = { ...mayChange, action: 'connections.refresh', target: 'connections' };
      yield* gate.writeStream(context, act, async (call, emit) => {
        const { email } = call.caller;
        if (email === undefined) throw new ConsoleError('NotSignedIn', 'You are not signed in.');
        const items = await refresh(await connections.choose(someOf(request.connectionIds)), {
          by: email,
          circumstances: call.circumstances,
          signal: call.signal,
          onStatus: (status) => emit({ status: statusMessage(status) }),
        });
        call.record(refreshSummary(items));
      });
    },
  };
}

function someOf(given: readonly string[]): readonly string[] | undefined {
  const chosen = checked(ids, given);
  return chosen.length === 0 ? undefined : chosen;
}
