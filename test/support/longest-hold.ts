/**
 * Returns the longest time in ms for which work kept the event loop of this thread, in its CPU time: a busy machine does
 * not count.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  };
  const timer = setInterval(look, 2);
  try {
    await work();
    return longest;
  } finally {
    clearInterval(timer);
  }
}
