import type { IncomingMessage } from 'node:http';
import type { Caller } from '#shared/api/handler.ts';
import { sessionCookie } from '#shared/session-cookie.ts';
import { cookieValues, type Session, type Sessions } from '../features/sign-in/index.ts';

/** Looks up who is behind a request. */
export type Callers = {
  session(request: IncomingMessage): Session | undefined | Promise<Session | undefined>;
  of(request: IncomingMessage): Promise<Caller>;
};

/**
 * Copies of the cookie that are looked up: each may cost a query of the store. Other programs of the host may have given the browser
 * some, so that a few are no sign of anything.
 */
const mostCookies = 64;

/** Characters of a token; anything else was never ours. */
const tokenLength = 43;

/** Identifies callers by the session cookie alone (CON-002). */
export function createCallers(sessions: Sessions): Callers {
  const session = (request: IncomingMessage): Session | undefined | Promise<Session | undefined> => {
    const values = cookieValues(request.headers.cookie, sessionCookie);
    if (values.length === 0) return undefined;
    if (values.length === 1) return sessions.find(values[0] ?? '');
    const tokens = new Set(values.filter(({ length }) => length === tokenLength));
    return firstLive(sessions, [...tokens].slice(0, mostCookies));
  };
  return {
    session,
    async of(request) {
      const found = await session(request);
      return { email: found?.email, sessionId: found?.id, localOperator: found?.method === 'desktop' };
    },
  };
}

/**
 * Returns the first live session. Cookies are shared between the ports of a host: another program's cookie of
 * the same name may come before ours.
 */
async function firstLive(sessions: Sessions, values: readonly string[]): Promise<Session | undefined> {
  for (const value of values) {
    const found = await sessions.find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
