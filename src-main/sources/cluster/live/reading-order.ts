/** Lets what pages stand on come before what only explains it. */
export type ReadingOrder = {
  /** Does `work` after all first lists that were begun before are through, or when its turn does not come in time. */
  last<T>(work: () => Promise<T>): Promise<T>;
  /** Begins a first list; the answer ends it. */
  begin(): () => void;
};

/**
 * Schedules one cluster's reads. All lists at once share one connection's bandwidth and one thread, so that
 * in a large cluster everything arrived together and late: with 10,000 pods and 20,000 events the first page
 * had to wait for the last event. `longest`: maximum wait for a turn, in milliseconds.
 */
export function createReadingOrder(longest: number): ReadingOrder {
  let under = 0;
  let through: (() => void)[] = [];
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, longest);
      through.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  return {
    async last(work) {
      if (under > 0) await turn();
      return work();
    },
    begin() {
      let ended = false;
      under += 1;
      return () => {
        if (ended) return;
        ended = true;
        under -= 1;
        if (under > 0) return;
        for (const go of through) go();
        through = [];
      };
    },
  };
}
