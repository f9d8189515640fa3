import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 bits, its kind told by its beginning. */
export function newSecret(kind: 'ticket' | 'runner'): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Returns what is kept of a secret: as it has 256 random bits, one SHA-256 is enough. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
