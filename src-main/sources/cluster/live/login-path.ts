import { spawn } from 'node:child_process';
import { processEnd } from '../../../base/process-end.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mark = '__operator_console_path__';

/**
 * PATH as the login shell has it: a desktop program inherits a short one, and exec plugins live elsewhere. Undefined when
 * the shell does not tell within `limit` milliseconds, and on Windows, where programs have the full one.
 */
export async function loginShellPath(env: Environment, limit = 3_000): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // Interactive, too: many set PATH in .bashrc or .zshrc only. In a group of its own, to end what it starts.
  processEnd.throwIfAborted();
  const shell = spawn(env.SHELL || '/bin/sh', ['-ilc', `printf '${mark}%s${mark}' "$PATH"`], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let out = '';
  const timer = setTimeout(() => {
    endGroup(shell.pid);
    resolve(undefined);
  }, limit);
  shell.stdout.setEncoding('utf8').on('data', (piece: string) => {
    if (out.length < 100_000) out += piece;
  });
  shell.on('error', () => resolve(undefined));
  shell.on('close', () => resolve(out.split(mark)[1] || undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a process and what it started, when it leads a group. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
