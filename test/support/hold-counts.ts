import type { MessagePort } from 'node:worker_threads';

/** Places of what a watched thread counts: turns of its loop, requests received in this turn, and requests that are open. */
export const place = { turns: 0, received: 1, open: 2 } as const;

/** What the thread of `watchHolds` is given. */
export type SamplerData = {
  readonly counts: Int32Array;
  readonly port: MessagePort;
  readonly longestMs: number;
  readonly pid: number;
};

/** A turn of the event loop that took long: the stack of the main thread, innermost frame first. */
export type Hold = { readonly ms: number; readonly stack: readonly string[] };
