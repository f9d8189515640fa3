import type { IncomingMessage } from 'node:http';
import type { Caller } from '#shared/api/handler.ts';
import type { Access, IngestToken, ReadToken } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { sameSecret } from '../base/same-secret.ts';
import type { Allowlists } from '../features/access/index.ts';
import type { AgentTokens } from '../sources/code-host/index.ts';
import type { Callers } from './callers.ts';

export type AccessParts = {
  /** False on an open console: no sign-in is configured, reads are served to anyone. */
  readonly authRequired: () => boolean;
  readonly allowlists: Allowlists;
  readonly callers: Callers;
  /** The shared token a machine must present, as it is set now. */
  readonly ingestToken: (name: IngestToken | 'STRIPE_WEBHOOK_SECRET' | ReadToken) => string | undefined;
  readonly agentTokens: AgentTokens;
};

/** The access classes (CON-039 to CON-043): who the caller is, and whether a route admits them. */
export type Gate = {
  /** Identifies the caller by the session cookie; not at all for a route that takes a token instead. */
  identify(access: Access, request: IncomingMessage): Promise<Caller>;
  /**
   * Admits the caller, or throws `NotSignedIn`, `NotAllowed`, or `Unavailable` naming the variable that is
   * not set. Returns the caller, with the agent that a token identifies.
   */
  admit(access: Access, caller: Caller, request: IncomingMessage): Promise<Caller>;
  /** As `admit`, by the session alone: what takes a token admits nobody. */
  admitCaller(access: Access, caller: Caller): Promise<Caller>;
};

const nobody: Caller = {
  email: undefined,
  sessionId: undefined,
  localOperator: false,
  signInLink: false,
};

/** Builds the gate that every route goes through. */
export function createGate(parts: AccessParts): Gate {
  const admitCaller: Gate['admitCaller'] = async (access, caller) => {
    switch (access.kind) {
      case 'open':
        return caller;
      case 'machine':
      case 'agent':
      case 'signature':
        throw new ConsoleError('NotAllowed', 'This takes a token: no session is admitted.');
      case 'read':
        if (caller.email === undefined && access.allowlist === undefined && !parts.authRequired())
          return caller;
        break;
      case 'own':
      case 'write':
        break;
    }
    const { email } = caller;
    if (email === undefined) {
      throw new ConsoleError(
        'NotSignedIn',
        'You are not signed in, or your session has ended: sign in and try again.',
      );
    }
    if (access.kind === 'own' || (access.kind === 'read' && access.allowlist === undefined)) return caller;
    if (access.localOperator && caller.localOperator) return caller;
    if (access.kind === 'write' && access.ownSubject) return caller;
    const firstSteps = access.kind === 'write' && access.firstSteps === true && caller.signInLink;
    if (firstSteps && !(await parts.allowlists.isSet('CONSOLE_SESSION_ADMINS'))) return caller;
    const { allowlist } = access;
    if (allowlist !== undefined && !(await parts.allowlists.admits(allowlist, email)))
      throw new ConsoleError('NotAllowed', `You may not do this: it needs membership of ${allowlist}.`);
    return caller;
  };
  return {
    admitCaller,
    async identify(access, request) {
      // A machine's door opens to its token only: a browser that brings a session along gains nothing by it.
      const byToken = access.kind === 'machine' || access.kind === 'agent' || access.kind === 'signature';
      return byToken || (access.kind === 'open' && !access.identified) ? nobody : parts.callers.of(request);
    },

    async admit(access, caller, request) {
      if (access.kind === 'machine') {
        checkIngestToken(access.token, parts.ingestToken(access.token), request);
        return caller;
      }
      if (access.kind === 'signature') {
        if (parts.ingestToken(access.secret) === undefined)
          throw new ConsoleError(
            'Unavailable',
            `${access.secret} is not set, so this address takes nothing from anyone: set it in Settings, Keys.`,
          );
        return caller;
      }
      if (access.kind === 'read' && access.token !== undefined && caller.email === undefined) {
        const expected = parts.ingestToken(access.token);
        const isPresented = request.headers.authorization !== undefined;
        if (expected !== undefined && isPresented) {
          checkIngestToken(access.token, expected, request);
          return caller;
        }
      }
      if (access.kind === 'agent')
        return { ...caller, agent: await parts.agentTokens.verify(bearer(request)) };
      return admitCaller(access, caller);
    },
  };
}

function checkIngestToken(
  name: IngestToken | ReadToken,
  expected: string | undefined,
  request: IncomingMessage,
): void {
  if (expected === undefined) {
    throw new ConsoleError(
      'Unavailable',
      `${name} is not set, so this address takes nothing from anyone: set it here and where the reports come from.`,
    );
  }
  if (!sameSecret(bearer(request), expected))
    throw new ConsoleError('NotSignedIn', `The token is not the one in ${name}.`);
}

/** The credential of `Authorization: Bearer` (RFC 6750 section 2.1). Throws `NotSignedIn` without one. */
function bearer({ headers }: IncomingMessage): string {
  const token = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined && token.length <= 4096) return token;
  throw new ConsoleError(
    'NotSignedIn',
    'This address takes a token: send it as "Authorization: Bearer TOKEN".',
    {
      'www-authenticate': 'Bearer',
    },
  );
}
