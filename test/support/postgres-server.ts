import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection URL of the test run's own PostgreSQL server, or why there is none. */
    postgres: { readonly url: string } | { readonly missing: string };
  }
}

/** Debian's place for the servers it installs. */
const installed = '/usr/lib/postgresql';

/** One for each project that asks. */
const servers: PostgresServer[] = [];

/** Starts a throw-away PostgreSQL for a project's whole run; durable as it comes, because the crash tests ask it to be. */
export async function setup(project: TestProject): Promise<void> {
  const started = await startPostgres();
  if ('missing' in started) project.provide('postgres', started);
  else {
    servers.push(started);
    project.provide('postgres', { url: started.url });
  }
}

/** Stops one and takes its data away. */
export function teardown(): void {
  servers.pop()?.stop();
}

export type PostgresServer = { readonly url: string; stop(): void };

/** A PostgreSQL server on loopback with its own data folder, or why there can be none on this machine. */
export async function startPostgres(): Promise<PostgresServer | { readonly missing: string }> {
  const bin = existsSync(installed)
    ? readdirSync(installed)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(installed, version, 'bin'))
        .find((folder) => existsSync(join(folder, 'initdb')))
    : undefined;
  if (bin === undefined) return { missing: `no PostgreSQL server under ${installed}` };
  const folder = mkdtempSync(join(tmpdir(), 'console-postgres-'));
  // PostgreSQL refuses to run as root; Debian's package made it a user.
  const root = process.getuid?.() === 0;
  if (root) chownSync(folder, userId('postgres'), userId('postgres', '-g'));
  const run = (program: string, ...args: string[]): void => {
    const command = [join(bin, program), ...args];
    const [first = '', ...rest] = root
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--reset-env', ...command]
      : command;
    // Its output goes nowhere: a server that inherits a pipe keeps the caller waiting.
    execFileSync(first, rest, { cwd: '/', stdio: 'ignore' });
  };
  const data = join(folder, 'data');
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-instructions');
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`;
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userId(name: string, flag = '-u'): number {
  return Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
}

/** Returns a port of loopback that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
