/** Timeouts and intervals of the live cluster, in milliseconds. Tests shorten them. */
export type Timing = {
  /** Timeout for the first answer to a list. */
  readonly firstAnswer: number;
  /** The same for a list that only adds explanations: a page that works without it comes first. */
  readonly firstExplained: number;
  /** Time since a resource was last listed after which it is no longer watched. */
  readonly paused: number;
  /** Silence after which the server is checked for being alive. */
  readonly silence: number;
  /** Timeout for that check, and for a connection. */
  readonly probe: number;
  /** Timeout for the response headers, and between the pieces of its body. */
  readonly answer: number;
  /** Delay between two attempts against a server that does not answer: the first, doubled up to the last. */
  readonly retry: { readonly first: number; readonly last: number };
  /** Delay after which resources that are not served or not allowed are requested again. */
  readonly again: number;
  /** Timeout of an exec plugin's run. */
  readonly plugin: number;
  /** Delay after a failed run of an exec plugin until the next, unless a retry is requested. */
  readonly pluginAgain: number;
  /** Interval between two readings of the clock. */
  readonly tick: number;
  /** Jump of the clock between two readings that means the machine slept. */
  readonly asleep: number;
};

export const defaultTiming: Timing = {
  firstAnswer: 10_000,
  firstExplained: 2_000,
  paused: 300_000,
  silence: 15_000,
  probe: 5_000,
  answer: 30_000,
  retry: { first: 500, last: 30_000 },
  again: 30_000,
  plugin: 30_000,
  pluginAgain: 300_000,
  tick: 5_000,
  asleep: 30_000,
};
