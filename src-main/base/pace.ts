import { setImmediate as turn } from 'node:timers/promises';

/** Lets others run while much is done in one go. */
export type Pace = {
  /** To be awaited between two small pieces of work. */
  breathe(): Promise<void>;
};

/** As long as the event loop may be held, in milliseconds: half of what a person notices in a stream of text. */
const longestHold = 15;

export function createPace(): Pace {
  let since = performance.now();
  return {
    async breathe() {
      if (performance.now() - since < longestHold) return;
      await turn();
      since = performance.now();
    },
  };
}
