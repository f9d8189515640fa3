import { setImmediate as turn } from 'node:timers/promises';

/** Lets others run while much is done in one go. */
export type Pace = {
  /** To be awaited between two small pieces of work. */
  breathe(): Promise<void>;
  /** Whether others have waited long enough; spares a loop of many steps the cost of awaiting each. */
  isDue(): boolean;
};

/** As long as the event loop may be held, in milliseconds: half of what a person notices in a stream of text. */
const longestHold = 15;

export function createPace(): Pace {
  let since = performance.now();
  const isDue = (): boolean => performance.now() - since >= longestHold;
  return {
    isDue,
    async breathe() {
      if (!isDue()) return;
      await turn();
      since = performance.now();
    },
  };
}

/** Does work that yields after every small step, and lets others run between two of them when it takes long. */
export async function paced<T>(steps: Generator<undefined, T>): Promise<T> {
  const pace = createPace();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isDue()) await pace.breathe();
  }
}
