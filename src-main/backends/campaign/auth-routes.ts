import { toJson } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { z } from 'zod';
import { SessionSchema } from '#shared/gen/campaign/v1/auth_pb.js';
import {
  type AnyRequest,
  type AnyResponse,
  answerJson,
  type PlainRoute,
  RouteRefused,
  readJson,
} from '../serving/index.ts';
import { cookieOf, refreshed, type SignIn, sessionOf, signInWithGoogle } from './auth-service.ts';
import { isOwnPage, type TokenPair } from './sessions.ts';

/** Status of each refusal of the sign-in. */
const statuses: Readonly<Partial<Record<Code, number>>> = {
  [Code.InvalidArgument]: 400,
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.FailedPrecondition]: 403,
  [Code.Aborted]: 409,
  [Code.Unavailable]: 503,
};

const token = z.string().optional();
/** As in the JSON of every protobuf message, a field may be spelled both ways (protobuf.dev, ProtoJSON). */
const googleBody = z.object({ id_token: token, idToken: token });
const refreshBody = z.object({ refresh_token: token, refreshToken: token });

/** `/auth/config`, `/auth/google` and `/auth/refresh` (BCK-020, BCK-021, BCK-022). */
export function authRoutes(signIn: SignIn, clientId: string | undefined): PlainRoute[] {
  // The JSON of LoginResponse and of RefreshResponse is the same: a session.
  const answer = (request: AnyRequest, response: AnyResponse, pair: TokenPair): void =>
    answerJson(
      response,
      200,
      { session: toJson(SessionSchema, sessionOf(pair)) },
      // Another site's form could otherwise sign a person in as somebody else.
      isOwnPage(request) ? { 'set-cookie': cookieOf(pair.accessToken, signIn) } : {},
    );
  return [
    {
      method: 'GET',
      path: '/auth/config',
      answer: (_request, response) =>
        answerJson(response, 200, {
          google_client_id: clientId ?? '',
          password_auth: signIn.password !== undefined,
        }),
    },
    {
      method: 'POST',
      path: '/auth/google',
      async answer(request, response) {
        const body = await readJson(request, googleBody);
        const idToken = body.id_token ?? body.idToken ?? '';
        answer(request, response, await signInWithGoogle(signIn, idToken).catch(refuseInHttp));
      },
    },
    {
      method: 'POST',
      path: '/auth/refresh',
      async answer(request, response) {
        const body = await readJson(request, refreshBody);
        const refreshToken = body.refresh_token ?? body.refreshToken ?? '';
        answer(request, response, await refreshed(signIn, refreshToken).catch(refuseInHttp));
      },
    },
  ];
}

/** The refusal of a call, as a plain route says it. */
function refuseInHttp(error: unknown): never {
  const status = error instanceof ConnectError ? statuses[error.code] : undefined;
  if (!(error instanceof ConnectError) || status === undefined) throw error;
  throw new RouteRefused(
    status,
    error.rawMessage,
    status === 401 ? { 'www-authenticate': 'Bearer realm="campaign"' } : {},
  );
}
