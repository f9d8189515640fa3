import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './postgres-server.ts';

/** Debian's places for the server and for what makes its data folder. */
const serverProgram = '/usr/sbin/mariadbd';
const installProgram = '/usr/bin/mariadb-install-db';

/** Milliseconds a start takes at most. */
const patience = 30_000;

export type MariadbServer = { readonly port: number; stop(): Promise<void> };

type Options = {
  /** PEM of its certificate and key; without them it offers no TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Clients at a time; one more is refused. */
  readonly maxConnections?: number;
};

/** Returns why there can be no MariaDB server on this machine; undefined where there can. */
export function mariadbMissing(): string | undefined {
  const missing = [serverProgram, installProgram].find((program) => !existsSync(program));
  return missing === undefined ? undefined : `no MariaDB server: ${missing} is missing`;
}

/** Starts a MariaDB server on loopback with its own data folder. Throws with its log when it does not start. */
export async function startMariadb({ certificate, maxConnections }: Options = {}): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), 'console-mariadb-'));
  const data = join(folder, 'data');
  // A test's data folder is nobody else's: the server may run as whoever runs the tests.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(
    installProgram,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const tls: string[] = [];
  if (certificate !== undefined)
    for (const [name, text] of Object.entries(certificate)) {
      const file = join(folder, `server.${name}`);
      writeFileSync(file, text, { mode: 0o600 });
      tls.push(`--ssl-${name}=${file}`);
    }
  const log = join(folder, 'log');
  const server = spawn(
    serverProgram,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--log-error=${log}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--skip-name-resolve',
      ...(maxConnections === undefined ? [] : [`--max-connections=${maxConnections}`]),
      ...tls,
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answering(port, server);
  } catch (error) {
    const said = existsSync(log) ? execFileSync('tail', ['-n', '20', log], { encoding: 'utf8' }) : '';
    await stop();
    throw new Error(`MariaDB did not start: ${said}`, { cause: error });
  }
  return { port, stop };
}

async function answering(port: number, server: ChildProcess): Promise<void> {
  const until = performance.now() + patience;
  while (performance.now() < until && server.exitCode === null) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      // The server greets first.
      await once(socket, 'data', { signal: AbortSignal.timeout(1000) });
      return;
    } catch {
      await delay(100);
    } finally {
      socket.destroy();
    }
  }
  throw new Error('it does not greet');
}
