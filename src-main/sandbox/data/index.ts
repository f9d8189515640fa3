import { randomBytes } from 'node:crypto';
import type { SandboxData } from '#shared/sandbox-data.ts';
import type { BackendLog } from '../../backends/serving/index.ts';
import { readDataSeed } from './seed.ts';
import { startDataServers } from './servers.ts';

export type SandboxDataPlatform = {
  readonly data: SandboxData;
  /** Tells a console what flows and what was found, by the doors its agents and machines have. Failures are logged. */
  report(consoleUrl: string): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  /** The console's `CONSOLE_LINEAGE_INGEST_TOKEN`. */
  readonly lineageToken: string;
  /** Returns a token of the App that the data-governance agent runs as; undefined without a code host. */
  readonly agentToken: () => Promise<string | undefined>;
  readonly log: BackendLog;
};

/** The sandbox's own network; each host has an address of it in their order. */
const network = '10.88.0.0/24';
const addressOf = (at: number): string => `10.88.0.${at + 10}`;

/** The platform's data: servers on loopback that stand for its databases, and agents that report on them. */
export async function startSandboxData({
  lineageToken,
  agentToken,
  log,
}: Options): Promise<SandboxDataPlatform> {
  const seed = readDataSeed();
  const servers = await startDataServers(seed.servers);
  const names: Record<string, string> = {};
  const ports: Record<string, number> = {};
  for (const [at, { host, address = addressOf(at) }] of seed.servers.entries()) {
    names[host] = address;
    const port = servers.ports[host];
    if (port !== undefined) ports[address] = port;
  }
  const before = (ms: number): string => new Date(Date.now() - ms).toISOString();

  const edges = seed.edges.map(({ app, seen, ...edge }) => ({
    app,
    edge: { ...edge, last_seen: before(seen) },
  }));
  const findings = seed.findings.map(({ found, resolved, ...finding }) => ({
    ...finding,
    found_at: before(found),
    ...(resolved === undefined ? {} : { resolved_at: before(resolved) }),
  }));

  return {
    data: {
      connections: seed.connections.map(({ ca, credentials, settings, ...rest }) => ({
        ...rest,
        settings: ca ? { ...settings, ca_certificate: servers.ca } : settings,
        // They open nothing, and are new at every start.
        credentials: Object.fromEntries(
          credentials.map((key) => [key, `sandbox-${randomBytes(9).toString('base64url')}`]),
        ),
      })),
      runners: seed.runners,
      assets: seed.assets,
      network,
      names,
      ports,
    },
    async report(consoleUrl) {
      const post = async (path: string, token: string, body: object): Promise<void> => {
        const answer = await fetch(`${consoleUrl}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (!answer.ok) log.warn({ path, status: answer.status }, 'a report of the sandbox was refused');
      };
      try {
        for (const [app, own] of Map.groupBy(edges, (each) => each.app))
          await post('/api/data-lineage/edges', lineageToken, { app, edges: own.map(({ edge }) => edge) });
        const token = await agentToken();
        if (token === undefined) return;
        // The agent reads what there is before it says what it found.
        await fetch(`${consoleUrl}/api/data-governance-estate`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await post('/api/data-governance-findings', token, { findings });
      } catch (error) {
        log.warn({ reason: String(error) }, 'the sandbox did not report');
      }
    },
    close: servers.close,
  };
}
