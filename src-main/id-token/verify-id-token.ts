import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { asciiLowerCase } from '#shared/lower-case.ts';
import { IdTokenError } from './id-token-error.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { createUsedTokens, type UsedTokens } from './used-tokens.ts';

/** Google names itself with and without the scheme. */
const googleIssuers = ['https://accounts.google.com', 'accounts.google.com'];
/** Difference tolerated between our clock and the issuer's at a token's end, in seconds. */
const clockTolerance = 30;
/** The furthest ahead of our clock that a token may have been issued, in seconds. */
const mostAhead = 60;

export type IdTokenOptions = {
  /** As the tokens and the discovery document write it, a slash at its end included. */
  readonly issuer: string;
  readonly audience: string;
  /** Clients a token may have been issued to (`azp`), beside the audience. */
  readonly parties?: readonly string[];
  /** URL of the signing keys; taken from the issuer's discovery document when undefined. */
  readonly jwksUrl?: string | undefined;
  /** Epoch ms. */
  readonly now: () => number;
  /** Default: remembered by this process. */
  readonly used?: UsedTokens;
};

/** A token that holds: whom it names, and its one use. */
export type VerifiedIdToken = {
  readonly subject: string;
  /** The verified address, with ASCII letters in lower case and every other character as the issuer wrote it. */
  readonly email: string;
  readonly name: string | undefined;
  /** Takes the token's one use. Throws an `IdTokenError` when somebody has signed in with it. */
  redeem(): Promise<void>;
};

/** Verifies ID tokens. Throws `IdTokenError`. */
export type IdTokens = { verify(token: string): Promise<VerifiedIdToken> };

const claimsOf = z.object({
  sub: z.string().min(1).max(255),
  email: z
    .string()
    .max(320)
    .regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u),
  email_verified: z.literal(true),
  name: z.string().optional(),
});

/**
 * The one check of ID tokens, for the console and the backends (OpenID Connect Core, section 3.1.3.7): form, signature
 * by the issuer's keys, issuer, audience, authorized party, times, and a verified address. Each token signs in once.
 */
export function createIdTokens(options: IdTokenOptions): IdTokens {
  const { issuer, audience, parties = [], jwksUrl, now, used = createUsedTokens(now) } = options;
  const keys = createIssuerKeys({ issuer, jwksUrl });

  const signedClaims = async (token: string): Promise<JWTPayload> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        issuer: googleIssuers.includes(issuer) ? googleIssuers : issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance,
        currentDate: new Date(now()),
      });
      return payload;
    } catch (error) {
      throw explained(error);
    }
  };

  return {
    async verify(token) {
      // What is no signed JWT needs no keys: nobody makes us call the issuer with it. Padding is none of its form
      // (RFC 7515 section 2), and would make a second token of one.
      if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw invalid('it is no signed JWT');
      const payload = await signedClaims(token);
      const { azp, iat = 0, exp = 0, aud } = payload;
      if (iat > now() / 1000 + mostAhead)
        throw invalid('it was issued in the future: check the clock of this machine');
      const ours = azp === audience || parties.some((party) => party === azp);
      if (!ours && (azp !== undefined || (Array.isArray(aud) && aud.length > 1)))
        throw new IdTokenError(
          'audience',
          'The ID token was issued to another client, or for several clients and not to this one.',
        );
      const claims = claimsOf.safeParse(payload);
      if (!claims.success)
        throw new IdTokenError(
          'invalid',
          'The ID token names no verified email address: verify it at the provider.',
        );
      const { sub, email, name } = claims.data;
      return {
        subject: sub,
        email: asciiLowerCase(email),
        name,
        async redeem() {
          // Of what is signed, not of the signature: another signature over the same is the same token.
          const signed = token.slice(0, token.lastIndexOf('.'));
          const id = createHash('sha256').update(signed).digest('base64url');
          if (!(await used.take(id, (exp + clockTolerance) * 1000)))
            throw new IdTokenError('invalid', 'The ID token has been used already: sign in again.');
        },
      };
    },
  };
}

function explained(error: unknown): IdTokenError {
  if (error instanceof IdTokenError) return error;
  if (error instanceof errors.JWTExpired)
    return new IdTokenError('invalid', 'The ID token has expired: sign in again.', { cause: error });
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'aud'
      ? new IdTokenError('audience', 'The ID token was refused: its "aud" is not the one expected here.', {
          cause: error,
        })
      : invalid(`its "${error.claim}" is not the one expected here`, error);
  // Also a key that is too short to be trusted, which is the token's trouble: the keys were read.
  return invalid('its signature does not hold', error);
}

function invalid(why: string, cause?: unknown): IdTokenError {
  return new IdTokenError('invalid', `The ID token was refused: ${why}.`, { cause });
}
