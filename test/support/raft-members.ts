import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

const hasEtcd = spawnSync('etcd', ['--version']).status === 0;
/** Reason the consensus cannot be tested here, for the names of skipped tests; empty when it can. */
export const etcdMissing = hasEtcd ? '' : ' (skipped: etcd is not installed; Debian has it as etcd-server)';

/** A port nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Three members, by id, with addresses on loopback. */
export async function threePeers(): Promise<Map<string, string>> {
  const peers = new Map<string, string>();
  for (const id of ['cockpit-0', 'cockpit-1', 'cockpit-2'])
    peers.set(id, `http://127.0.0.1:${await freePort()}`);
  return peers;
}

/** RAFT_PEERS of these members. */
export const peersText = (peers: ReadonlyMap<string, string>): string =>
  [...peers].map(([id, address]) => `${id}=${address}`).join(',');
