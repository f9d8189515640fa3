import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { ConsoleError } from '#shared/errors.ts';

type Options = {
  readonly clientId: string;
  readonly issuer: string;
  /** URL of the signing keys; taken from the issuer's discovery document when undefined. */
  readonly jwksUrl: string | undefined;
  /** Emails that may sign in, in lower case; undefined refuses everyone (RTE-013). */
  readonly allowedEmails: readonly string[] | undefined;
  readonly now: () => number;
};

/** Verifies an ID token and answers the email it signs in. */
export type IdentityProvider = { verify(credential: string): Promise<string> };

/** Google names itself with and without the scheme. */
const googleIssuers = ['https://accounts.google.com', 'accounts.google.com'];
/** Difference tolerated between our clock and the issuer's, in seconds. */
const clockTolerance = 30;

/**
 * Checks signature (keys fetched from the issuer, re-fetched when a key is unknown), issuer, audience,
 * expiry, `email_verified` and the sign-in allowlist (OpenID Connect Core 3.1.3.7). Throws `NotSignedIn` for
 * an invalid token, `NotAllowed` for a person who is not on the list, `Unavailable` when the keys cannot be
 * read.
 */
export function createIdentityProvider(options: Options): IdentityProvider {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  const keySet = async (): Promise<ReturnType<typeof createRemoteJWKSet>> => {
    if (keys === undefined) {
      const url = options.jwksUrl ?? (await discoverKeys(options.issuer));
      // Short: a rotated key must work within seconds, and an attacker's made-up key ids must not become a flood.
      keys = createRemoteJWKSet(new URL(url), {
        cooldownDuration: 2000,
        cacheMaxAge: 600_000,
        timeoutDuration: 5000,
      });
    }
    return keys;
  };

  const verified = async (credential: string): Promise<JWTPayload> => {
    const set = await keySet();
    const { payload } = await jwtVerify(credential, set, {
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      issuer: googleIssuers.includes(options.issuer) ? googleIssuers : options.issuer,
      audience: options.clientId,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance,
      currentDate: new Date(options.now()),
    });
    return payload;
  };

  return {
    async verify(credential) {
      let claims: JWTPayload;
      try {
        claims = await verified(credential);
      } catch (error) {
        throw explain(error, options.issuer);
      }
      if (Array.isArray(claims.aud) && claims.aud.length > 1 && claims.azp !== options.clientId) {
        throw new ConsoleError(
          'NotSignedIn',
          'The ID token was issued for several clients and not to this one.',
        );
      }
      const { email } = claims;
      if (typeof email !== 'string' || !email.includes('@') || claims.email_verified !== true) {
        throw new ConsoleError(
          'NotSignedIn',
          'The ID token names no verified email address: verify it at the provider.',
        );
      }
      const person = email.toLowerCase();
      if (options.allowedEmails?.includes(person) !== true) {
        throw new ConsoleError(
          'NotAllowed',
          options.allowedEmails === undefined
            ? 'CONSOLE_ALLOWED_EMAILS is not set, so nobody may sign in through the identity provider.'
            : 'This account may not sign in here: ask whoever runs this console to add it to CONSOLE_ALLOWED_EMAILS.',
        );
      }
      return person;
    },
  };
}

async function discoverKeys(issuer: string): Promise<string> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(5000),
  });
  const document: unknown = await answer.json();
  if (typeof document === 'object' && document !== null && 'jwks_uri' in document) {
    const { jwks_uri: url } = document;
    if (typeof url === 'string' && URL.canParse(url)) return url;
  }
  throw new Error(`the discovery document of ${issuer} names no jwks_uri`);
}

function explain(error: unknown, issuer: string): ConsoleError {
  if (error instanceof errors.JWTExpired)
    return new ConsoleError('NotSignedIn', 'The ID token has expired: sign in again.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new ConsoleError(
      'NotSignedIn',
      `The ID token was refused: its "${error.claim}" is not the one expected here.`,
    );
  }
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
    return new ConsoleError(
      'Unavailable',
      `The signing keys of ${issuer} could not be read: try again in a moment.`,
    );
  }
  return new ConsoleError('NotSignedIn', 'The ID token was refused: its signature does not hold.');
}
