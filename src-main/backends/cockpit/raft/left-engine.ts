import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { processEnd } from '../../../base/process-end.ts';
import type { BackendLog } from '../../serving/index.ts';
import { isGone, type ProcessIdentity, processIdentity } from './process-identity.ts';

/** Variable of an engine's environment that names the process that started it. */
export const starterVariable = 'ENGINE_STARTED_BY';

/** Time a killed engine has to be gone, in milliseconds. */
const goneMs = 3000;

/** Waits for the end of its input, which comes when this process is gone however it ended. */
const watchScript = 'read -r _; kill -9 "$1" 2> /dev/null; [ -z "$2" ] || rm -rf -- "$2"';

/**
 * Ends an engine with this process, also when that is killed and can do nothing itself, and removes the folder then. Returns what
 * ends the watch. Without a POSIX shell an engine is left, and the next start ends it (`endLeftEngines`).
 */
export function endWithThisProcess(
  engine: ChildProcess,
  folder: string | undefined,
  log: BackendLog,
): () => void {
  if (engine.pid === undefined || process.platform === 'win32') return () => undefined;
  processEnd.throwIfAborted();
  const watch = spawn('/bin/sh', ['-c', watchScript, 'cockpit-engine-watch', `${engine.pid}`, folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own: Ctrl+C in a terminal would end the watch with what it watches for.
    detached: true,
    env: { PATH: process.env.PATH },
  });
  watch.on('error', (error) =>
    log.warn({ err: error }, 'the raft engine is not ended with this process if that is killed: no /bin/sh'),
  );
  watch.stdin.on('error', () => undefined);
  watch.unref();
  if (watch.stdin instanceof Socket) watch.stdin.unref();
  return () => void watch.kill('SIGKILL');
}

/**
 * Ends engines on this folder whose starter is gone: they hold the lock of the state and nobody will stop them. An engine of another
 * process that runs is left alone, and so is one of another user or pid namespace, which cannot be seen. Linux only.
 */
export async function endLeftEngines(folder: string, log: BackendLog): Promise<void> {
  for (const { pid, identity } of leftEngines(folder)) {
    log.warn(
      { pid, folder },
      'a raft engine that outlived its cockpit is ended, so that its state can be opened',
    );
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      continue;
    }
    for (const end = Date.now() + goneMs; !isGone(identity) && Date.now() < end; ) await setTimeout(20);
  }
}

function leftEngines(folder: string): { readonly pid: number; readonly identity: ProcessIdentity }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const identity = Number.isInteger(pid) ? processIdentity(pid) : undefined;
    if (identity === undefined || !zeroSeparated(pid, 'cmdline').includes(folder)) return [];
    const starter = zeroSeparated(pid, 'environ')
      .find((entry) => entry.startsWith(`${starterVariable}=`))
      ?.slice(starterVariable.length + 1);
    return starter !== undefined && isGone(starter) ? [{ pid, identity }] : [];
  });
}

/** Empty for a process that is gone or another user's. */
function zeroSeparated(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
