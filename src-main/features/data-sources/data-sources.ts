import type { Kysely } from 'kysely';
import type { GcpFleet } from '../../sources/cloud-fleet/index.ts';
import type { Cidr, Network } from '../../sources/service-probe/index.ts';
import type { Audit } from '../audit/index.ts';
import type { KeptSecrets } from '../settings/index.ts';
import { type Connectors, readConnectors } from './catalogue/read-connectors.ts';
import { type Connections, createConnections } from './connections/connections.ts';
import { createCredentials } from './connections/credentials.ts';
import { createProviders, type Providers } from './providers/providers.ts';
import { createListeners, type Listeners } from './runners/listeners.ts';
import { createRunners, type Runners } from './runners/runners.ts';
import { forbiddenEndpoints, type OwnEndpoint } from './status/own-endpoints.ts';
import { createRefresh, type Refresh } from './status/refresh.ts';
import { createStatuses, type Statuses } from './status/statuses.ts';
import type { DataSourceTables } from './store.ts';

/** Connections, the runners that reach them, and cloud providers. */
export type DataSources = {
  readonly connectors: () => Connectors;
  readonly connections: Connections;
  readonly statuses: Statuses;
  readonly refresh: Refresh;
  readonly runners: Runners;
  readonly listeners: Listeners;
  readonly providers: Providers;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type DataSourceParts = {
  readonly db: Kysely<DataSourceTables>;
  readonly secrets: KeptSecrets;
  readonly audit: Audit;
  readonly network: Network;
  readonly fleet: GcpFleet;
  /** Networks that are not public and may be dialled nevertheless, as set now. */
  readonly privateNetworks: () => readonly Cidr[];
  /** Addresses of the console and of the studio now, which nobody dials through the console. */
  readonly ownEndpoints: () => readonly OwnEndpoint[];
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Puts connections, runners, listeners and providers together. */
export function createDataSources(parts: DataSourceParts): DataSources {
  const { db, secrets, audit, network, now } = parts;
  const connectors = readConnectors;
  const statuses = createStatuses({ db, now });
  return {
    connectors,
    connections: createConnections({ db, connectors, credentials: createCredentials(secrets), now }),
    statuses,
    refresh: createRefresh({
      connectors,
      statuses,
      audit,
      network,
      rules: async () => ({
        privateNetworks: parts.privateNetworks(),
        forbidden: await forbiddenEndpoints(parts.ownEndpoints(), network),
      }),
    }),
    runners: createRunners({ db, now }),
    listeners: createListeners({ db, now }),
    providers: createProviders({ db, connectors, secrets, fleet: parts.fleet, now }),
    now,
  };
}
