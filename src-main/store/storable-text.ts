import { ConsoleError } from '#shared/errors.ts';

/**
 * Returns text that both databases can store: PostgreSQL's text allows no NUL, and half a surrogate pair is
 * not Unicode. Free text of a program (an output, a summary) may contain either; anything that cannot be
 * stored becomes U+FFFD.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The same for names and commands, where another character would be another thing: throws `BadInput` naming `field`. */
export function exactText(field: string, text: string): string {
  if (storableText(text) === text) return text;
  throw new ConsoleError('BadInput', `In the body, "${field}" contains a character that cannot be stored.`);
}
