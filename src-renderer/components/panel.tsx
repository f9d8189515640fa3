import type { ReactNode } from 'react';
import css from './panel.module.css';

type PanelProps = {
  readonly title: ReactNode;
  /** The panel's name, where the title is more than words. */
  readonly name?: string;
  /** A quiet word beside the title, such as a count. */
  readonly sub?: ReactNode;
  /** The head's right group. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
};

/** One panel of a board: a head under a hairline, and its content. No shadow. */
export function Panel({ title, name, sub, tools, children }: PanelProps) {
  return (
    <section className={css.panel} aria-label={name ?? (typeof title === 'string' ? title : undefined)}>
      <header className={css.head}>
        <h2 className={css.title}>{title}</h2>
        {sub !== undefined && <span className={css.sub}>{sub}</span>}
        {tools !== undefined && <div className={css.tools}>{tools}</div>}
      </header>
      {children}
    </section>
  );
}
