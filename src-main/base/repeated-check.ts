/** A check that runs again and again. */
export type RepeatedCheck = {
  /** Interval in ms. A check that takes longer delays the next one: two never run at once. */
  readonly everyMs: number;
  readonly check: () => Promise<void>;
  /** Called with what a check threw; the next one runs all the same. */
  readonly failed: (error: unknown) => void;
};

/** Runs a check at an interval, without keeping the process alive. Returns what stops it. */
export function checkRepeatedly({ everyMs, check, failed }: RepeatedCheck): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    check()
      .catch(failed)
      .finally(() => {
        running = false;
      });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
