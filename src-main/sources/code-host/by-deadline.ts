/**
 * Resolves to the result of `work`, or to `late` when the deadline passes first; work is not started after
 * it.
 */
export async function byDeadline<T>(deadline: AbortSignal, late: T, work: () => Promise<T>): Promise<T> {
  if (deadline.aborted) return late;
  const { promise, resolve } = Promise.withResolvers<T>();
  const end = (): void => resolve(late);
  deadline.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    // One deadline is for a whole page of work: what is done leaves nothing on it.
    deadline.removeEventListener('abort', end);
  }
}
