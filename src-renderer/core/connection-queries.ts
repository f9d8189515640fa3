import { queryOptions } from '@tanstack/react-query';
import { type Connection, ConnectionsService } from '#shared/gen/datasource/v1/connections_pb.js';
import { consoleRpc } from './rpc.ts';

/** Connections of one page of the service. */
const pageSize = 500;

/** Every registered connection, by name. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: async ({ signal }): Promise<readonly Connection[]> => {
    const read: Connection[] = [];
    let pageToken = '';
    do {
      const page = await consoleRpc(
        ConnectionsService.method.listConnections,
        { pageSize, pageToken },
        signal,
      );
      read.push(...page.connections);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    return read;
  },
});
