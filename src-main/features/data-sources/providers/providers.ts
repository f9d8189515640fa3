import type { Kysely } from 'kysely';
import type { Provider, ProviderName } from '#shared/api/providers.ts';
import { ConsoleError } from '#shared/errors.ts';
import { FleetError, type GcpFleet, parseServiceAccountKey } from '../../../sources/cloud-fleet/index.ts';
import { KeychainError } from '../../../sources/keychain/index.ts';
import type { KeptSecrets } from '../../settings/index.ts';
import { type Acting, timeText } from '../acting.ts';
import type { Connectors } from '../catalogue/read-connectors.ts';
import type { DataSourceTables, ProviderRow } from '../store.ts';

const known: Readonly<Record<ProviderName, { name: string; documentation: string }>> = {
  gcp: {
    name: 'Google Cloud',
    documentation: 'https://cloud.google.com/kubernetes-engine/fleet-management/docs',
  },
};

const keyName = 'service_account_key';
const keptName = (provider: ProviderName): string => `provider/${provider}/${keyName}`;

export type ProviderChange = {
  readonly provider: ProviderName;
  readonly enabled: boolean;
  readonly project?: string | undefined;
  /** Null forgets it, undefined leaves it. */
  readonly key?: string | null | undefined;
};

/** Answer of the live fleet link. */
export type FleetStatus = {
  readonly enabled: boolean;
  readonly project?: string;
  readonly items: Awaited<ReturnType<GcpFleet['memberships']>>['items'][number][];
  readonly source: string;
  readonly complete: boolean;
  readonly read_at: string;
  readonly unmeasured: string[];
};

/** The cloud providers. */
export type Providers = {
  list(): Promise<Provider[]>;
  /** Throws `BadInput` for a key that is none, `Refused` where it cannot be kept. */
  configure(change: ProviderChange, acting: Acting): Promise<Provider>;
  /** Contacts Google Cloud only when its provider is turned on. */
  gcpStatus(): Promise<FleetStatus>;
};

type Parts = {
  readonly db: Kysely<DataSourceTables>;
  readonly connectors: () => Connectors;
  readonly secrets: KeptSecrets;
  readonly fleet: GcpFleet;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The cloud providers over the store, their keys kept beside it. */
export function createProviders({ db, connectors, secrets, fleet, now }: Parts): Providers {
  const rowOf = (provider: ProviderName): Promise<ProviderRow | undefined> =>
    db.selectFrom('providers').selectAll().where('provider', '=', provider).executeTakeFirst();

  const keyOf = async (provider: ProviderName): Promise<string | undefined> => {
    try {
      return await secrets.get(keptName(provider));
    } catch (error) {
      if (error instanceof KeychainError) throw new FleetError(error.message, { cause: error });
      throw error;
    }
  };

  const shown = async (provider: ProviderName): Promise<Provider> => {
    const row = await rowOf(provider);
    const rows = await secrets.rows();
    const name = keptName(provider);
    return {
      provider,
      ...known[provider],
      enabled: row?.enabled === 1,
      ...(row?.project == null ? {} : { project: row.project }),
      credentials: [
        {
          key: keyName,
          label: 'Service account key',
          set: rows.sealed.has(name) || rows.inKeychain.has(name),
        },
      ],
      connectors: [...connectors().values()]
        .filter((connector) => connector.provider === provider)
        .map(({ type }) => type),
      ...(row === undefined ? {} : { updated_at: timeText(row.updated_at) }),
      ...(row?.updated_by == null ? {} : { updated_by: row.updated_by }),
    };
  };

  const reading = (source: string, unmeasured: string[]) => ({
    source,
    complete: unmeasured.length === 0,
    read_at: timeText(now()),
    unmeasured,
  });

  return {
    list: async () => [await shown('gcp')],

    async configure({ provider, enabled, project, key }, { by, record }) {
      const before = await rowOf(provider);
      const wanted = project ?? before?.project ?? undefined;
      record(`${known[provider].name}: the fleet is ${enabled ? 'read' : 'not read'}.`, {
        enabled,
        ...(wanted === undefined ? {} : { project: wanted }),
        key: key === undefined ? 'left' : key === null ? 'forgotten' : 'given',
      });
      if (typeof key === 'string' && parseServiceAccountKey(key) === undefined)
        throw new ConsoleError(
          'BadInput',
          'The key is not that of a service account: give the JSON as Google Cloud hands it out.',
        );
      if (enabled && wanted === undefined)
        throw new ConsoleError('BadInput', 'A project is needed to read its fleet: give its ID.');
      if (key === null) await secrets.delete(keptName(provider));
      else if (key !== undefined) await secrets.set(keptName(provider), key);
      const row = {
        enabled: enabled ? 1 : 0,
        project: wanted ?? null,
        updated_at: now(),
        updated_by: by ?? null,
      };
      await db
        .insertInto('providers')
        .values({ provider, ...row })
        .onConflict((conflict) => conflict.column('provider').doUpdateSet(row))
        .execute();
      return shown(provider);
    },

    async gcpStatus() {
      const row = await rowOf('gcp');
      if (row?.enabled !== 1 || row.project === null)
        return { enabled: false, items: [], ...reading('store', []) };
      const { project } = row;
      try {
        const key = await keyOf('gcp');
        if (key === undefined) throw new FleetError('The service account key of Google Cloud is not set.');
        const { items, complete, unmeasured, readAt } = await fleet.memberships(project, key);
        return {
          enabled: true,
          project,
          items: [...items],
          source: 'gcp',
          complete,
          read_at: timeText(readAt),
          unmeasured: [...unmeasured],
        };
      } catch (error) {
        if (!(error instanceof FleetError)) throw error;
        return { enabled: true, project, items: [], ...reading('unavailable', [error.message]) };
      }
    },
  };
}
