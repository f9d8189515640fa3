/** A set of characters: one bit for each of ASCII, one for all others. */
export type CharacterSet = { readonly ascii: bigint; readonly others: boolean };

/** A part of a pattern and how often it may stand; `most` is Infinity where nothing bounds it. */
export type PatternPart = { readonly least: number; readonly most: number } & (
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'group'; readonly branches: readonly PatternPart[][] }
  /** An assertion, which is of no width. */
  | { readonly kind: 'assertion'; readonly start: boolean }
);

/**
 * The parts of a regular expression that is known to compile with the flags `iu` (ECMA-262, 22.2.1), as alternatives. Throws,
 * with the end of a sentence, for what no pattern of the catalogue needs: look-around, back references, sets of properties.
 */
export function readPattern(source: string): PatternPart[][] {
  let at = 0;

  const alternatives = (): PatternPart[][] => {
    const branches: PatternPart[][] = [[]];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1;
        branches.push([]);
        continue;
      }
      branches.at(-1)?.push(quantified(atom()));
    }
    return branches;
  };

  const atom = (): PatternPart => {
    const once = { least: 1, most: 1 };
    const character = source.charAt(at);
    at += 1;
    switch (character) {
      case '(': {
        const opening = /^\?(?::|<[A-Za-z_]\w*>)/.exec(source.slice(at))?.[0];
        if (opening === undefined && source[at] === '?')
          throw new Error('looks around, which is not allowed');
        at += opening?.length ?? 0;
        const branches = alternatives();
        at += 1;
        return { ...once, kind: 'group', branches };
      }
      case '^':
      case '$':
        return { ...once, kind: 'assertion', start: character === '^' };
      case '.':
        return { ...once, kind: 'characters', set: without(everything, lineEnds) };
      case '[':
        return { ...once, kind: 'characters', set: characterClass() };
      case '\\':
        if (/[bB]/.test(source.charAt(at))) {
          at += 1;
          return { ...once, kind: 'assertion', start: false };
        }
        return { ...once, kind: 'characters', set: escaped() };
      default:
        return { ...once, kind: 'characters', set: only(character) };
    }
  };

  const escaped = (): CharacterSet => {
    const letter = source.charAt(at);
    at += 1;
    const known = escapes[letter];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(letter)) throw new Error(`holds \\${letter}, which is not allowed`);
    return only(letter);
  };

  const characterClass = (): CharacterSet => {
    const negated = source[at] === '^';
    if (negated) at += 1;
    let set: CharacterSet = nothing;
    while (source[at] !== ']') {
      const between = /^([^\\\]])-([^\\\]])/.exec(source.slice(at, at + 3));
      if (between === null) set = union(set, member());
      else {
        set = union(set, range(between[1] ?? '', between[2] ?? ''));
        at += 3;
      }
    }
    at += 1;
    return negated ? without(everything, set) : set;
  };

  const member = (): CharacterSet => {
    const character = source.charAt(at);
    at += 1;
    return character === '\\' ? escaped() : only(character);
  };

  const quantified = (part: PatternPart): PatternPart => {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at));
    if (found === null) return part;
    at += found[0].length;
    const [sign, least, comma, most] = found;
    if (sign.startsWith('*')) return { ...part, least: 0, most: Number.POSITIVE_INFINITY };
    if (sign.startsWith('+')) return { ...part, least: 1, most: Number.POSITIVE_INFINITY };
    if (sign.startsWith('?')) return { ...part, least: 0, most: 1 };
    return {
      ...part,
      least: Number(least),
      most: comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most),
    };
  };

  return alternatives();
}

const nothing: CharacterSet = { ascii: 0n, others: false };
const everything: CharacterSet = { ascii: (1n << 128n) - 1n, others: true };
const lineEnds = ofCharacters('\n\r');
const digits = ofCharacters('0123456789');
const wordCharacters = ofCharacters('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_');
const spaces: CharacterSet = { ...ofCharacters(' \t\n\v\f\r'), others: true };

const escapes: Readonly<Record<string, CharacterSet | undefined>> = {
  d: digits,
  D: without(everything, digits),
  w: wordCharacters,
  W: without(everything, wordCharacters),
  s: spaces,
  S: { ...without(everything, spaces), others: true },
  n: ofCharacters('\n'),
  r: ofCharacters('\r'),
  t: ofCharacters('\t'),
};

function ofCharacters(text: string): CharacterSet {
  let ascii = 0n;
  for (const byte of Buffer.from(text, 'latin1')) ascii |= 1n << BigInt(byte);
  return { ascii, others: false };
}

/** A character in either case. */
function only(character: string): CharacterSet {
  if (character.charCodeAt(0) > 127) return { ascii: 0n, others: true };
  return ofCharacters(character.toLowerCase() + character.toUpperCase());
}

/** All from one character to another, in either case. */
function range(from: string, to: string): CharacterSet {
  let set = nothing;
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1)
    set = union(set, only(String.fromCharCode(code)));
  return set;
}

export function union(a: CharacterSet, b: CharacterSet): CharacterSet {
  return { ascii: a.ascii | b.ascii, others: a.others || b.others };
}

function without(a: CharacterSet, b: CharacterSet): CharacterSet {
  return { ascii: a.ascii & ~b.ascii, others: a.others && !b.others };
}

export function share(a: CharacterSet, b: CharacterSet): boolean {
  return (a.others && b.others) || (a.ascii & b.ascii) !== 0n;
}

/** Returns whether it is one character, or the two cases of one. */
export function isOne({ ascii, others }: CharacterSet): boolean {
  const more = ascii & (ascii - 1n);
  return !others && ascii !== 0n && (more & (more - 1n)) === 0n;
}
