import { Panel } from '../../components/panel.tsx';
import css from './days-table.module.css';
import { formatSpan } from './indicator-labels.ts';
import { formatDay, type WindowDay } from './window-days.ts';

/** The window day by day as figures, newest first: what the charts show, for whoever wants to read it. */
export function DaysTable({ days }: { readonly days: readonly WindowDay[] }) {
  const covered = days.filter(({ counts }) => counts !== undefined).length;
  return (
    <Panel title="Day by day" sub={`${covered} of ${days.length} days are in the series; days in UTC`}>
      <table className={css.table} aria-label="Deliveries by day">
        <thead>
          <tr>
            <th>Day</th>
            <th className={css.number}>Delivered</th>
            <th className={css.number}>Failed</th>
            <th className={css.number}>Lead time, median</th>
            <th className={css.number}>Runs</th>
            <th className={css.number}>Failed runs</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, counts }) => (
            <tr key={day}>
              <td>
                <time dateTime={day}>{formatDay(day)}</time>
              </td>
              {counts === undefined ? (
                <td className={css.before} colSpan={5}>
                  before the series
                </td>
              ) : (
                <>
                  <td className={css.number}>{counts.deploys}</td>
                  <td className={css.number} data-failing={counts.failed_deploys > 0}>
                    {counts.failed_deploys}
                  </td>
                  <td className={css.number}>
                    {counts.lead_time_seconds === undefined ? (
                      <span className={css.none}>nothing delivered</span>
                    ) : (
                      formatSpan(counts.lead_time_seconds)
                    )}
                  </td>
                  <td className={css.number}>{counts.runs}</td>
                  <td className={css.number}>{counts.failed_runs}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
