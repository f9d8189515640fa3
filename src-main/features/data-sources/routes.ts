import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { storeReading } from '#shared/api/reading.ts';
import { circumstancesOf } from '../audit/index.ts';
import { actingOf } from './acting.ts';
import { shownConnector } from './catalogue/read-connectors.ts';
import type { DataSources } from './data-sources.ts';
import { heartbeatSeconds } from './runners/runners.ts';
import { refreshSummary } from './status/refresh.ts';

type DataSourceRouteId = Extract<
  RouteId,
  `connections.${string}` | `runners.${string}` | `providers.${string}`
>;

/** The routes of connections, runners and providers; those of `datasource.v1` are aliases of its services. */
export function dataSourceHandlers({
  connectors,
  connections,
  statuses,
  refresh,
  runners,
  providers,
  now,
}: DataSources): Handlers<DataSourceRouteId> {
  const reading = () => storeReading(now());
  return {
    'connections.list': async ({ query }) => ({ items: await connections.list(query) }),
    'connections.read': ({ params: { id } }) => connections.read(id),
    'connections.create': ({ body }, call) =>
      connections.create({ ...body, credentials: body.credentials ?? {} }, actingOf(call)),
    'connections.change': ({ params: { id }, body }, call) => connections.change(id, body, actingOf(call)),
    'connections.delete': async ({ params: { id } }, call) => {
      await connections.remove(id, actingOf(call));
      return { deleted: true };
    },
    'connections.types': () => ({ items: [...connectors().values()].map(shownConnector) }),
    'connections.status': async () => ({
      items: await statuses.of(await connections.list()),
      ...reading(),
    }),
    'connections.refresh': async ({ body: { ids } }, call) => {
      const chosen = await connections.choose(ids);
      const items = await refresh(chosen, {
        by: call.caller.email ?? 'anonymous',
        circumstances: circumstancesOf(call),
        signal: call.signal,
      });
      call.record(refreshSummary(items));
      return { items, ...reading() };
    },

    'runners.list': async () => ({ items: await runners.list() }),
    'runners.enrol': ({ body: { name, address = '', labels = {} } }, call) =>
      runners.enrol({ name, address, labels }, actingOf(call)),
    'runners.ticket': ({ params: { id } }, call) => runners.ticket(id, actingOf(call)),
    'runners.connect': async ({ params: { id }, body: { secret, version = '' } }, { address }) => ({
      ...(await runners.connect({ id, secret, version }, { address })),
      heartbeat_seconds: heartbeatSeconds,
    }),
    'runners.revoke': ({ params: { id } }, call) => runners.revoke(id, actingOf(call)),
    'runners.changeAddress': ({ params: { id }, body }, call) => runners.change(id, body, actingOf(call)),
    'runners.changeLabels': ({ params: { id }, body }, call) => runners.change(id, body, actingOf(call)),
    'runners.revokeTicket': async ({ params: { id } }, call) => {
      await runners.revokeTicket(id, actingOf(call));
      return { revoked: true };
    },

    'providers.list': async () => ({ items: await providers.list() }),
    'providers.configure': ({ body: { service_account_key: key, ...rest } }, call) =>
      providers.configure({ ...rest, key }, actingOf(call)),
    'providers.gcpStatus': () => providers.gcpStatus(),
  };
}
