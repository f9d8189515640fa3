import type { ReactNode } from 'react';
import css from './board.module.css';

/** Panels of a page, one below the other. */
export function Board({ children }: { readonly children: ReactNode }) {
  return <div className={css.board}>{children}</div>;
}

/** Says in a panel how its figures were counted. */
export function Counted({ children }: { readonly children: ReactNode }) {
  return <p className={css.counted}>{children}</p>;
}

/** Says in a panel that there is nothing, and why. */
export function Quiet({ children }: { readonly children: ReactNode }) {
  return <p className={css.quiet}>{children}</p>;
}
