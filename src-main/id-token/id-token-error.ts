/**
 * Thrown when an ID token is not accepted: `invalid` for the token itself, `audience` for one that was issued to
 * another client, `keys` when it cannot be checked now because the issuer's keys cannot be read.
 */
export class IdTokenError extends Error {
  override readonly name = 'IdTokenError';
  readonly kind: 'invalid' | 'audience' | 'keys';

  constructor(kind: IdTokenError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
