import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { type AuthService, type Session, SessionSchema } from '#shared/gen/cockpit/v1/auth_pb.js';
import { asciiLowerCase } from '#shared/lower-case.ts';
import type { BackendLog } from '../../serving/index.ts';
import type { SignInConfig } from '../config.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Sessions } from './sessions.ts';

type Parts = {
  readonly config: SignInConfig;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly sessions: Sessions;
  /** Undefined when it is not configured. */
  readonly provider: IdentityProvider | undefined;
  readonly log: BackendLog;
};

/** Longer is no address (RFC 5321, 4.5.3.1) and no password of a person. */
const longestEmail = 320;
const longestPassword = 1024;
const shortestPassword = 12;

/** `cockpit.v1.AuthService`, whose refusals are those of BCK-054 to BCK-060, word by word. */
export function authService(parts: Parts): ServiceImpl<typeof AuthService> {
  const { config, accounts, attempts, sessions, provider, log } = parts;

  const signIn = async (person: { readonly email: string; readonly admin: boolean }): Promise<Session> => {
    const { token, expiresAt } = await sessions.begin(person);
    return create(SessionSchema, { token, expiresAt: timestampFromMs(expiresAt), user: person });
  };

  return {
    async login({ email, password }) {
      const address = asciiLowerCase(email.trim());
      if (address.length > longestEmail || password.length > longestPassword) throw wrongPassword();
      if (!attempts.begin(address))
        throw new ConnectError(
          'Too many wrong passwords for this address. Wait 15 minutes and try again.',
          Code.ResourceExhausted,
        );
      const account = await accounts.verify(address, password);
      // The same for a wrong password of the admin: otherwise the answer would tell whose address is the admin's.
      if (config.googleOnly && account?.admin !== true)
        throw new ConnectError(
          'Password sign-in is disabled, use the identity-provider sign-in',
          Code.FailedPrecondition,
        );
      if (account === undefined) throw wrongPassword();
      attempts.succeeded(address);
      return { session: await signIn(account) };
    },

    async loginWithSso({ idToken }) {
      if (provider === undefined) throw new ConnectError('OIDC not configured', Code.FailedPrecondition);
      if (config.allowedEmails.length === 0) {
        log.warn(
          {},
          'sso_login_refused_no_allowlist: AUTH_ALLOWED_EMAILS is empty, so nobody may sign in by SSO. Add users to the instance and restart the pod.',
        );
        throw new ConnectError('SSO is not available on this instance', Code.FailedPrecondition);
      }
      const email = await provider.verify(idToken, (address) => {
        if (!config.allowedEmails.includes(address))
          throw new ConnectError('This account is not authorized for this instance', Code.PermissionDenied);
      });
      return { session: await signIn({ email, admin: false }) };
    },

    async signOut(_, { requestHeader }) {
      const { session } = await sessions.callerOf(requestHeader);
      await sessions.end(session);
      return {};
    },

    async whoAmI(_, { requestHeader }) {
      const { email, admin } = await sessions.callerOf(requestHeader);
      return { user: { email, admin } };
    },

    async setPassword({ email, password }, { requestHeader }) {
      const caller = await sessions.callerOf(requestHeader);
      if (!caller.admin)
        throw new ConnectError(
          'Only the break-glass admin gives accounts a password.',
          Code.PermissionDenied,
        );
      const address = asciiLowerCase(email.trim());
      if (address.length > longestEmail || !/^[^\s@]+@[^\s@]+$/.test(address))
        throw new ConnectError('The email is no email address.', Code.InvalidArgument);
      if (password.length < shortestPassword || password.length > longestPassword)
        throw new ConnectError(
          `The password must have ${shortestPassword} to ${longestPassword} characters.`,
          Code.InvalidArgument,
        );
      if (!(await accounts.setPassword(address, password)))
        throw new ConnectError(
          'The password of the break-glass admin is ADMIN_PASSWORD: change it there and restart.',
          Code.FailedPrecondition,
        );
      return {};
    },
  };
}

function wrongPassword(): ConnectError {
  return new ConnectError('The email address or the password is wrong.', Code.Unauthenticated);
}
