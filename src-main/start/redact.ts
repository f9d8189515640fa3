import type { Environment } from '../config/index.ts';
import { variables } from '../config/index.ts';

/** Removes secrets from a text: those that are known by value, and what has the form of one. */
export type Redact = (text: string) => string;

const hidden = '[redacted]';
/** Minimum length of a hidden value: a shorter one would hide ordinary words, too. */
const shortest = 6;

/**
 * Patterns of secrets recognisable by their form, whatever their source. The group before the secret, if any,
 * is kept.
 */
const forms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /(\b(?:Bearer|Basic)\s+)[A-Za-z0-9+/_.~-]{16,}=*/g,
  /(:\/\/)[^\s/@"'\\]+(?=@)/g,
  /(\bconsole_session=)[^\s;"',\\]+/g,
  /(\b(?:token|password|passwd|secret|api[_-]?key)["']?[=:]["']?)[^\s"',;&}\\]{6,}/gi,
  /\bgh[a-z]_[A-Za-z0-9]{16,}\b/g,
  /\bsk_(?:live|test)_[A-Za-z0-9]{8,}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
];

/**
 * Returns a function that hides the secrets among `values` and those set in an environment; `values` is
 * called each time.
 */
export function createRedact(env: Environment, values: () => readonly string[] = () => []): Redact {
  const set = variables.flatMap(({ name, secret }) => (secret ? [env[name]] : []));
  return (text) => {
    let left = text;
    for (const value of [...set, ...values()]) {
      for (const part of partsOf(value)) left = left.replaceAll(part, hidden);
    }
    for (const form of forms)
      left = left.replace(form, (_all, kept) => `${typeof kept === 'string' ? kept : ''}${hidden}`);
    return left;
  };
}

/** A secret and its lines: a key of several lines is written with another line end in JSON. */
function partsOf(value: string | undefined): string[] {
  if (value === undefined) return [];
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= shortest && !line.startsWith('-----'));
}
