import type { Run } from '#shared/api/runs.ts';
import css from './run-bars.module.css';
import type { RecentRuns } from './use-recent-runs.ts';

type Hour = { readonly from: number; readonly failed: number; readonly others: number };

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Hours that have their time below them. */
const labelled = [0, 6, 12, 18] as const;

/** Runs begun in each hour, what failed of them on top. The figures are in the panel's head and on hover. */
export function RunBars({ items, runs }: { readonly items: readonly Run[]; readonly runs: RecentRuns }) {
  const hours = hoursOf(items, runs);
  const highest = Math.max(1, ...hours.map(({ failed, others }) => failed + others));
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <div className={css.chart}>
      <div
        className={css.bars}
        role="img"
        aria-label={`Runs by hour: at most ${highest} started in one hour, ${failed} failed altogether`}
      >
        {hours.map((hour) => (
          <span key={hour.from} className={css.hour} title={labelOf(hour)}>
            <i data-series="failed" style={{ height: `${(hour.failed / highest) * 100}%` }} />
            <i data-series="passed" style={{ height: `${(hour.others / highest) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className={css.axis} aria-hidden="true">
        {labelled.map((index) => (
          <span key={index}>{clock.format(hours[index]?.from)}</span>
        ))}
        <span>now</span>
      </div>
    </div>
  );
}

function hoursOf(items: readonly Run[], { since, hours, hourMs }: RecentRuns): readonly Hour[] {
  const counts = Array.from({ length: hours }, () => ({ failed: 0, others: 0 }));
  for (const { started, state } of items) {
    const hour = counts[Math.floor((Date.parse(started) - since) / hourMs)];
    if (hour === undefined) continue;
    if (state === 'failure') hour.failed++;
    else hour.others++;
  }
  return counts.map((count, index) => ({ from: since + index * hourMs, ...count }));
}

const labelOf = ({ from, failed, others }: Hour): string =>
  `${clock.format(from)}: ${failed + others} started, ${failed} failed`;
