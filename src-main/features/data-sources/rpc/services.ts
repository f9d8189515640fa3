import type { ConnectRouter } from '@connectrpc/connect';
import { ConnectionsService } from '#shared/gen/datasource/v1/connections_pb.js';
import { ListenersService } from '#shared/gen/datasource/v1/listeners_pb.js';
import { RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import type { RpcGate } from '../../../grpc/rpc-gate.ts';
import type { DataSources } from '../data-sources.ts';
import { connectionsService } from './connections-service.ts';
import { listenersService } from './listeners-service.ts';
import { runnersService } from './runners-service.ts';

/** Adds the services of `datasource.v1` to a router. */
export function addDataSourceServices(router: ConnectRouter, sources: DataSources, gate: RpcGate): void {
  router.service(ConnectionsService, connectionsService(sources, gate));
  router.service(RunnersService, runnersService(sources, gate));
  router.service(ListenersService, listenersService(sources, gate));
}
