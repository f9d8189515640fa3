import { Code, ConnectError } from '@connectrpc/connect';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';

export type IdentityProvider = {
  /**
   * The address an ID token signs in, in lower case. Throws UNAUTHENTICATED for a token that does not hold, UNAVAILABLE when the issuer's
   * keys cannot be read.
   */
  verify(idToken: string): Promise<string>;
};

/** Google names itself with and without the scheme. */
const googleIssuers = ['https://accounts.google.com', 'accounts.google.com'];
/** Difference tolerated between our clock and the issuer's, in seconds. */
const clockTolerance = 30;
/** Timeout for the issuer, in milliseconds. */
const answerMs = 5000;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/**
 * Checks ID tokens (OpenID Connect Core, 3.1.3.7): signature by the keys its discovery document names (read again when a key is
 * unknown), issuer, audience, expiry, and that the address was verified.
 */
export function createIdentityProvider(options: {
  readonly issuer: string;
  readonly audience: string;
  /** Epoch ms. */
  readonly now: () => number;
}): IdentityProvider {
  const { issuer, audience, now } = options;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  const verified = async (idToken: string): Promise<JWTPayload> => {
    // Kept only once it could be read: an issuer that was away must not stay unknown.
    keys ??= createRemoteJWKSet(await discoverKeys(issuer), {
      // Short: a rotated key must work within seconds, and made-up key ids must not become a flood.
      cooldownDuration: 2000,
      cacheMaxAge: 600_000,
      timeoutDuration: answerMs,
    });
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      issuer: googleIssuers.includes(issuer) ? googleIssuers : issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance,
      currentDate: new Date(now()),
    });
    return payload;
  };

  return {
    async verify(idToken) {
      let claims: JWTPayload;
      try {
        claims = await verified(idToken);
      } catch (error) {
        throw explained(error, issuer);
      }
      if (Array.isArray(claims.aud) && claims.aud.length > 1 && claims.azp !== audience)
        throw wrongAudience();
      const { email } = claims;
      if (typeof email !== 'string' || !email.includes('@') || claims.email_verified !== true)
        throw refused('The ID token names no verified email address: verify it at the provider.');
      return email.toLowerCase();
    },
  };
}

async function discoverKeys(issuer: string): Promise<URL> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(answerMs), redirect: 'error' });
  const document = discovery.parse(await answer.json());
  // OpenID Connect Discovery, 4.3: a document of another issuer names keys of another issuer.
  if (document.issuer !== issuer)
    throw new Error(`the discovery document at ${address} is of another issuer`);
  return new URL(document.jwks_uri);
}

function explained(error: unknown, issuer: string): ConnectError {
  if (error instanceof errors.JWTExpired) return refused('The ID token has expired: sign in again.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'aud'
      ? wrongAudience()
      : refused(`The ID token was rejected: its "${error.claim}" is not the one expected here.`);
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError))
    return new ConnectError(
      `The signing keys of ${issuer} could not be read: try again in a moment.`,
      Code.Unavailable,
    );
  return refused('The ID token was rejected: its signature does not hold.');
}

/** Returns the refusal of a token for another audience (BCK-047, BCK-059). */
function wrongAudience(): ConnectError {
  return refused(
    'The ID token was rejected for its audience: google_client_id must equal OIDC_CLIENT_ID, or OIDC_AUDIENCE must be set.',
  );
}

function refused(message: string): ConnectError {
  return new ConnectError(message, Code.Unauthenticated);
}
