import type { Kysely } from 'kysely';
import type { SandboxData } from '#shared/sandbox-data.ts';
import type { Config } from '../config/index.ts';
import type { Audit } from '../features/audit/index.ts';
import {
  besideSandbox,
  createDataSources,
  type DataSourceParts,
  type DataSources,
  type DataSourceTables,
  type OwnEndpoint,
} from '../features/data-sources/index.ts';
import type { KeptSecrets } from '../features/settings/index.ts';
import { createGcpFleet } from '../sources/cloud-fleet/index.ts';
import { type Network, parseNetwork } from '../sources/service-probe/index.ts';
import type { Store } from '../store/index.ts';
import { createSandboxSources, type SandboxSources } from './sandbox-sources.ts';
import type { ConsoleTables } from './tables.ts';

type Parts = {
  readonly config: Config;
  /** The settings as they are now. */
  readonly current: () => Config;
  readonly db: Kysely<DataSourceTables>;
  readonly secrets: KeptSecrets;
  readonly sandbox: {
    store(): Store<ConsoleTables> | undefined;
    data(): SandboxData | undefined;
  };
  readonly log: { warn(fields: object, message: string): void };
  readonly audit: Audit;
  readonly network: Network;
  /** Address of the studio now. */
  readonly studio: () => URL;
  /** Port the console listens on; undefined before it does. */
  readonly port: () => number | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/**
 * The data sources of this console, and those of the sandbox beside them while it runs; with what is the console's own:
 * nobody dials that through it.
 */
export function consoleDataSources(parts: Parts): {
  readonly dataSources: DataSources;
  readonly sandboxAssets: SandboxSources['assets'];
} {
  const { config, current, db, secrets, audit, network, now } = parts;
  const itself = 'the console itself';
  const common = {
    audit,
    network,
    fleet: createGcpFleet({
      fleetUrl: () => current().gcp.fleetUrl,
      tokenUrl: () => current().gcp.tokenUrl,
      now,
    }),
    privateNetworks: () => current().connectionNetworks.map(parseNetwork),
    ownEndpoints(): OwnEndpoint[] {
      const port = parts.port();
      return [
        ...(port === undefined ? [] : [{ host: config.listen.host, port, label: itself }]),
        ...(config.publicUrl === undefined ? [] : [endpointOf(config.publicUrl, itself)]),
        ...config.allowedHosts.flatMap((host) =>
          ['http', 'https'].flatMap((scheme) =>
            URL.canParse(`${scheme}://${host}`) ? [endpointOf(new URL(`${scheme}://${host}`), itself)] : [],
          ),
        ),
        endpointOf(parts.studio(), 'the studio'),
      ];
    },
    now,
  } satisfies Omit<DataSourceParts, 'db' | 'secrets'>;
  const sandbox = createSandboxSources({
    ...common,
    log: parts.log,
    sandbox() {
      const [store, data] = [parts.sandbox.store(), parts.sandbox.data()];
      return store === undefined || data === undefined ? undefined : { store, data };
    },
  });
  return {
    dataSources: besideSandbox(createDataSources({ ...common, db, secrets }), sandbox.sources),
    sandboxAssets: sandbox.assets,
  };
}

/** The host and port of an address. */
function endpointOf({ hostname, port, protocol }: URL, label: string): OwnEndpoint {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port), label };
}
