import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Connection } from '#shared/api/connections.ts';
import { ConsoleError } from '#shared/errors.ts';
import { compareText } from '#shared/text.ts';
import { type Acting, newId, timeText } from '../acting.ts';
import { checkCredentialKeys, checkedSettings } from '../catalogue/check-settings.ts';
import { endpointText, probeTargetOf } from '../catalogue/endpoint.ts';
import { type Connectors, connectorOf } from '../catalogue/read-connectors.ts';
import type { ConnectionRow, DataSourceTables } from '../store.ts';
import { type CredentialPlaces, type Credentials, parsePlaces } from './credentials.ts';

/** Most connections of one console. */
const mostConnections = 500;

export type NewConnection = {
  readonly name: string;
  readonly type: string;
  readonly tenant: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
};

/** Fields to change; an absent field stays. */
export type ConnectionChange = {
  readonly name?: string | undefined;
  readonly tenant?: string | undefined;
  /** Replaces all settings. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** By key; null forgets that credential. */
  readonly credentials?: Readonly<Record<string, string | null>> | undefined;
  /** Revision it is based on. */
  readonly revision?: number | undefined;
};

export type ConnectionFilter = { readonly tenant?: string | undefined; readonly type?: string | undefined };

/** The register of connections. */
export type Connections = {
  /** In the order of names. */
  list(filter?: ConnectionFilter): Promise<Connection[]>;
  /** Throws `NotFound`. */
  read(id: string): Promise<Connection>;
  /** Those with these IDs, or all. Throws `NotFound` for the first that is unknown. */
  choose(ids: readonly string[] | undefined): Promise<Connection[]>;
  /** Throws `BadInput`, `Conflict` for a name that is taken, `Refused` where the credentials cannot be kept. */
  create(given: NewConnection, acting: Acting): Promise<Connection>;
  /** Throws as `create`, `NotFound`, and `Conflict` for a revision that is not the newest. */
  change(id: string, change: ConnectionChange, acting: Acting): Promise<Connection>;
  /** Throws `NotFound`. */
  remove(id: string, acting: Acting): Promise<void>;
};

