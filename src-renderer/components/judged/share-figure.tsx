import { formatShare } from '../format-quantity.ts';
import { ShareBar } from '../share-bar.tsx';
import css from './share-figure.module.css';

type ShareFigureProps = {
  /** Absent where it was not measured. */
  readonly share: { readonly part: number; readonly whole: number } | undefined;
};

/** A share as it was counted, with its bar; never a figure where nothing was measured. */
export function ShareFigure({ share }: ShareFigureProps) {
  if (share === undefined) return <span className={css.none}>Not measured</span>;
  const { part, whole } = share;
  return (
    <span className={css.figure}>
      <span>
        <b>{formatShare(part / whole)}</b>{' '}
        <span className={css.parts}>
          {part.toLocaleString('en')} of {whole.toLocaleString('en')}
        </span>
      </span>
      <ShareBar share={part / whole} strained={part < whole} />
    </span>
  );
}
