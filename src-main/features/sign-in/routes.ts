import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { SessionItem } from '#shared/api/sign-in.ts';
import { ConsoleError } from '#shared/errors.ts';
import { asciiLowerCase } from '#shared/lower-case.ts';
import { sessionCookie } from '#shared/session-cookie.ts';
import { sameSecret } from '../../base/same-secret.ts';
import { type Audit, audited, circumstancesOf } from '../audit/index.ts';
import { auditedSignIn } from './audited-sign-in.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { PasswordSignIn } from './password.ts';
import { type SameSite, type Session, type Sessions, sessionCookieLine } from './sessions.ts';
import type { SignInLinks } from './sign-in-link.ts';
import type { SignInMethod } from './store.ts';

type Options = {
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly links: SignInLinks;
  readonly password: PasswordSignIn;
  /** The provider as it is set now. */
  readonly identityProvider: () => IdentityProvider | undefined;
  readonly clientId: () => string | undefined;
  readonly localOperator: { readonly on: boolean; readonly email: string };
  /** The command that prints a new link, as a caller at this address may know it. */
  readonly signInCommand: (address: string) => string | undefined;
  /** True when anyone at all can sign in (issue of an open console otherwise). */
  readonly authRequired: () => boolean;
  readonly recaptchaSiteKey: string | undefined;
  readonly voice: () => { readonly tts: boolean; readonly stt: boolean };
  readonly sameSite: SameSite;
  /** Milliseconds. */
  readonly absoluteLifetime: number;
  /** Returns whether an email is on the list of session admins (CON-166). */
  readonly isSessionAdmin: (email: string) => Promise<boolean>;
};

type SignInRouteId = Extract<RouteId, `signIn.${string}` | `sessions.${string}`>;

/** The sign-in and session routes. */
export function signInHandlers(options: Options): Handlers<SignInRouteId> {
  const { sessions } = options;

  const setSession = (call: Call, token: string): void => {
    const { sameSite, absoluteLifetime } = options;
    call.setCookie(
      sessionCookieLine(token, { secure: call.secure, sameSite, maxAgeSeconds: absoluteLifetime / 1000 }),
    );
  };

  /**
   * Verifies a credential and starts a session under a new id; whatever session the browser brought is ended, never
   * promoted.
   */
  const signIn = (
    method: SignInMethod,
    call: Call,
    verify: () => string | Promise<string>,
  ): Promise<string> =>
    auditedSignIn(options.audit, {
      method,
      detail: circumstancesOf(call),
      verify,
      async start(email) {
        for (const old of call.cookies(sessionCookie)) await sessions.end(old);
        const { token } = await sessions.start(email, method, call.userAgent);
        setSession(call, token);
      },
    });

  const withProvider = async (credential: string, call: Call): Promise<string> => {
    const identityProvider = options.identityProvider();
    if (identityProvider === undefined) {
      throw new ConsoleError(
        'NotFound',
        'No identity provider is configured: CONSOLE_GOOGLE_CLIENT_ID is not set.',
      );
    }
    return signIn('identity-provider', call, () => identityProvider.verify(credential));
  };

  return {
    'signIn.me': (_input, { caller }) => {
      const clientId = options.clientId();
      return {
        authed: caller.email !== undefined,
        ...(caller.email === undefined ? {} : { email: caller.email }),
        authRequired: options.authRequired(),
        passwordAuth: options.password.isOn(),
        googleAuth: clientId !== undefined,
        ...(clientId === undefined ? {} : { googleClientId: clientId }),
        ...(options.recaptchaSiteKey === undefined ? {} : { recaptchaSiteKey: options.recaptchaSiteKey }),
        voiceTts: options.voice().tts,
        voiceStt: options.voice().stt,
      };
    },

    'signIn.callback': async ({ body }, call) => {
      const cookies = call.cookies('g_csrf_token');
      if (cookies.length !== 1 || !sameSecret(cookies[0] ?? '', body.g_csrf_token)) {
        throw new ConsoleError('NotAllowed', 'The form token does not match its cookie: sign in again.');
      }
      await withProvider(body.credential, call);
      return '/';
    },

    'signIn.google': async ({ body }, call) => ({ email: await withProvider(body.credential, call) }),

    'signIn.password': async ({ body }, call) => {
      const { password } = options;
      if (!password.isOn()) {
        throw new ConsoleError('NotFound', 'Password sign-in is off: CONSOLE_ADMIN_PASSWORD is not set.');
      }
      const email = await signIn('password', call, () =>
        password.verify(body.username, body.password, call.address),
      );
      return { email };
    },

    'signIn.link': async ({ query }, call) => {
      const { on, email } = options.localOperator;
      if (!on || !(await options.links.redeem(query.token))) return '/?signin=expired';
      await signIn('link', call, () => email);
      return '/';
    },

    'signIn.command': (_input, { address }) => {
      const command = options.signInCommand(address);
      return command === undefined ? {} : { command };
    },

    'signIn.logout': async (_input, call) => {
      const tokens = call.cookies(sessionCookie);
      const { email } = call.caller;
      const end = async (): Promise<void> => {
        for (const token of tokens) await sessions.end(token);
      };
      if (email === undefined) await end();
      else {
        const act = { actor: email, action: 'sign_out', target: 'session' };
        await audited(options.audit, act, circumstancesOf(call), async (event) => {
          event.record(`${email} signed out.`);
          await end();
        });
      }
      setSession(call, '');
      return { signed_out: tokens.length > 0 };
    },

    'sessions.list': async (_input, { caller }) => {
      const items = await sessions.list(caller.email ?? '');
      return { items: items.map((session) => toItem(session, caller.sessionId)) };
    },

    'sessions.everyone': async (_input, { caller }) => {
      const { sessions: open, complete } = await sessions.everyone();
      return {
        items: open.map((session) => ({ ...toItem(session, caller.sessionId), email: session.email })),
        complete,
      };
    },

    'sessions.revokeOne': async ({ params }, { caller, record }) => {
      const found = await sessions.byId(params.id);
      if (found?.email !== caller.email && !(await options.isSessionAdmin(caller.email ?? ''))) {
        // Whether somebody else has a session of this id is not theirs to know.
        throw noSession();
      }
      const revoked = found === undefined ? 0 : await sessions.revoke(found.email, params.id);
      if (found === undefined || revoked === 0) throw noSession();
      record(`A session of ${found.email} ended.`, { subject: found.email, method: found.method });
      return { revoked };
    },

    'sessions.revokeAll': async ({ body }, { caller, record }) => {
      const subject = asciiLowerCase(body.subject.trim());
      if (subject !== caller.email && !(await options.isSessionAdmin(caller.email ?? ''))) {
        throw new ConsoleError(
          'NotAllowed',
          "You may end only your own sessions: ending other people's requires being in CONSOLE_SESSION_ADMINS.",
        );
      }
      const revoked = await sessions.revoke(subject);
      record(`All sessions of ${subject} ended: ${revoked}.`, { revoked });
      return { revoked };
    },
  };
}

function toItem(session: Session, currentId: string | undefined): SessionItem {
  return {
    id: session.id,
    method: session.method,
    ...(session.userAgent === undefined ? {} : { user_agent: session.userAgent }),
    created_at: new Date(session.createdAt).toISOString(),
    last_seen_at: new Date(session.lastSeenAt).toISOString(),
    expires_at: new Date(session.expiresAt).toISOString(),
    current: session.id === currentId,
  };
}

function noSession(): ConsoleError {
  return new ConsoleError('NotFound', 'You have no open session with this id: it may have ended.');
}
