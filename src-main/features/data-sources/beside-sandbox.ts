import type { Connection } from '#shared/api/connections.ts';
import type { ConnectionStatus } from '#shared/api/connectors.ts';
import { ConsoleError } from '#shared/errors.ts';
import { compareText } from '#shared/text.ts';
import type { DataSources } from './data-sources.ts';

/**
 * Shows the data sources of the sandbox beside the operator's while it runs: each is read and changed where it is kept, and
 * what is added is the operator's. What is made up is never in the operator's store, and gone with the sandbox.
 */
export function besideSandbox(
  own: DataSources,
  sandbox: () => Promise<DataSources | undefined>,
): DataSources {
  const both = async <T>(read: (sources: DataSources) => Promise<readonly T[]>): Promise<T[]> => {
    const made = await sandbox();
    const lists = await Promise.all([own, ...(made === undefined ? [] : [made])].map(read));
    return lists.flat();
  };
  const byName = <T extends { readonly name: string; readonly id: string }>(items: readonly T[]): T[] =>
    items.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  /** Returns the side that has an item with this ID; the operator's where neither has. */
  const sideOf = async (
    id: string,
    read: (sources: DataSources) => Promise<readonly { readonly id: string }[]>,
  ): Promise<DataSources> => {
    const made = await sandbox();
    return made !== undefined && (await read(made)).some((item) => item.id === id) ? made : own;
  };
  const withConnection = (id: string) => sideOf(id, ({ connections }) => connections.list());
  const withRunner = (id: string) => sideOf(id, ({ runners }) => runners.list());
  const withListener = (id: string) => sideOf(id, ({ listeners }) => listeners.list());

  /** Does something with connections of both sides, each on its own; the results are in the order of the connections. */
  const apart = async (
    connections: readonly Connection[],
    act: (sources: DataSources, some: readonly Connection[]) => Promise<ConnectionStatus[]>,
  ): Promise<ConnectionStatus[]> => {
    const made = await sandbox();
    if (made === undefined) return act(own, connections);
    const ids = new Set((await made.connections.list()).map(({ id }) => id));
    const results = await Promise.all([
      act(
        own,
        connections.filter(({ id }) => !ids.has(id)),
      ),
      act(
        made,
        connections.filter(({ id }) => ids.has(id)),
      ),
    ]);
    const byId = new Map(results.flat().map((status) => [status.connection_id, status]));
    return connections.flatMap(({ id }) => byId.get(id) ?? []);
  };

  const list: DataSources['connections']['list'] = async (filter) =>
    byName(await both(({ connections }) => connections.list(filter)));

  return {
    connectors: own.connectors,
    connections: {
      list,
      read: async (id) => (await withConnection(id)).connections.read(id),
      async choose(ids) {
        const all = await list();
        const unknown = ids?.find((id) => !all.some((one) => one.id === id));
        if (unknown !== undefined) throw new ConsoleError('NotFound', `There is no connection ${unknown}.`);
        return ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
      },
      create: own.connections.create,
      change: async (id, change, acting) => (await withConnection(id)).connections.change(id, change, acting),
      remove: async (id, acting) => (await withConnection(id)).connections.remove(id, acting),
    },
    statuses: {
      of: (connections) => apart(connections, ({ statuses }, some) => statuses.of(some)),
      keep: async (connection, result, by) =>
        (await withConnection(connection.id)).statuses.keep(connection, result, by),
    },
    refresh: (connections, refreshing) =>
      apart(connections, ({ refresh }, some) => refresh(some, refreshing)),
    runners: {
      list: async () => byName(await both(({ runners }) => runners.list())),
      read: async (id) => (await withRunner(id)).runners.read(id),
      enrol: own.runners.enrol,
      ticket: async (id, acting) => (await withRunner(id)).runners.ticket(id, acting),
      async revokeTicket(id, acting) {
        const side = await sideOf(id, async ({ runners }) =>
          (await runners.list()).flatMap(({ tickets }) => tickets),
        );
        return side.runners.revokeTicket(id, acting);
      },
      change: async (id, change, acting) => (await withRunner(id)).runners.change(id, change, acting),
      revoke: async (id, acting) => (await withRunner(id)).runners.revoke(id, acting),
      connect: async (given, from) => (await withRunner(given.id)).runners.connect(given, from),
      // A runner of the sandbox is no program that calls.
      seen: own.runners.seen,
    },
    listeners: {
      list: async (filter) => byName(await both(({ listeners }) => listeners.list(filter))),
      create: async (given, acting) => (await withRunner(given.runnerId)).listeners.create(given, acting),
      remove: async (id, acting) => (await withListener(id)).listeners.remove(id, acting),
      report: own.listeners.report,
    },
    providers: own.providers,
    now: own.now,
  };
}
