import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { socketServer } from '../../../base/http-server.ts';
import { listenOn, processEnd } from '../../../base/process-end.ts';
import type { MeshIdentity } from '../../mesh/index.ts';
import type { BackendLog } from '../../serving/index.ts';
import { endWithThisProcess, starterVariable } from './left-engine.ts';
import { processIdentity } from './process-identity.ts';
import { listenAddress, type RaftConfig, refused } from './raft-config.ts';
import { makeMemoryFolder, openDataFolder } from './state-folder.ts';

export type Etcd = {
  /** Address of its JSON gateway, on loopback. */
  readonly clientUrl: string;
  readonly pid: number;
  /** Resolves with a description of its exit when the process is gone. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
};

export type EtcdOptions = {
  readonly config: RaftConfig;
  /** Certificates members present to each other where their addresses begin with https://. */
  readonly mesh: MeshIdentity['files'];
  /** Timeout for opening the state, in milliseconds. */
  readonly startMs: number;
  /** Gives the start up early. */
  readonly signal: AbortSignal;
  readonly log: BackendLog;
};

/** Time etcd has to exit after SIGTERM, in milliseconds. */
const stopMs = 3000;
/**
 * The log message of etcd waiting for the lock of its database (etcd 3.4 and later,
 * server/storage/backend.go).
 */
const lockMessage = /flocked by another process|holds the file lock/;

/**
 * Starts etcd and resolves once it has opened its state: from then on it answers on its metrics address, with a leader or without
 * (its client address answers only once there was one). Throws `StartupRefused`, with nothing left running, when it ends before, or
 * waits longer than `startMs`, as it does for a lock that another process holds.
 */
export async function startEtcd(options: EtcdOptions): Promise<Etcd> {
  const { config, startMs, signal, log } = options;
  const [clientPort = 0, metricsPort = 0, peerPort = 0] = await freePorts(3);
  const clientUrl = `http://127.0.0.1:${clientPort}`;
  const healthUrl = `http://127.0.0.1:${metricsPort}/health`;
  const memoryFolder = config.dataFolder === undefined ? await makeMemoryFolder(log) : undefined;
  if (config.dataFolder !== undefined) await openDataFolder(config.dataFolder, log);
  const folder = memoryFolder ?? config.dataFolder ?? '';
  processEnd.throwIfAborted();
  const child = spawn(
    config.program,
    [
      ...['--name', config.nodeId, '--data-dir', folder, '--logger', 'zap', '--log-outputs', 'stderr'],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-metrics-urls', `http://127.0.0.1:${metricsPort}`],
      ...peerArguments(options, peerPort),
    ],
    // Its settings are its arguments: ETCD_ variables of this environment would change them.
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, [starterVariable]: processIdentity() },
    },
  );
  const endWatch = endWithThisProcess(child, memoryFolder, log);
  const report = tellOf(child, log);
  const ended = endOf(child).finally(async () => {
    endWatch();
    if (memoryFolder !== undefined) await rm(memoryFolder, { recursive: true, force: true });
  });
  // A child outlives a process that is ended at once, and keeps its lock.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const late = setTimeout(kill, stopMs);
    await ended;
    clearTimeout(late);
  };

  const gone = new AbortController();
  let end: string | undefined;
  void ended.then((message) => {
    end = message;
    gone.abort();
  });
  const isOpen = await answers(
    healthUrl,
    AbortSignal.any([signal, gone.signal, AbortSignal.timeout(startMs)]),
  );
  if (isOpen && child.pid !== undefined) return { clientUrl, pid: child.pid, ended, stop };
  const why =
    end ??
    (report.locked
      ? `another process, often the previous pod, holds the lock of the consensus state in ${folder}`
      : `the consensus state could not be opened within ${startMs / 1000} s`);
  await stop();
  throw refused(why);
}

function peerArguments({ config, mesh }: EtcdOptions, freePort: number): string[] {
  const own = config.peers?.get(config.nodeId) ?? `http://127.0.0.1:${freePort}`;
  const peers = config.peers ?? new Map([[config.nodeId, own]]);
  const cluster = [...peers].map(([id, address]) => `${id}=${address}`).join(',');
  return [
    ...['--listen-peer-urls', listenAddress(own), '--initial-advertise-peer-urls', own],
    ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
    ...(own.startsWith('https:')
      ? [
          ...['--peer-cert-file', mesh.certificate, '--peer-key-file', mesh.key],
          ...['--peer-trusted-ca-file', mesh.ca, '--peer-client-cert-auth'],
        ]
      : []),
  ];
}

/** Passes on what etcd warns of, and remembers whether it waits for a lock. */
function tellOf(child: ChildProcess, log: BackendLog): { locked: boolean } {
  const report = { locked: false };
  if (child.stderr === null) return report;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (lockMessage.test(line)) report.locked = true;
    if (/"level":"(?:error|panic|fatal)"/.test(line)) log.warn({ etcd: line.slice(0, 2000) }, 'etcd reports');
  });
  return report;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      resolve(
        missing
          ? 'etcd, the consensus engine, was not found: install it, or name it with ETCD_BINARY'
          : 'etcd, the consensus engine, could not be run',
      );
    });
    child.once('exit', (code, signal) =>
      resolve(`etcd ended with ${signal === null ? `code ${code}` : signal}`),
    );
  });
}

/** Returns whether an address answers, whatever it says, before the signal. */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { signal });
      await answer.body?.cancel();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return false;
}

/** Ports nobody listens on just now; etcd cannot let the system choose. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => socketServer({}));
  const addresses = await Promise.all(
    servers.map((server) => listenOn(server, { port: 0, host: '127.0.0.1' })),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return addresses.map(({ port }) => port);
}
