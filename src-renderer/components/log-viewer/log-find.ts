import { searchedText } from './log-line.ts';

/** A query to run over a log. */
export type LogQuery = {
  readonly text: string;
  /** True when the words are a regular expression. */
  readonly regex: boolean;
  readonly matchCase: boolean;
  /** True when the time before each line is looked through too, because it is shown. */
  readonly times: boolean;
};

/** The expression of a query, or why there is none, in words. */
export function expressionOf({ text, regex, matchCase }: LogQuery): RegExp | string {
  const source = regex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(source, matchCase ? 'g' : 'gi');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, '') : String(error);
    return `Not a regular expression: ${reason}.`;
  }
}

/** Each match as three numbers: its line, and its begin and length in the line's searched text. */
export const numbersPerMatch = 3;

/**
 * Finds matches in a piece of a log, from a line of it on, until `mayGoOn` says no: it is asked between lines. Tells the
 * line to go on from; undefined at the piece's end.
 */
export function findInPiece(
  lines: readonly string[],
  from: number,
  firstLine: number,
  expression: RegExp,
  times: boolean,
  found: number[],
  mayGoOn: () => boolean,
): number | undefined {
  for (let index = from; index < lines.length; index++) {
    if (index > from && !mayGoOn()) return index;
    const text = searchedText(lines[index] ?? '', times);
    expression.lastIndex = 0;
    for (let hit = expression.exec(text); hit !== null; hit = expression.exec(text)) {
      const length = hit[0].length;
      // Nothing can be shown of a match of nothing.
      if (length === 0) expression.lastIndex++;
      else found.push(firstLine + index, hit.index, length);
    }
  }
  return undefined;
}
