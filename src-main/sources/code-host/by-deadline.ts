/** What `work` comes to, or `late` when the deadline is first; work is not begun after it. */
export async function byDeadline<T>(deadline: AbortSignal, late: T, work: () => Promise<T>): Promise<T> {
  if (deadline.aborted) return late;
  return Promise.race([
    work(),
    new Promise<T>((resolve) => deadline.addEventListener('abort', () => resolve(late), { once: true })),
  ]);
}
