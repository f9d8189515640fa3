import { spawn } from 'node:child_process';

/** Looks for the process five times a second, and ends it when it is there after the last look. */
const script =
  'i=0; while [ "$i" -lt "$2" ]; do sleep 0.2; kill -0 "$1" 2>/dev/null || exit 0; i=$((i+1)); done; kill -9 "$1"';
const lookEvery = 200;

/**
 * Starts a program that ends this process when it is still there after `limit` ms: the last resort for an exit that hangs
 * where no timer of this process fires any more. It ends by itself as soon as this process is gone. Windows ends a
 * process with its threads, whatever they do, and needs none.
 */
export function watchExit(limit: number): void {
  if (process.platform === 'win32') return;
  const looks = String(Math.ceil(limit / lookEvery));
  const watch = spawn('/bin/sh', ['-c', script, 'operator-console-exit', String(process.pid), looks], {
    stdio: 'ignore',
    // A group of its own: what ends this program's group must not end its watch first.
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without a shell the exit has the timer of this process only.
  watch.on('error', () => undefined);
  watch.unref();
}
