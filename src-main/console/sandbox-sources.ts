import { randomBytes } from 'node:crypto';
import type { SandboxData } from '#shared/sandbox-data.ts';
import type { Audit } from '../features/audit/index.ts';
import { createAssets, type PricedAsset, pricedAssets } from '../features/capex/index.ts';
import { createDataSources, type DataSourceParts, type DataSources } from '../features/data-sources/index.ts';
import { createKeptSecrets, createSeal } from '../features/settings/index.ts';
import { noKeychain } from '../sources/keychain/index.ts';
import { type Network, parseNetwork } from '../sources/service-probe/index.ts';
import type { Store } from '../store/index.ts';
import type { ConsoleTables } from './tables.ts';

/** The data of the sandbox while it runs. */
export type SandboxSources = {
  readonly sources: () => Promise<DataSources | undefined>;
  readonly assets: () => Promise<readonly PricedAsset[]>;
};

type Parts = Omit<DataSourceParts, 'db' | 'secrets'> & {
  /** What is kept of the sandbox, and what it has; undefined while it does not run. */
  readonly sandbox: () => { readonly store: Store<ConsoleTables>; readonly data: SandboxData } | undefined;
  readonly log: { warn(fields: object, message: string): void };
};

/** Who made what the sandbox has, as lists show it. */
const maker = 'sandbox';
const acting = { by: maker, record: () => undefined };

/** Milliseconds between two signs of life of a runner of the sandbox. */
const beat = 15_000;
const version = '0.1.0';
const from = { address: '127.0.0.1' };

/** Nothing that the sandbox does to itself is an act of a person: it leaves no record in the operator's trail. */
const unrecorded: Audit = {
  begin: async () => ({
    record: () => undefined,
    success: async () => undefined,
    fail: async () => undefined,
    refuse: async () => undefined,
  }),
};

/** Fills the store of the sandbox once for each start of it, when it is first asked for. */
export function createSandboxSources({ sandbox, log, ...parts }: Parts): SandboxSources {
  const filled = new WeakMap<Store<ConsoleTables>, Promise<DataSources>>();
  const sources = async (): Promise<DataSources | undefined> => {
    const running = sandbox();
    if (running === undefined) return undefined;
    const { store, data } = running;
    const before = filled.get(store);
    if (before !== undefined) return before;
    const filling = fill(store, data, parts, () => sandbox()?.store === store, log);
    filled.set(store, filling);
    return filling;
  };
  return {
    sources,
    async assets() {
      const running = sandbox();
      if (running === undefined) return [];
      await sources();
      return pricedAssets(await createAssets(running.store.db, parts.now).list());
    },
  };
}

async function fill(
  store: Store<ConsoleTables>,
  data: SandboxData,
  parts: Omit<DataSourceParts, 'db' | 'secrets'>,
  runs: () => boolean,
  log: Parts['log'],
): Promise<DataSources> {
  const { db } = store;
  const made: DataSourceParts = {
    ...parts,
    db,
    secrets: createKeptSecrets({
      db,
      keychain: noKeychain(),
      seal: createSeal(randomBytes(32)),
      shared: false,
    }),
    network: networkOf(data, parts.network),
    privateNetworks: () => [...parts.privateNetworks(), parseNetwork(data.network)],
  };
  const sources = createDataSources(made);
  const { connections, runners, listeners } = sources;
  const ids = new Map<string, string>();
  for (const connection of data.connections)
    ids.set(connection.name, (await connections.create(connection, acting)).id);
  for (const { state, listeners: wanted, ...given } of data.runners) {
    const { runner, secret } = await runners.enrol(given, acting);
    if (state === 'waiting') continue;
    const { token } = await runners.connect({ id: runner.id, secret, version }, from);
    const reports: { id: string; listening: boolean; reason: string }[] = [];
    for (const { connection, reason = '', ...listener } of wanted) {
      const connectionId = ids.get(connection) ?? '';
      const { id } = await listeners.create({ ...listener, runnerId: runner.id, connectionId }, acting);
      reports.push({ id, listening: reason === '', reason });
    }
    if (state === 'revoked') await runners.revoke(runner.id, acting);
    else live(() => sources, { token, reports, runs });
  }
  const assets = createAssets(db, parts.now);
  for (const asset of data.assets) await assets.create({ ...asset, nodes: [...asset.nodes] }, maker);
  // Tested once, as an operator would after adding them; the pages do not wait for the slowest.
  const tests = createDataSources({ ...made, audit: unrecorded });
  tests
    .refresh(await connections.list(), { by: maker, circumstances: {}, signal: new AbortController().signal })
    .catch((error: unknown) => {
      if (runs()) log.warn({ reason: String(error) }, 'the connections of the sandbox were not tested');
    });
  return sources;
}

type Living = {
  readonly token: string;
  readonly reports: readonly { id: string; listening: boolean; reason: string }[];
  readonly runs: () => boolean;
};

/** Speaks for a runner of the sandbox until the sandbox stops or somebody revokes the runner. */
function live(sources: () => DataSources, { token, reports, runs }: Living): void {
  const speak = async (): Promise<void> => {
    if (!runs()) return;
    const { runners, listeners } = sources();
    await listeners.report(await runners.seen(token, version, from), reports);
    setTimeout(next, beat).unref();
  };
  // A token that is refused is that of a revoked runner, and a store that fails is that of a sandbox that stops.
  const next = (): void => void speak().catch(() => undefined);
  next();
}

/** The network of this machine, in which the sandbox's hosts have addresses that lead to its servers on loopback. */
function networkOf({ names, ports }: SandboxData, network: Network): Network {
  const noSuchServer = 1;
  return {
    resolve: async (host) => {
      const address = names[host];
      return address === undefined ? network.resolve(host) : [address];
    },
    connect: (address, port) =>
      Object.values(names).includes(address)
        ? network.connect('127.0.0.1', ports[address] ?? noSuchServer)
        : network.connect(address, port),
  };
}
