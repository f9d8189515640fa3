import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { request } from 'undici';
import { readEvents } from '../../support/event-reader.ts';

/** Resident bytes, the most there ever were, and CPU milliseconds of a process (proc(5)). */
export type Usage = { readonly rss: number; readonly peak: number; readonly cpuMs: number };

export type BenchConsole = {
  readonly pid: number;
  readonly url: string;
  /** A Cookie header of whoever signed in. */
  readonly cookie: string;
  /** GET of a JSON answer, signed in. */
  get<T>(path: string): Promise<{ readonly body: T; readonly ms: number }>;
  /** Milliseconds that `/healthz` takes. */
  ping(): Promise<number>;
  /** Follows a route's events over a connection, as a window does, until the console stops. */
  follow(route: string): Promise<void>;
  usage(): Usage;
  stop(): Promise<void>;
};

const password = 'only for measuring';

/** Starts the built console on a kubeconfig, in a folder of its own, and signs in. */
export async function startConsole(
  program: string,
  folder: string,
  kubeconfig: string,
  env: NodeJS.ProcessEnv = {},
): Promise<BenchConsole> {
  const ready = join(folder, 'ready.json');
  const child = spawn(
    process.execPath,
    [program, 'serve', '--data-dir', join(folder, 'data'), '--ready-file', ready],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        CONSOLE_KEYCHAIN: 'off',
        CONSOLE_LOG_LEVEL: 'error',
        CONSOLE_ADMIN_PASSWORD: password,
        CONSOLE_KUBECONFIG: kubeconfig,
        ...env,
      },
    },
  );
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`The console ended with ${child.exitCode}.`);
    await after(10);
  }
  // It answers a little later than it says what it will listen on.
  await after(1000);
  const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string };
  const cookie = await signIn(`${url}/auth/password`, { username: 'operator@console.localhost', password });
  return {
    pid: child.pid ?? 0,
    url,
    cookie,
    async get<T>(path: string) {
      const from = performance.now();
      const answer = await request(`${url}${path}`, { headers: { cookie } });
      const body = (await answer.body.json()) as T;
      if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}.`);
      return { body, ms: performance.now() - from };
    },
    async ping() {
      const from = performance.now();
      const { body } = await request(`${url}/healthz`);
      await body.dump();
      return performance.now() - from;
    },
    async follow(route) {
      const connection = await readEvents(`${url}/api/events`, { cookie });
      const { data } = await connection.until(({ event }) => event === 'connection');
      const { id } = data as { id: string };
      const { body, statusCode } = await request(`${url}/api/events/${id}/subscriptions`, {
        method: 'POST',
        headers: { cookie, origin: url, 'content-type': 'application/json' },
        body: JSON.stringify({ id: 'window', route }),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${route} could not be followed: ${statusCode}.`);
    },
    usage: () => usageOf(child),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Signs in at one of the console's addresses, and returns the Cookie header of the session. */
export async function signIn(address: string, body: object): Promise<string> {
  const answer = await request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.statusCode >= 300) throw new Error(`${address} answered ${answer.statusCode}.`);
  await answer.body.dump();
  return String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
}

function usageOf({ pid }: ChildProcess): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const kb = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024;
  return { rss: kb('VmRSS'), peak: kb('VmHWM'), cpuMs: (Number(stat[11]) + Number(stat[12])) * 10 };
}
