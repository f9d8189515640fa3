/** How well a name answers a query, best first. */
export const matchClasses = ['exact', 'prefix', 'word', 'within', 'letters'] as const;

/** Shortest part of a query that is looked for letter by letter: fewer letters are in nearly every name. */
const fewestLetters = 3;

/** Characters after which a word of a name begins. */
const isBreak = (code: number): boolean =>
  // Space, `-`, `.`, `/`, `:` and `_`.
  code === 32 || code === 45 || code === 46 || code === 47 || code === 58 || code === 95;

/** The parts of a query, each of which must be found: separated by spaces, slashes and control characters. */
export function queryParts(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/[\s/\p{Cc}]+/u)
    .filter((part) => part !== '');
}

/** Where a part is in a name, both in lower case, as an index into `matchClasses`; undefined when it is not. */
function matchOf(name: string, part: string): number | undefined {
  let at = name.indexOf(part);
  if (at < 0) return part.length >= fewestLetters && hasLetters(name, part) ? 4 : undefined;
  if (at === 0) return name.length === part.length ? 0 : 1;
  for (; at > 0; at = name.indexOf(part, at + 1)) if (isBreak(name.charCodeAt(at - 1))) return 2;
  return 3;
}

/** Whether the letters of a part are in a name in their order. */
function hasLetters(name: string, part: string): boolean {
  let at = -1;
  for (let index = 0; index < part.length; index++) {
    at = name.indexOf(part.charAt(index), at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Words beside a name that a part of the query may be found in instead, such as a namespace or a kind; in lower case. */
export type Beside = readonly string[];

/**
 * Returns how well a name answers a query: an index into `matchClasses`, the worst of the parts that are in the name. At
 * least one part is; the others may begin a word beside it. Undefined when it does not answer the query.
 */
export function rankName(name: string, parts: readonly string[], beside: Beside = []): number | undefined {
  let worst: number | undefined;
  for (const part of parts) {
    const found = matchOf(name, part);
    // Rather the word beside the name than letters here and there in it.
    const elsewhere = (found ?? 4) === 4 && beside.some((words) => words.startsWith(part));
    if (elsewhere && parts.length > 1) continue;
    if (found === undefined) return undefined;
    worst = Math.max(worst ?? 0, found);
  }
  return worst;
}

/**
 * Returns how well a title answers a query, as `rankName`; words beside it that hold every part together with it are
 * worth as much as parts inside the title. Everything answers an empty query.
 */
export function rankTitle(
  title: string,
  beside: string | undefined,
  parts: readonly string[],
): number | undefined {
  if (parts.length === 0) return 0;
  const rank = rankName(title.toLowerCase(), parts);
  if (rank !== undefined && rank < 3) return rank;
  const words = `${title} ${beside ?? ''}`.toLowerCase();
  return parts.every((part) => words.includes(part)) ? 3 : rank;
}

/** A piece of a text: matched pieces are drawn strong. */
export type Piece = { readonly text: string; readonly matched: boolean };

/** The pieces of a text, those that a query's parts matched marked. */
export function matchedPieces(text: string, parts: readonly string[]): readonly Piece[] {
  const lower = text.toLowerCase();
  // Some capitals become two letters in lower case: then no place in one is a place in the other.
  if (lower.length !== text.length) return [{ text, matched: false }];
  const marks = new Array<boolean>(text.length).fill(false);
  for (const part of parts) {
    const at = lower.indexOf(part);
    if (at >= 0) marks.fill(true, at, at + part.length);
    else if (matchOf(lower, part) !== undefined) {
      let from = -1;
      for (const letter of part) {
        from = lower.indexOf(letter, from + 1);
        marks[from] = true;
      }
    }
  }
  const pieces: { text: string; matched: boolean }[] = [];
  for (const [index, character] of text.split('').entries()) {
    const matched = marks[index] ?? false;
    const last = pieces.at(-1);
    if (last?.matched === matched) last.text += character;
    else pieces.push({ text: character, matched });
  }
  return pieces;
}
