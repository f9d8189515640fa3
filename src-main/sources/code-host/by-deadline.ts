/**
 * Resolves to the result of `work`, or to `late` when the deadline passes first; work is not started after
 * it.
 */
export async function byDeadline<T>(deadline: AbortSignal, late: T, work: () => Promise<T>): Promise<T> {
  if (deadline.aborted) return late;
  return Promise.race([
    work(),
    new Promise<T>((resolve) => deadline.addEventListener('abort', () => resolve(late), { once: true })),
  ]);
}
