import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { isLoopbackHost } from '../../../base/loopback.ts';
import { StartupRefused } from '../../serving/index.ts';
import { type Environment, filled, orDefault } from '../variables.ts';

/** A member of the consensus (BCK-016). */
export type RaftConfig = {
  readonly nodeId: string;
  /** Every member with its peer address, this one included; undefined for a member that is alone. */
  readonly peers: ReadonlyMap<string, string> | undefined;
  /** Undefined keeps the state in memory only, gone with the process (BCK-086). */
  readonly dataFolder: string | undefined;
  /** The consensus engine: etcd, by its path, or by its name on the PATH. */
  readonly program: string;
};

const nodeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/**
 * RAFT_NODE_ID, RAFT_PEERS (`<id>=<address>`, comma-separated), RAFT_DATA_DIR and ETCD_BINARY; undefined when this process is no
 * member. Throws `StartupRefused`.
 */
export function readRaftConfig(env: Environment): RaftConfig | undefined {
  const nodeId = filled(env, 'RAFT_NODE_ID');
  if (nodeId === undefined) return undefined;
  if (!nodeName.test(nodeId))
    throw refused('RAFT_NODE_ID must be letters, digits, dots, hyphens and underscores, 63 at most');
  const dataFolder = filled(env, 'RAFT_DATA_DIR');
  if (dataFolder !== undefined && !isAbsolute(dataFolder)) throw refused('RAFT_DATA_DIR must be absolute');
  return {
    nodeId,
    peers: readPeers(filled(env, 'RAFT_PEERS'), nodeId),
    dataFolder,
    program: orDefault(env, 'ETCD_BINARY'),
  };
}

function readPeers(text: string | undefined, nodeId: string): ReadonlyMap<string, string> | undefined {
  if (text === undefined) return undefined;
  const peers = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, id = '', address = ''] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(part) ?? [];
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!nodeName.test(id) || url === undefined || url.port === '' || peers.has(id))
      throw refused('RAFT_PEERS must be pairs such as cockpit-0=http://cockpit-0.cockpit:7380, each id once');
    // What members tell each other is the state of the tenant: over a network only with the mesh identity.
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
      throw refused(`the address of ${id} in RAFT_PEERS must begin with https://`);
    peers.set(id, url.origin);
  }
  if (!peers.has(nodeId)) throw refused(`RAFT_PEERS does not name ${nodeId}, this member`);
  return peers;
}

/** The address to listen on for a peer address: etcd takes IP addresses only, and a name may be a Service's. */
export function listenAddress(peer: string): string {
  const { protocol, hostname, port } = new URL(peer);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const host = isIP(bare) !== 0 ? hostname : isLoopbackHost(hostname) ? '127.0.0.1' : '0.0.0.0';
  return `${protocol}//${host}:${port}`;
}

/** Returns the error logged when the consensus state cannot be opened. */
export function refused(why: string, cause?: unknown): StartupRefused {
  return new StartupRefused(
    `raft orchestrator failed to start with RAFT_NODE_ID set: ${why}. Unset RAFT_NODE_ID if this pod is not meant to vote.`,
    { cause },
  );
}
