import type { IncomingMessage } from 'node:http';
import type { Caller } from '#shared/api/handler.ts';
import { sessionCookie } from '#shared/session-cookie.ts';
import { cookieValues, type Session, type Sessions } from '../features/sign-in/index.ts';

/** Looks up who is behind a request. */
export type Callers = {
  session(request: IncomingMessage): Session | undefined | Promise<Session | undefined>;
  of(request: IncomingMessage): Promise<Caller>;
};

/** Identifies callers by the session cookie alone (CON-002). */
export function createCallers(sessions: Sessions): Callers {
  const session = (request: IncomingMessage): Session | undefined | Promise<Session | undefined> => {
    const values = cookieValues(request.headers.cookie, sessionCookie);
    if (values.length === 0) return undefined;
    if (values.length === 1) return sessions.find(values[0] ?? '');
    // Cookies are shared between the ports of a host, and come from sister domains: others of this name may come before ours.
    return sessions.findFirst(values);
  };
  return {
    session,
    async of(request) {
      const found = await session(request);
      return {
        email: found?.email,
        sessionId: found?.id,
        localOperator: found?.method === 'desktop',
        signInLink: found?.method === 'link',
      };
    },
  };
}
