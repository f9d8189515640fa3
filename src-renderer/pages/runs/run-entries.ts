import type { Run } from '#shared/api/runs.ts';
import { isUnderWay } from '../../components/run-state.ts';

/** A row of the timeline: a run, or what stands above the runs of a day. */
export type RunEntry =
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'head'; readonly title: string; readonly count: number };

const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** The timeline of runs given newest first: those under way, then each day's. Days are the reader's own. */
export function entriesOf(runs: readonly Run[], now: number): readonly RunEntry[] {
  const groups = new Map<string, Run[]>();
  const put = (title: string, run: Run) => {
    const known = groups.get(title);
    if (known === undefined) groups.set(title, [run]);
    else known.push(run);
  };
  for (const run of runs) if (isUnderWay(run.state)) put('Under way', run);
  for (const run of runs) if (!isUnderWay(run.state)) put(dayTitle(Date.parse(run.started), now), run);
  return [...groups].flatMap(([title, inGroup]): RunEntry[] => [
    { kind: 'head', title, count: inGroup.length },
    ...inGroup.map((run): RunEntry => ({ kind: 'run', run })),
  ]);
}

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
