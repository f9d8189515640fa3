import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectionStatus } from '#shared/api/connectors.ts';
import { ConnectionsService, type ConnectionType } from '#shared/gen/datasource/v1/connections_pb.js';
import { call } from '../../core/api.ts';
import { consoleRpc } from '../../core/rpc.ts';

/** The catalogue of connectors, by name. It changes with the console's build alone. */
export const typesQuery = queryOptions({
  queryKey: ['connection-types'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<readonly ConnectionType[]> =>
    (await consoleRpc(ConnectionsService.method.listConnectionTypes, {}, signal)).types,
});

type Statuses = Readonly<Record<string, ConnectionStatus>>;

const byConnection = (items: readonly ConnectionStatus[]): Statuses =>
  Object.fromEntries(items.map((item) => [item.connection_id, item]));

/** The last probe of each connection, by its ID. */
export const statusesQuery = queryOptions({
  queryKey: ['connection-statuses'],
  queryFn: async (): Promise<Statuses> => byConnection((await call('connections.status')).items),
});

/** Connections that the console probes at once. */
const atOnce = 4;

export type Refreshing = {
  readonly error: Error | null;
  readonly working: boolean;
  /** IDs that are being probed. */
  readonly now: readonly string[];
  readonly done: number;
  readonly total: number;
  refresh(ids: readonly string[]): void;
};

const idle = { now: [] as readonly string[], done: 0, total: 0 };

/** Probes connections, as many at a time as the console does, so that each result is shown when it is there. */
export function useRefresh(): Refreshing {
  const client = useQueryClient();
  const [progress, setProgress] = useState(idle);
  const mutation = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (let done = 0; done < ids.length; done += atOnce) {
        const now = ids.slice(done, done + atOnce);
        setProgress({ now, done, total: ids.length });
        const { items } = await call('connections.refresh', { body: { ids: now } });
        client.setQueryData<Statuses>(statusesQuery.queryKey, (known) => ({
          ...known,
          ...byConnection(items),
        }));
      }
    },
    onSettled: () => {
      setProgress(idle);
      return client.invalidateQueries({ queryKey: statusesQuery.queryKey });
    },
  });
  const { mutate, error, isPending: working } = mutation;
  return { ...progress, error, working, refresh: (ids) => mutate(ids) };
}
