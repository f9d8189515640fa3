import { ConsoleError } from '#shared/errors.ts';

/**
 * Text as both databases keep it: PostgreSQL's text holds no NUL, and half a surrogate pair is no Unicode. Free text of
 * a program (an output, a summary) may hold either; what cannot be kept is shown as U+FFFD.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The same for names and commands, where another character would be another thing: throws `BadInput` naming `field`. */
export function exactText(field: string, text: string): string {
  if (storableText(text) === text) return text;
  throw new ConsoleError('BadInput', `In the body, "${field}" holds a character that cannot be stored.`);
}
