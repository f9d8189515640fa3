const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the epoch milliseconds that a duration such as `15m` before `now`, or a time, stands for. */
export function sinceOf(since: string, now: number): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(since) ?? [];
  return count === undefined ? Date.parse(since) : now - Number(count) * (unitMs[unit] ?? 0);
}
