import type { ReactNode } from 'react';
import css from './section.module.css';

/** A section of the settings: its name, and what is in it. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className={css.section}>
      <div className={css.head}>
        <h2 className={css.title}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
