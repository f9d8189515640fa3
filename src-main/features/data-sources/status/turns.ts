/** Lets a bounded number of pieces of work go at a time; the others wait for their turn, first come first served. */
export type Turns = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Builds turns for `width` at a time. */
export function createTurns(width: number): Turns {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const turn = (signal: AbortSignal): Promise<void> => {
    if (busy < width) {
      busy += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  return async (work, signal) => {
    signal.throwIfAborted();
    await turn(signal);
    try {
      return await work();
    } finally {
      // Whoever waits takes this turn over, so that nobody new comes in between.
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}
