import css from './share-bar.module.css';

/** A share of one as a bar. The words beside it say the same. */
export function ShareBar({
  share,
  strained = false,
}: {
  readonly share: number;
  readonly strained?: boolean;
}) {
  return (
    <span className={css.bar} aria-hidden="true">
      <i data-strained={strained} style={{ width: `${Math.min(100, Math.max(0, share * 100))}%` }} />
    </span>
  );
}
