import { Code, ConnectError } from '@connectrpc/connect';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { BackendLog } from '../serving/index.ts';
import type { AuthRecords, Person } from './auth-records.ts';
import { emailAddress } from './sign-in-password.ts';

/** Google names itself with and without the scheme. */
const googleIssuers = ['https://accounts.google.com', 'accounts.google.com'];
/** Difference tolerated between our clock and the issuer's, in seconds. */
const clockTolerance = 30;
/** Timeout for the issuer, in milliseconds. */
const patience = 5000;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
const claims = z.object({
  sub: z.string().min(1).max(255),
  email: emailAddress,
  email_verified: z.literal(true),
  name: z.string().optional(),
});

export type OidcSignIn = ReturnType<typeof createOidcSignIn>;

/**
 * The sign-in with an ID token of the identity provider: signature (keys fetched from the issuer, again when a key is unknown), issuer,
 * audience, dates, verified address (OpenID Connect Core 3.1.3.7), then the list of who may sign in, where there is one.
 */
export function createOidcSignIn(options: {
  readonly records: AuthRecords;
  readonly oidc: { readonly issuer: string; readonly clientId: string };
  /** In lower case; undefined lets in everybody with a verified address at the issuer. */
  readonly allowedEmails: readonly string[] | undefined;
  readonly now: () => number;
  readonly log: BackendLog;
}) {
  const { records, oidc, allowedEmails, now, log } = options;
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;

  const keySet = (): Promise<ReturnType<typeof createRemoteJWKSet>> => {
    keys ??= discoverKeys(oidc.issuer).then(
      (url) =>
        // Short: a rotated key must work within seconds, and an attacker's made-up key ids must not become a flood.
        createRemoteJWKSet(url, { cooldownDuration: 2000, cacheMaxAge: 600_000, timeoutDuration: patience }),
      (error: unknown) => {
        keys = undefined;
        throw error;
      },
    );
    return keys;
  };

  const verified = async (idToken: string): Promise<JWTPayload> => {
    const set = await keySet();
    const { payload } = await jwtVerify(idToken, set, {
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      issuer: googleIssuers.includes(oidc.issuer) ? googleIssuers : oidc.issuer,
      audience: oidc.clientId,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance,
      currentDate: new Date(now()),
    });
    return payload;
  };

  return {
    /** Throws UNAUTHENTICATED, PERMISSION_DENIED, or UNAVAILABLE when the issuer's keys cannot be read. */
    async verify(idToken: string): Promise<Person> {
      // What is no signed JWT needs no keys: nobody makes us call the issuer with it.
      if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(idToken))
        throw new ConnectError('The ID token was refused: it is no signed JWT.', Code.Unauthenticated);
      const payload = await verified(idToken).catch((error: unknown) => {
        const refused = explain(error, oidc.issuer);
        if (refused.code === Code.Unavailable)
          log.warn({ err: error, issuer: oidc.issuer }, 'the keys of the identity provider cannot be read');
        throw refused;
      });
      if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== oidc.clientId)
        throw new ConnectError(
          'The ID token was issued for several clients and not to this one.',
          Code.Unauthenticated,
        );
      const read = claims.safeParse(payload);
      if (!read.success)
        throw new ConnectError(
          'The ID token names no verified email address: verify it at the provider.',
          Code.Unauthenticated,
        );
      const { sub, email, name } = read.data;
      if (allowedEmails !== undefined && !allowedEmails.includes(email))
        throw new ConnectError('This account is not authorized for this instance.', Code.PermissionDenied);
      const person = await records.personOf({
        issuer: oidc.issuer,
        subject: printable(sub),
        email,
        name: printable(name ?? email).slice(0, 200),
      });
      if (person === undefined)
        throw new ConnectError(
          'This address belongs to another account of the identity provider: ask whoever runs this backend.',
          Code.PermissionDenied,
        );
      return person;
    },
  };
}

async function discoverKeys(issuer: string): Promise<URL> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(patience),
  });
  const document = discovery.safeParse(await answer.json());
  if (!answer.ok || !document.success)
    throw new Error(`the discovery document of ${issuer} names no jwks_uri`);
  return new URL(document.data.jwks_uri);
}

function explain(error: unknown, issuer: string): ConnectError {
  if (error instanceof errors.JWTExpired)
    return new ConnectError('The ID token has expired: sign in again.', Code.Unauthenticated);
  if (error instanceof errors.JWTClaimValidationFailed)
    return new ConnectError(
      `The ID token was refused: its "${error.claim}" is not the one expected here.`,
      Code.Unauthenticated,
    );
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError))
    return new ConnectError(
      `The signing keys of ${issuer} could not be read: try again in a moment.`,
      Code.Unavailable,
    );
  return new ConnectError('The ID token was refused: its signature does not hold.', Code.Unauthenticated);
}

/** Without control characters: names are shown, and PostgreSQL keeps no NUL. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
}
