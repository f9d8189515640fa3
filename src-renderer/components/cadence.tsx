import css from './cadence.module.css';
import { scheduleLabel } from './schedule-labels.ts';

type CadenceProps = {
  /** A cron expression. */
  readonly schedule: string;
  /** Without one, the controller's: UTC, as clusters are set up. */
  readonly time_zone?: string | undefined;
};

/** Shows a cron schedule: in plain words where there are any, always with the expression. */
export function Cadence({ schedule, time_zone }: CadenceProps) {
  const label = scheduleLabel(schedule);
  return (
    <span className={css.cadence}>
      {label !== undefined && <span>{label}</span>}
      <code>{schedule}</code>
      <span className={css.zone}>{time_zone ?? 'UTC'}</span>
    </span>
  );
}
