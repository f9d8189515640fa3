import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether a D-Bus session bus answers, in at most `timeout` ms. The keychain's library connects on the main
 * thread and waits without limit for a bus that took the connection and went silent (measured: libdbus, no timer
 * fires), so the bus is asked here first: it must answer the first line of the handshake
 * (https://dbus.freedesktop.org/doc/dbus-specification.html, Authentication Protocol).
 */
export async function sessionBusAnswers(env: Environment, timeout: number): Promise<boolean> {
  const address = busAddress(env);
  if (address === undefined) return false;
  const path = /^unix:(?:[^;]*,)?path=([^,;]+)/.exec(address)?.[1];
  // Another transport, such as an abstract socket: the library has to find out.
  if (path === undefined) return true;
  return new Promise((resolve) => {
    const socket = connect(decodeURIComponent(path));
    const end = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.setTimeout(timeout, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('data', () => end(true));
    const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  });
}

/** Returns the address of the session bus: the session's own, else the user's own socket. */
function busAddress(env: Environment): string | undefined {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS;
  const socket = env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'bus') : undefined;
  return socket !== undefined && existsSync(socket) ? `unix:path=${socket}` : undefined;
}
