import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  createContextKey,
  type HandlerContext,
  type ServiceImpl,
} from '@connectrpc/connect';
import { type AuthService, type Session, SessionSchema } from '#shared/gen/campaign/v1/auth_pb.js';
import { caller } from './parts.ts';
import { accessSeconds, type Sessions, sessionCookie, type TokenPair } from './sessions.ts';
import type { OidcSignIn } from './sign-in-oidc.ts';
import type { PasswordSignIn } from './sign-in-password.ts';

/** The address a gRPC call comes from, for counting wrong tries. */
export const addressKey = createContextKey<string>('');

/** The ways in, and the sessions they lead to. */
export type SignIn = {
  readonly sessions: Sessions;
  /** Undefined when it is off. */
  readonly password: PasswordSignIn | undefined;
  readonly oidc: OidcSignIn | undefined;
  /** Whether the cookie is for https only. */
  readonly secureCookie: boolean;
};

/** Longest password and longest token that are looked at, in characters. */
const longestPassword = 1024;
const longestToken = 16_384;

/** `campaign.v1.AuthService`. `/auth/google` and `/auth/refresh` are `signInWithGoogle` and `refreshed` over plain HTTP. */
export function authService(signIn: SignIn): ServiceImpl<typeof AuthService> {
  const answered = (pair: TokenPair, { responseHeader }: HandlerContext) => {
    responseHeader.append('set-cookie', cookieOf(pair.accessToken, signIn));
    return { session: sessionOf(pair) };
  };
  return {
    async login({ email, password }, context) {
      if (signIn.password === undefined)
        throw new ConnectError(
          'Password sign-in is off here: ADMIN_EMAIL and ADMIN_PASSWORD are not set.',
          Code.FailedPrecondition,
        );
      if (password.length > longestPassword)
        throw new ConnectError(
          `The password is longer than ${longestPassword} characters.`,
          Code.InvalidArgument,
        );
      const person = await signIn.password.verify(email, password, context.values.get(addressKey));
      return answered(await signIn.sessions.start(person), context);
    },
    async loginWithGoogle({ idToken }, context) {
      return answered(await signInWithGoogle(signIn, idToken), context);
    },
    async refresh({ refreshToken }, context) {
      return answered(await refreshed(signIn, refreshToken), context);
    },
    async signOut(_request, context) {
      await signIn.sessions.end((await caller(context)).sessionId);
      context.responseHeader.append('set-cookie', cookieOf(undefined, signIn));
      return {};
    },
    async whoAmI(_request, context) {
      const { userId, email, name } = await caller(context);
      return { user: { id: userId, email, name } };
    },
  };
}

/** A new session for an ID token of the identity provider. */
export async function signInWithGoogle(signIn: SignIn, idToken: string): Promise<TokenPair> {
  if (signIn.oidc === undefined)
    throw new ConnectError(
      'OIDC not configured: this backend has no OIDC_CLIENT_ID, so it takes no ID tokens.',
      Code.FailedPrecondition,
    );
  return signIn.sessions.start(await signIn.oidc.verify(bounded(idToken, 'ID token')));
}

/** The next pair of the same session. */
export async function refreshed(signIn: SignIn, refreshToken: string): Promise<TokenPair> {
  return signIn.sessions.refresh(bounded(refreshToken, 'refresh token'));
}

function bounded(token: string, what: string): string {
  if (token === '') throw new ConnectError(`The ${what} is missing.`, Code.InvalidArgument);
  if (token.length > longestToken)
    throw new ConnectError(`The ${what} is longer than ${longestToken} characters.`, Code.InvalidArgument);
  return token;
}

/** The session as gRPC answers it, and the plain routes in its JSON. */
export function sessionOf(pair: TokenPair): Session {
  return create(SessionSchema, {
    accessToken: pair.accessToken,
    accessExpiresAt: timestampFromMs(pair.accessExpiresAt),
    refreshToken: pair.refreshToken,
    refreshExpiresAt: timestampFromMs(pair.refreshExpiresAt),
    user: { id: pair.person.id, email: pair.person.email, name: pair.person.name },
  });
}

/** The header that gives the pages of this backend the access token, or takes it from them; scripts cannot read it. */
export function cookieOf(
  accessToken: string | undefined,
  { secureCookie }: Pick<SignIn, 'secureCookie'>,
): string {
  const age = accessToken === undefined ? 0 : accessSeconds;
  const secure = secureCookie ? '; Secure' : '';
  return `${sessionCookie}=${accessToken ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}
