import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { request } from 'undici';

/** Resident bytes, the most there ever were, and CPU milliseconds of a process (proc(5)). */
export type Usage = { readonly rss: number; readonly peak: number; readonly cpuMs: number };

export type BenchConsole = {
  /** GET of a JSON answer, signed in. */
  get<T>(path: string): Promise<{ readonly body: T; readonly ms: number }>;
  usage(): Usage;
  stop(): Promise<void>;
};

const password = 'only for measuring';

/** The built console on a kubeconfig, in a folder of its own. */
export async function startConsole(
  program: string,
  folder: string,
  kubeconfig: string,
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
  const signedIn = await request(`${url}/auth/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'operator@console.localhost', password }),
  });
  await signedIn.body.dump();
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  return {
    async get<T>(path: string) {
      const from = performance.now();
      const answer = await request(`${url}${path}`, { headers: { cookie } });
      const body = (await answer.body.json()) as T;
      if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}.`);
      return { body, ms: performance.now() - from };
    },
    usage: () => usageOf(child),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function usageOf({ pid }: ChildProcess): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const kb = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024;
  return { rss: kb('VmRSS'), peak: kb('VmHWM'), cpuMs: (Number(stat[11]) + Number(stat[12])) * 10 };
}
