import type { Run } from '#shared/api/runs.ts';
import { isUnderWay } from '../../components/run-state.ts';

const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** The group of a run in the timeline: those under way, else its day. Days are the reader's own. */
export const groupOf = ({ state, started }: Run, now: number): string =>
  isUnderWay(state) ? 'Under way' : dayTitle(Date.parse(started), now);

/** Runs given newest first, those under way before all others. */
export const underWayFirst = (runs: readonly Run[]): readonly Run[] => [
  ...runs.filter(({ state }) => isUnderWay(state)),
  ...runs.filter(({ state }) => !isUnderWay(state)),
];

/** A day's name as people say it. */
export function dayTitle(at: number, now: number): string {
  const days = Math.round((dayStart(now) - dayStart(at)) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return new Date(at).getFullYear() === new Date(now).getFullYear()
    ? dayName.format(at)
    : dayOfYear.format(at);
}

function dayStart(at: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The time of day, for a row below its day's name. */
export const clockTime = (at: number): string => clock.format(at);
