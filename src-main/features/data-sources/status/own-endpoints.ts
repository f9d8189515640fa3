import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ForbiddenEndpoint, Network } from '../../../sources/service-probe/index.ts';

/** An address of the console or of the studio, by name or number. */
export type OwnEndpoint = { readonly host: string; readonly port: number; readonly label: string };

/**
 * Returns the addresses and ports behind these endpoints: what their names resolve to now, and for one that listens on
 * every interface each address of this machine.
 */
export async function forbiddenEndpoints(
  endpoints: readonly OwnEndpoint[],
  network: Network,
): Promise<ForbiddenEndpoint[]> {
  const found = await Promise.all(
    endpoints.map(async ({ host, port, label }) => {
      const addresses = await addressesOf(host, network);
      return addresses.map((address) => ({ address, port, label }));
    }),
  );
  return found.flat();
}

async function addressesOf(host: string, network: Network): Promise<readonly string[]> {
  if (host === '0.0.0.0' || host === '::') return machineAddresses();
  if (isIP(host) !== 0) return [host];
  try {
    return await network.resolve(host);
  } catch {
    // A name that does not resolve leads nowhere, for a probe as well.
    return [];
  }
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => address.replace(/%.*$/, '')),
  );
}
