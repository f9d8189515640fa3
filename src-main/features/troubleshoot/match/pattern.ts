import { longestTried } from '#shared/api/symptoms.ts';

/** The match of a fact. */
export type Matched = {
  /** The observed text, verbatim. */
  readonly text: string;
  /** Characters of `text`, from and to before. */
  readonly match?: readonly [number, number] | undefined;
  readonly named: Readonly<Record<string, string>>;
};

/**
 * A text by a pattern; by none it is matched as a whole. Of a long text only the characters around `near` are tried, so
 * that no pattern takes long whatever a program wrote. Undefined when it does not match.
 */
export function matchText(
  text: string,
  pattern: RegExp | undefined,
  near: readonly [number, number] = [0, 0],
): Matched | undefined {
  if (pattern === undefined) return { text, named: {}, ...(near[1] > near[0] ? { match: near } : {}) };
  const from = Math.max(0, Math.min(near[0] - longestTried / 4, text.length - longestTried));
  const found = pattern.exec(text.slice(from, from + longestTried));
  if (found === null) return undefined;
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(found.groups ?? {}))
    if (value !== undefined) named[name] = value;
  const at = from + found.index;
  return { text, match: [at, at + found[0].length], named };
}

/** Returns the match with a prefix before the text that the pattern was tried on. */
export function prefixed(prefix: string, { text, match, named }: Matched): Matched {
  return {
    text: prefix + text,
    named,
    ...(match === undefined ? {} : { match: [match[0] + prefix.length, match[1] + prefix.length] }),
  };
}
