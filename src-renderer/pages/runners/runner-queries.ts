import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Listener, ListenersService } from '#shared/gen/datasource/v1/listeners_pb.js';
import { type Runner, RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import { consoleRpc } from '../../core/rpc.ts';

/** Every runner, by name. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: async ({ signal }): Promise<readonly Runner[]> =>
    (await consoleRpc(RunnersService.method.listRunners, {}, signal)).runners,
});

/** The listeners of all runners, by name. */
export const listenersQuery = queryOptions({
  queryKey: ['listeners'],
  queryFn: async ({ signal }): Promise<readonly Listener[]> =>
    (await consoleRpc(ListenersService.method.listListeners, {}, signal)).listeners,
});

/** Reads runners and listeners anew: a change of one shows in the other. */
export const readRunnersAgain = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: runnersQuery.queryKey }),
    client.invalidateQueries({ queryKey: listenersQuery.queryKey }),
  ]);
