import { Panel } from '../../components/panel.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import css from './days-table.module.css';
import { formatSpan } from './indicator-labels.ts';
import { formatDay, type WindowDay } from './window-days.ts';

const keyOf = ({ day }: WindowDay): string => day;

const columns: readonly TableColumn<WindowDay>[] = [
  {
    id: 'day',
    title: 'Day',
    value: ({ day }) => day,
    cell: ({ day, counts }) => (
      <>
        <time dateTime={day}>{formatDay(day)}</time>
        {counts === undefined && <span className={css.before}>before the series</span>}
      </>
    ),
  },
  {
    id: 'delivered',
    title: 'Delivered',
    width: 110,
    numbers: true,
    value: ({ counts }) => counts?.deploys,
  },
  {
    id: 'failed',
    title: 'Failed',
    width: 100,
    numbers: true,
    value: ({ counts }) => counts?.failed_deploys,
    cell: ({ counts }) =>
      counts !== undefined && (
        <span className={css.failed} data-failing={counts.failed_deploys > 0}>
          {counts.failed_deploys}
        </span>
      ),
  },
  {
    id: 'lead',
    title: 'Lead time, median',
    width: 160,
    numbers: true,
    value: ({ counts }) => counts?.lead_time_seconds,
    cell: ({ counts }) =>
      counts !== undefined &&
      (counts.lead_time_seconds === undefined ? (
        <span className={css.none}>nothing delivered</span>
      ) : (
        formatSpan(counts.lead_time_seconds)
      )),
  },
  { id: 'runs', title: 'Runs', width: 90, numbers: true, value: ({ counts }) => counts?.runs },
  {
    id: 'failedRuns',
    title: 'Failed runs',
    width: 110,
    numbers: true,
    value: ({ counts }) => counts?.failed_runs,
  },
];

/** The window day by day as figures, newest first: what the charts show, for whoever wants to read it. */
export function DaysTable({ days }: { readonly days: readonly WindowDay[] }) {
  const covered = days.filter(({ counts }) => counts !== undefined).length;
  return (
    <Panel title="Day by day" sub={`${covered} of ${days.length} days are in the series; days in UTC`}>
      <PanelTable
        id="days"
        label="Deliveries by day"
        columns={columns}
        rows={days.toReversed()}
        keyOf={keyOf}
      />
    </Panel>
  );
}
