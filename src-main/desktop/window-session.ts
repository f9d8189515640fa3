import { type Session, session as sessions } from 'electron';
import { desktopSignInPath } from '#shared/desktop-sign-in.ts';
import { sessionCookie } from '#shared/session-cookie.ts';
import { mayRequest } from './origin-rules.ts';
import { guardPermissions } from './permissions.ts';

/** Longest time the console may take to end the window's session, in ms. */
const signOutTimeout = 1000;

/**
 * The browser session of the window. It is kept in memory (no `persist:`): no cookie, answer or page of the
 * console is ever on disk outside its store, and the origin's port differs at every start anyway.
 *
 * `signIn` signs the local operator in again when the page requests it: a session expires while the machine
 * sleeps, and the person at the desk must not have to restart the program.
 */
export async function createWindowSession(
  origin: () => string | undefined,
  signIn: (session: Session) => Promise<void>,
): Promise<Session> {
  const session = sessions.fromPartition('console');
  guardPermissions(session, origin);
  // The window talks to loopback: a system proxy, or a PAC file that claims loopback, must not see the session.
  await session.setProxy({ mode: 'direct' });
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'];
  session.webRequest.onBeforeRequest({ urls }, ({ url, resourceType }, callback) => {
    const own = origin();
    if (own === undefined || resourceType !== 'mainFrame' || url !== `${own}${desktopSignInPath}`) {
      callback({ cancel: own === undefined || !mayRequest(url, own) });
      return;
    }
    signIn(session).then(
      () => callback({ redirectURL: `${own}/` }),
      () => callback({ cancel: true }),
    );
  });
  return session;
}

/** Signs the window in with a session the console started. It goes through the cookie store: a URL could leak it. */
export async function handOverSession(session: Session, origin: string, token: string): Promise<void> {
  await session.cookies.set({
    url: origin,
    name: sessionCookie,
    value: token,
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
  });
}

/**
 * Ends the window's session on the console: nothing holds its cookie once the window is closed. Never throws.
 */
export async function endWindowSession(session: Session, origin: string): Promise<void> {
  try {
    const [cookie] = await session.cookies.get({ url: origin, name: sessionCookie });
    if (cookie === undefined) return;
    await fetch(`${origin}/auth/logout`, {
      method: 'POST',
      headers: { cookie: `${sessionCookie}=${cookie.value}` },
      signal: AbortSignal.timeout(signOutTimeout),
    });
  } catch {
    // The session then ends by itself, when it has been unused for CONSOLE_SESSION_IDLE_HOURS.
  }
}
