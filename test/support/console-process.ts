import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { vi } from 'vitest';
import { program } from './program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The exit code and output of a finished command. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A console that serves, as a process of its own. */
export type ServingConsole = {
  readonly url: string;
  readonly child: ChildProcess;
  /** Returns its output so far. */
  said(): string;
  /** A Cookie header of the local operator, by a new one-time link. */
  cookie(): Promise<string>;
  /** Ends it as its supervisor would, and answers its exit code. Throws when a request held its event loop. */
  stop(): Promise<number | null>;
};

/** Nothing of this machine's own settings, no display and no keychain but what the test gives. */
function environment(env: Env): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOME: tmpdir(),
    CONSOLE_LOG_LEVEL: 'warn',
    CONSOLE_KEYCHAIN: 'off',
    ...env,
  };
}

/** Runs the command line until it ends, `longest` ms at most: one that should have refused to start is ended. */
export function runConsole(
  args: readonly string[],
  env: Env = {},
  input = '',
  longest = 25_000,
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { env: environment(env) });
  child.stdin.end(input);
  return ended(child, longest);
}

/**
 * Runs the command line on a terminal of its own (script of util-linux) and types each answer when its question is
 * asked. What it said holds what the terminal showed.
 */
export function runOnTerminal(
  args: readonly string[],
  env: Env,
  answers: readonly (readonly [question: string, answer: string])[],
): Promise<Ended> {
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qfec', command, '/dev/null'], { env: environment(env) });
  let shown = '';
  const left = [...answers];
  child.stdout.on('data', (data) => {
    shown += data;
    const next = left[0];
    if (next === undefined || !shown.includes(next[0])) return;
    left.shift();
    shown = '';
    child.stdin.write(`${next[1]}\r`);
  });
  return ended(child);
}

/** The reason a terminal cannot be created here, or undefined. */
export const terminalMissing = existsSync('/usr/bin/script')
  ? undefined
  : 'script (util-linux) not installed';

function ended(child: ChildProcess, longest = 25_000): Promise<Ended> {
  const timer = setTimeout(() => child.kill('SIGKILL'), longest);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    }),
  );
}

/** Options of Node with which a console reports that its event loop was held (event-loop-watchdog.ts). */
const watched = `--import=${join(import.meta.dirname, 'event-loop-watchdog.ts')}`;

/** Starts `serve` and waits until it accepts requests. Throws with what it said when it ends instead. */
export async function serveConsole(
  dataDir: string,
  env: Env = {},
  args: readonly string[] = [],
): Promise<ServingConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'ready-'));
  const file = join(folder, 'ready.json');
  const child = spawn(
    process.execPath,
    [program, 'serve', '--data-dir', dataDir, '--ready-file', file, ...args],
    {
      env: environment({ ...env, NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} ${watched}` }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data;
    });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  await vi.waitFor(
    () => {
      if (child.exitCode === null && !existsSync(file)) throw new Error(`not ready: ${said}`);
    },
    { timeout: 25_000, interval: 20 },
  );
  if (!existsSync(file)) throw new Error(said);
  const ready = JSON.parse(readFileSync(file, 'utf8')) as { url: string; sign_in_url?: string };
  rmSync(folder, { recursive: true });
  return {
    url: ready.url,
    child,
    said: () => said,
    async cookie() {
      const { stdout } = await runConsole(['sign-in-link', '--data-dir', dataDir], env);
      const { pathname, search } = new URL(stdout.trim());
      const { headers, body } = await request(`${ready.url}${pathname}${search}`);
      await body.dump();
      return String(headers['set-cookie']).split(';', 1)[0] ?? '';
    },
    async stop() {
      child.kill('SIGTERM');
      const ended = await code;
      const held = said.split('\n').filter((line) => line.startsWith('event loop held'));
      // One person's request may hold the others up for 200 ms at most.
      if (held.length > 0) throw new Error(held.join('\n'));
      return ended;
    },
  };
}
