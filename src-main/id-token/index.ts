export { IdTokenError } from './id-token-error.ts';
export { readSigningKeys } from './issuer-keys.ts';
export type { UsedTokens } from './used-tokens.ts';
export { createIdTokens } from './verify-id-token.ts';
