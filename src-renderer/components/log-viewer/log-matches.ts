import { type LogQuery, numbersPerMatch } from './log-find.ts';
import type { NumberList } from './number-list.ts';

/** A match: begin and length are in the line's searched text. */
export type LogMatch = { readonly line: number; readonly start: number; readonly length: number };

/** Matches found so far. */
export type LogMatches = {
  readonly query: LogQuery;
  readonly count: number;
  /** True when there are more than are kept. */
  readonly capped: boolean;
  /** Lines looked through so far. */
  readonly searched: number;
  readonly done: boolean;
  /** Reason the search stopped. */
  readonly trouble?: string;
  match(index: number): LogMatch;
  /** The first match at or after a line; `count` when there is none. */
  firstFrom(line: number): number;
};

/** The matches in a list of numbers, `numbersPerMatch` each, in the order of the lines. */
export function matchesIn(found: NumberList): Pick<LogMatches, 'match' | 'firstFrom'> {
  const lineOf = (index: number): number => found.at(index * numbersPerMatch);
  return {
    match: (index) => ({
      line: lineOf(index),
      start: found.at(index * numbersPerMatch + 1),
      length: found.at(index * numbersPerMatch + 2),
    }),
    firstFrom(line) {
      let low = 0;
      let high = found.length / numbersPerMatch;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (lineOf(middle) < line) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