type Parts = {
  readonly db: Kysely<DataSourceTables>;
  readonly connectors: () => Connectors;
  readonly credentials: Credentials;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The register of connections over the store, with their credentials beside it. */
export function createConnections({ db, connectors, credentials, now }: Parts): Connections {
  const rowOf = async (id: string): Promise<ConnectionRow> => {
    const row = await db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new ConsoleError('NotFound', `There is no connection ${id}.`);
    return row;
  };

  const refuseTaken = async (tenant: string, name: string, id = ''): Promise<void> => {
    const taken = await db
      .selectFrom('connections')
      .select('id')
      .where('tenant', '=', tenant)
      .where('name', '=', name)
      .where('id', '!=', id)
      .executeTakeFirst();
    if (taken !== undefined)
      throw new ConsoleError('Conflict', `${tenant} already has a connection named ${name}.`);
  };

  const shown = (row: ConnectionRow): Connection => shownConnection(row, connectors());

  const list = async ({ tenant, type }: ConnectionFilter = {}): Promise<Connection[]> => {
    let query = db.selectFrom('connections').selectAll();
    if (tenant !== undefined) query = query.where('tenant', '=', tenant);
    if (type !== undefined) query = query.where('type', '=', type);
    const rows = await query.execute();
    // Sorted here: each database has a collation of its own.
    return rows.map(shown).toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
  };

  return {
    list,

    read: async (id) => shown(await rowOf(id)),

    async choose(ids) {
      const all = await list();
      const unknown = ids?.find((id) => !all.some((one) => one.id === id));
      if (unknown !== undefined) throw new ConsoleError('NotFound', `There is no connection ${unknown}.`);
      return ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
    },

    async create({ name, type, tenant, settings: given, credentials: secrets }, { by, record }) {
      const connector = connectorOf(connectors(), type);
      const settings = checkedSettings(connector, given);
      checkCredentialKeys(connector, Object.keys(secrets));
      const endpoint = endpointText(probeTargetOf(connector, settings));
      record(`Registering ${name} (${connector.name}) of ${tenant} at ${endpoint}.`, {
        type,
        tenant,
        endpoint,
        credentials: Object.keys(secrets),
      });
      const { count } = await db
        .selectFrom('connections')
        .select((select) => select.fn.countAll<number | string | bigint>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= mostConnections)
        throw new ConsoleError(
          'Conflict',
          `${mostConnections} connections are registered: delete one first.`,
        );
      await refuseTaken(tenant, name);
      const id = newId();
      const places = await credentials.change({ id, endpoint, places: {} }, secrets);
      const at = now();
      const inserted = await db
        .insertInto('connections')
        .values({
          id,
          name,
          type,
          tenant,
          settings: JSON.stringify(settings),
          credentials: JSON.stringify(places),
          revision: 1,
          created_at: at,
          created_by: by ?? null,
          updated_at: at,
          updated_by: by ?? null,
        })
        .onConflict((conflict) => conflict.columns(['tenant', 'name']).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted === undefined) {
        await credentials.forget(id, Object.keys(places));
        throw new ConsoleError('Conflict', `${tenant} already has a connection named ${name}.`);
      }
      record(`Registered it as ${id}.`, { id });
      return shown(inserted);
    },

    async change(id, change, { by, record }) {
      const row = await rowOf(id);
      if (change.revision !== undefined && change.revision !== row.revision) throw changedMeanwhile(row);
      const connector = connectorOf(connectors(), row.type);
      const before = parseSettings(row.settings);
      const settings = change.settings === undefined ? before : checkedSettings(connector, change.settings);
      const secrets = change.credentials ?? {};
      checkCredentialKeys(connector, Object.keys(secrets));
      const places = parsePlaces(row.credentials);
      const endpoint = endpointText(probeTargetOf(connector, settings));
      const moved = endpoint !== endpointText(probeTargetOf(connector, before));
      const { name = row.name, tenant = row.tenant } = change;
      record(`Changing ${row.name} of ${row.tenant}.`, {
        fields: Object.keys(change).filter((field) => field !== 'revision'),
        endpoint,
        credentials: Object.keys(secrets),
      });
      if (moved) refuseMovedCredentials(row.name, endpoint, places, secrets);
      if (name !== row.name || tenant !== row.tenant) await refuseTaken(tenant, name, id);
      const after = await credentials.change({ id, endpoint, places }, secrets);
      const updated = await db
        .updateTable('connections')
        .set({
          name,
          tenant,
          settings: JSON.stringify(settings),
          credentials: JSON.stringify(after),
          revision: row.revision + 1,
          updated_at: now(),
          updated_by: by ?? null,
        })
        .where('id', '=', id)
        .where('revision', '=', row.revision)
        .returningAll()
        .executeTakeFirst();
      if (updated === undefined) throw changedMeanwhile(row);
      return shown(updated);
    },

    async remove(id, { record }) {
      const row = await rowOf(id);
      record(`Deleting ${row.name} of ${row.tenant}.`, { type: row.type });
      // First: a keychain that refuses leaves the row, which says that something is still kept.
      await credentials.forget(id, Object.keys(parsePlaces(row.credentials)));
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('runner_listeners').where('connection_id', '=', id).execute();
        await tx.deleteFrom('connection_statuses').where('connection_id', '=', id).execute();
        await tx.deleteFrom('connections').where('id', '=', id).execute();
      });
    },
  };
}

/** A connection as routes answer it. */
function shownConnection(row: ConnectionRow, connectors: Connectors): Connection {
  const connector = connectors.get(row.type);
  const settings = parseSettings(row.settings);
  const places = parsePlaces(row.credentials);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    tenant: row.tenant,
    settings,
    credentials: (connector?.credentials ?? []).map(({ key }) => {
      const keptIn = places[key];
      return { key, set: keptIn !== undefined, ...(keptIn === undefined ? {} : { kept_in: keptIn }) };
    }),
    endpoint: connector === undefined ? '' : endpointText(probeTargetOf(connector, settings)),
    revision: row.revision,
    created_at: timeText(row.created_at),
    ...(row.created_by === null ? {} : { created_by: row.created_by }),
    updated_at: timeText(row.updated_at),
    ...(row.updated_by === null ? {} : { updated_by: row.updated_by }),
  };
}

const textByName = z.record(z.string(), z.string());

function parseSettings(text: string): Record<string, string> {
  return textByName.parse(JSON.parse(text));
}

/** Refuses to move a connection to another endpoint with credentials that were given for this one. */
function refuseMovedCredentials(
  name: string,
  endpoint: string,
  places: CredentialPlaces,
  secrets: Readonly<Record<string, string | null>>,
): void {
  const left = Object.keys(places).filter((key) => secrets[key] === undefined);
  if (left.length === 0) return;
  throw new ConsoleError(
    'Refused',
    `Nothing was changed: the kept credentials of ${name} are not moved to ${endpoint}. Give ${left.join(', ')} again, or forget them.`,
  );
}

function changedMeanwhile(row: ConnectionRow): ConsoleError {
  return new ConsoleError(
    'Conflict',
    `${row.name} was changed meanwhile: read it again, then make the change on it.`,
  );
}
