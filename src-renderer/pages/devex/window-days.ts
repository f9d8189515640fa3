import type { DevexDay } from '#shared/api/delivery.ts';
import type { DevexAnswer } from './devex-queries.ts';

const dayMs = 86_400_000;

/** One UTC day of the window: with its counts, or without when the series does not cover it. */
export type WindowDay = { readonly day: string; readonly counts: DevexDay | undefined };

/** Every day of the window, oldest first. A day that the series does not cover is there without counts: it is no zero. */
export function windowDays({ window_days, read_at, days }: DevexAnswer): readonly WindowDay[] {
  const known = new Map(days.map((counts) => [counts.day, counts]));
  const today = Date.parse(`${read_at.slice(0, 10)}T00:00:00Z`);
  return Array.from({ length: window_days }, (_, index) => {
    const day = new Date(today - (window_days - 1 - index) * dayMs).toISOString().slice(0, 10);
    return { day, counts: known.get(day) };
  });
}

/** The days before the series, as the first and the last of them; undefined when it covers the window. */
export function uncovered(days: readonly WindowDay[]): readonly [string, string] | undefined {
  const begins = days.findIndex(({ counts }) => counts !== undefined);
  const last = days[begins < 0 ? days.length - 1 : begins - 1];
  const [first] = days;
  return begins === 0 || first === undefined || last === undefined ? undefined : [first.day, last.day];
}

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A UTC day as it is read: `21 Nov`. */
export const formatDay = (day: string): string => short.format(Date.parse(`${day}T00:00:00Z`));
