import css from './cadence.module.css';
import { scheduleWords } from './schedule-words.ts';

type CadenceProps = {
  /** A cron expression. */
  readonly schedule: string;
  readonly time_zone?: string | undefined;
};

/** When something runs: in words where they are plainer, always with the expression. */
export function Cadence({ schedule, time_zone }: CadenceProps) {
  const words = scheduleWords(schedule);
  return (
    <span className={css.cadence}>
      {words !== undefined && <span>{words}</span>}
      <code>{schedule}</code>
      {time_zone !== undefined && <span className={css.zone}>{time_zone}</span>}
    </span>
  );
}
