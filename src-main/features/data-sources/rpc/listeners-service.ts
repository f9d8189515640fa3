import type { ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import { dataSourceId, dataSourceName } from '#shared/api/connections.ts';
import type { ListenersService } from '#shared/gen/datasource/v1/listeners_pb.js';
import { pageOf } from '../../../grpc/page-of.ts';
import type { RpcGate } from '../../../grpc/rpc-gate.ts';
import { actingOf } from '../acting.ts';
import type { DataSources } from '../data-sources.ts';
import { listenerMessage } from './messages.ts';
import { checked } from './requests.ts';

const filterId = z.union([z.literal('').transform(() => undefined), dataSourceId]);
const filter = z.object({ runnerId: filterId, connectionId: filterId });
const listener = z.object({
  name: dataSourceName,
  runnerId: dataSourceId,
  connectionId: dataSourceId,
  port: z.number().int().min(1024).max(65_535),
});
const idOnly = z.object({ id: dataSourceId });
const mayChange = { allowlist: 'CONSOLE_CONNECTION_ADMINS' } as const;

/** datasource.v1.ListenersService: the ports that runners open for connections. */
export function listenersService(
  { listeners }: DataSources,
  gate: RpcGate,
): ServiceImpl<typeof ListenersService> {
  return {
    listListeners: (request, context) =>
      gate.read(context, async () => {
        const { items, nextPageToken } = pageOf(await listeners.list(checked(filter, request)), request);
        return { listeners: items.map(listenerMessage), nextPageToken };
      }),

    createListener: (request, context) =>
      gate.write(
        context,
        { ...mayChange, action: 'listeners.create', target: request.name },
        async (call) => {
          const made = await listeners.create(checked(listener, request), actingOf(call));
          return { listener: listenerMessage(made) };
        },
      ),

    deleteListener: (request, context) =>
      gate.write(context, { ...mayChange, action: 'listeners.delete', target: request.id }, async (call) => {
        await listeners.remove(checked(idOnly, request).id, actingOf(call));
        return {};
      }),
  };
}
