import { setImmediate as turn } from 'node:timers/promises';
import { BundleError, cancelledReason } from './bundle-error.ts';

/** Lets others run while much is read in one go, and ends it when it is cancelled. */
export type Pace = {
  /** To be awaited between two small pieces of work. Throws `BundleError` once the signal aborts. */
  breathe(): Promise<void>;
};

/** As long as the event loop may be held, in milliseconds: half of what a person notices in a stream of text. */
const longestHold = 15;

export function createPace(signal?: AbortSignal): Pace {
  let since = performance.now();
  const goOn = (): void => {
    if (signal?.aborted) throw new BundleError(cancelledReason);
  };
  return {
    async breathe() {
      goOn();
      if (performance.now() - since < longestHold) return;
      await turn();
      since = performance.now();
      goOn();
    },
  };
}
