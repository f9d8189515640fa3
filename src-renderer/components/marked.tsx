import css from './marked.module.css';
import { piecesOf } from './marked-pieces.ts';

type MarkedProps = {
  readonly text: string;
  /** Text to mark, case-insensitive; empty marks nothing. */
  readonly query: string;
};

/** A text with every place marked where what is looked for stands. */
export function Marked({ text, query }: MarkedProps) {
  if (query === '') return text;
  return piecesOf(text, query).map(({ at, piece, hit }) =>
    hit ? (
      <mark key={at} className={css.mark}>
        {piece}
      </mark>
    ) : (
      <span key={at}>{piece}</span>
    ),
  );
}
