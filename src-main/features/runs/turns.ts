/** A few at a time, first come first served. */
export type Turns = {
  /** Resolves to what gives the turn back, or to undefined for who has waited too long or gone away. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>;
};

/**
 * Creates a queue that runs `width` at a time; a caller that waits longer than `patience` ms is turned away.
 */
export function createTurns(width: number, patience: number): Turns {
  let free = width;
  const waiting = new Set<() => void>();

  const giveBack = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  const turn = (): (() => void) => {
    let given = false;
    return () => {
      if (!given) giveBack();
      given = true;
    };
  };

  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) {
        free -= 1;
        return Promise.resolve(turn());
      }
      return new Promise((resolve) => {
        const leave = (): void => {
          waiting.delete(called);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
        };
        const called = (): void => {
          leave();
          resolve(turn());
        };
        const giveUp = (): void => {
          leave();
          resolve(undefined);
        };
        const timer = setTimeout(giveUp, patience);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(called);
      });
    },
  };
}
