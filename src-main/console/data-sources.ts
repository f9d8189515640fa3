import type { Kysely } from 'kysely';
import type { Config } from '../config/index.ts';
import type { Audit } from '../features/audit/index.ts';
import {
  createDataSources,
  type DataSources,
  type DataSourceTables,
  type OwnEndpoint,
} from '../features/data-sources/index.ts';
import type { KeptSecrets } from '../features/settings/index.ts';
import { createGcpFleet } from '../sources/cloud-fleet/index.ts';
import { type Network, parseNetwork } from '../sources/service-probe/index.ts';

type Parts = {
  readonly config: Config;
  /** The settings as they are now. */
  readonly current: () => Config;
  readonly db: Kysely<DataSourceTables>;
  readonly secrets: KeptSecrets;
  readonly audit: Audit;
  readonly network: Network;
  /** Address of the studio now. */
  readonly studio: () => URL;
  /** Port the console listens on; undefined before it does. */
  readonly port: () => number | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The data sources of this console, with what is its own: nobody dials that through it. */
export function consoleDataSources(parts: Parts): DataSources {
  const { config, current, db, secrets, audit, network, now } = parts;
  const itself = 'the console itself';
  return createDataSources({
    db,
    secrets,
    audit,
    network,
    fleet: createGcpFleet({
      fleetUrl: () => current().gcp.fleetUrl,
      tokenUrl: () => current().gcp.tokenUrl,
      now,
    }),
    privateNetworks: () => current().connectionNetworks.map(parseNetwork),
    ownEndpoints() {
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
  });
}

/** The host and port of an address. */
function endpointOf({ hostname, port, protocol }: URL, label: string): OwnEndpoint {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port), label };
}
