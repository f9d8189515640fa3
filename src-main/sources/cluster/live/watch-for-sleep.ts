export type SleepOptions = {
  /** Milliseconds between two looks at the clock. */
  readonly tick: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** By how much more than a tick the clock goes on when the machine slept. */
  readonly asleep: number;
  readonly onWake: () => void;
  /** Every other tick; the next waits for its end. */
  readonly onTick: () => Promise<void>;
};

/** Looks at the clock until the returned function is called. Keeps no process alive. */
export function watchForSleep({ tick, asleep, now, onWake, onTick }: SleepOptions): () => void {
  let last = now();
  let busy = false;
  const timer = setInterval(() => {
    const passed = now() - last;
    last = now();
    if (passed > tick + asleep) onWake();
    else if (!busy) {
      busy = true;
      void onTick().finally(() => {
        busy = false;
      });
    }
  }, tick);
  timer.unref();
  return () => clearInterval(timer);
}
