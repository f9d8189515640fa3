import { createHash, randomInt } from 'node:crypto';

/** Letters and digits that are not taken for one another, in print or read aloud. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const length = 6;

/** Returns a new code: 30^6, of which a session may try five. */
export function newCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** SHA-256 of a code with its session, hex, whatever its letters' case. */
export function codeDigest(code: string, session: string): string {
  return createHash('sha256').update(`${session}\0${code.trim().toUpperCase()}`).digest('hex');
}

/** Whether a text holds the code of this digest, wherever in it. */
export function holdsCode(text: string, digest: string, session: string): boolean {
  const words = text.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  return words
    .flatMap((word) =>
      Array.from({ length: Math.max(word.length - length + 1, 0) }, (_, at) => word.slice(at, at + length)),
    )
    .some((part) => codeDigest(part, session) === digest);
}
