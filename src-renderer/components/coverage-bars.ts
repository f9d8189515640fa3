const mostBars = 8;

/** Bars to draw, true where read: every source has one, up to eight; one missing is never rounded away. */
export function coverageBars(read: number, total: number): readonly boolean[] {
  const bars = Math.min(mostBars, Math.max(1, total));
  const full = total === 0 ? 0 : Math.floor((read / total) * bars);
  return Array.from({ length: bars }, (_, index) => index < full);
}
