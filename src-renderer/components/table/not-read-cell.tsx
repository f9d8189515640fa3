import css from './not-read-cell.module.css';

type NotReadCellProps = {
  /** As wide as the value would be, in pixels. */
  readonly width?: number;
  readonly reason?: string | undefined;
};

/** In place of a value that was not read: it is not zero and not absent. */
export function NotReadCell({ width = 32, reason }: NotReadCellProps) {
  return (
    <span
      className={css.cell}
      style={{ width }}
      role="img"
      aria-label={reason === undefined ? 'not read' : `not read: ${reason}`}
      title={reason ?? 'Not read'}
    />
  );
}
