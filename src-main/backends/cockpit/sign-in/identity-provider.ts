import { Code, ConnectError } from '@connectrpc/connect';
import { createIdTokens, IdTokenError } from '../../../id-token/index.ts';

export type IdentityProvider = {
  /**
   * Returns the address an ID token signs in, in lower case, once `admits` has let it in. Throws what that throws, UNAUTHENTICATED for a
   * token that does not hold or was used, UNAVAILABLE when the issuer's keys cannot be read.
   */
  verify(idToken: string, admits: (email: string) => void): Promise<string>;
};

/** Checks ID tokens; the audience may be another than the client that asks for them. */
export function createIdentityProvider(options: {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
  /** Epoch ms. */
  readonly now: () => number;
}): IdentityProvider {
  const { issuer, clientId, audience, now } = options;
  const idTokens = createIdTokens({ issuer, audience, parties: [clientId], now });
  return {
    async verify(idToken, admits) {
      try {
        const { email, redeem } = await idTokens.verify(idToken);
        admits(email);
        await redeem();
        return email;
      } catch (error) {
        throw error instanceof IdTokenError ? refusalOf(error) : error;
      }
    },
  };
}

function refusalOf({ kind, message }: IdTokenError): ConnectError {
  if (kind === 'keys') return new ConnectError(message, Code.Unavailable);
  return new ConnectError(
    // BCK-047, BCK-059.
    kind === 'audience'
      ? 'The ID token was rejected for its audience: google_client_id must equal OIDC_CLIENT_ID, or OIDC_AUDIENCE must be set.'
      : message,
    Code.Unauthenticated,
  );
}
