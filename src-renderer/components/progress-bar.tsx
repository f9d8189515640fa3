import css from './progress-bar.module.css';

type ProgressBarProps = {
  readonly label: string;
  readonly done: number;
  /** 0 while the size of the work is not known. */
  readonly total: number;
};

/** Shows the progress of long work. The figures are shown as text beside it. */
export function ProgressBar({ label, done, total }: ProgressBarProps) {
  const percent = total === 0 ? 0 : Math.min(100, (done / total) * 100);
  return (
    <div
      className={css.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(total > 0 && { 'aria-valuenow': Math.round(percent) })}
    >
      <span className={css.done} style={{ width: `${percent}%` }} />
    </div>
  );
}
