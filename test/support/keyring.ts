import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const programs = ['dbus-daemon', 'gnome-keyring-daemon'];

/** The reason a test's own Secret Service cannot run here, or undefined. */
export const keyringMissing = whyMissing();

/** A Secret Service of the test's own, in a throw-away home: nothing of the developer's keychain is touched. */
export type Keyring = {
  /** Environment in which a program finds it, and nothing else of this session. */
  readonly env: Readonly<Record<string, string>>;
  /** Locks the keyring, as at the start of a session in which nobody has given its password yet. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  /** Stops it from answering without closing its connections. */
  freeze(): void;
  thaw(): void;
  stop(): void;
};

/**
 * Starts a D-Bus session bus and an unlocked, empty gnome-keyring. On a `display`, such as `:99`, a locked keyring asks
 * for its password there; without one nobody can be asked.
 */
export async function startKeyring(display?: string): Promise<Keyring> {
  const home = mkdtempSync(join(tmpdir(), 'keyring-'));
  mkdirSync(join(home, 'data/keyrings'), { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_RUNTIME_DIR: home,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, 'bus')}`,
  };
  // Services that the bus itself starts take its environment: no prompt appears on the developer's own display.
  const bus = spawn(
    'dbus-daemon',
    [
      '--session',
      '--nofork',
      '--nopidfile',
      '--print-address=1',
      `--address=${env.DBUS_SESSION_BUS_ADDRESS}`,
    ],
    {
      env: display === undefined ? env : { ...env, DISPLAY: display },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  await firstLine(bus);
  let daemon = await startDaemon(env, 'unlocked');
  const replace = async (state: 'locked' | 'unlocked'): Promise<void> => {
    const gone = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill('SIGTERM');
    await gone;
    daemon = await startDaemon(env, state);
  };
  return {
    env,
    lock: () => replace('locked'),
    unlock: () => replace('unlocked'),
    freeze: () => void daemon.kill('SIGSTOP'),
    thaw: () => void daemon.kill('SIGCONT'),
    stop() {
      daemon.kill('SIGKILL');
      bus.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function startDaemon(env: Record<string, string>, state: 'locked' | 'unlocked'): Promise<ChildProcess> {
  const control = `--control-directory=${join(env.HOME ?? '', 'control')}`;
  const daemon = spawn(
    'gnome-keyring-daemon',
    ['--foreground', '--components=secrets', control, ...(state === 'unlocked' ? ['--unlock'] : [])],
    { env, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  daemon.stdin?.end('passphrase of the test keyring');
  await firstLine(daemon);
  return daemon;
}

/** Both programs print one when they answer. */
function firstLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
  });
}

function whyMissing(): string | undefined {
  if (process.platform !== 'linux') return `the Secret Service is Linux's, this is ${process.platform}`;
  const missing = programs.filter((program) => {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed`;
}
