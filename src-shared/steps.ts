/** Work that yields after every small step, so that others may run between two of them; its result is what it returns. */
export type Steps<T> = Generator<undefined, T>;

/** Does work in steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
