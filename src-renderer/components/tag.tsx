import type { ReactNode } from 'react';
import css from './tag.module.css';

/** A small fact beside a name, such as where a value comes from. Never a state: that is `State`. */
export function Tag({
  children,
  strong = false,
}: {
  readonly children: ReactNode;
  readonly strong?: boolean;
}) {
  return (
    <span className={css.tag} data-strong={strong}>
      {children}
    </span>
  );
}
