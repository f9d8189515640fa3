/** How long the live cluster waits for what, in milliseconds. Tests shorten them. */
export type Timing = {
  /** For the first answer to a list. */
  readonly firstAnswer: number;
  /** The same, to a list of what only explains: a page that stands without it comes first. */
  readonly firstExplained: number;
  /** After which nobody looks at a resource that was not listed. */
  readonly paused: number;
  /** Of silence after which the server is asked whether it is still there. */
  readonly silence: number;
  /** For the answer to that, and for a connection. */
  readonly probe: number;
  /** For the head of an answer, and between the pieces of its body. */
  readonly answer: number;
  /** Between two tries against a server that does not answer: the first, doubled up to the last. */
  readonly retry: { readonly first: number; readonly last: number };
  /** After which what is not served or not allowed is asked for again. */
  readonly again: number;
  /** Of an exec plugin's run. */
  readonly plugin: number;
  /** After a failed run of an exec plugin until the next, unless someone asks to retry. */
  readonly pluginAgain: number;
  /** Between two looks at the clock. */
  readonly tick: number;
  /** By which the clock jumps between two of them when the machine slept. */
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
