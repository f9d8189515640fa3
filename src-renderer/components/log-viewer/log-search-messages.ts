import type { LogQuery } from './log-find.ts';

/** To the worker: more of the text, or what to look for. */
export type SearchRequest =
  | { readonly kind: 'pieces'; readonly pieces: readonly string[] }
  | { readonly kind: 'find'; readonly id: number; readonly query: LogQuery };

/** From the worker, after each stretch of work. */
export type SearchAnswer = {
  /** Id of the query this answers. */
  readonly id: number;
  /** `numbersPerMatch` each. */
  readonly matches: Uint32Array;
  /** Lines looked through so far. */
  readonly searched: number;
  /** True when all the text it has was looked through. */
  readonly done: boolean;
  /** True when there are more matches than are kept. */
  readonly capped: boolean;
};
