import type { ReactNode } from 'react';
import type { StateName } from '../core/state-name.ts';
import css from './failure-panel.module.css';
import { State } from './state.tsx';

type FailurePanelProps = {
  readonly state: StateName;
  /** The state in a word, such as `Not read`. */
  readonly label: string;
  /** What happened, to what. */
  readonly title: string;
  /** Why, and what to do. */
  readonly children: ReactNode;
  /** The raw words of the other side, in mono. */
  readonly raw?: string | undefined;
  readonly actions?: ReactNode;
  readonly foot?: ReactNode;
};

/** Instead of content: what happened, to what, what to do. Never a blank panel. */
export function FailurePanel({ state, label, title, children, raw, actions, foot }: FailurePanelProps) {
  return (
    <section className={css.panel} aria-label={title}>
      <State state={state} label={label} look="pill" />
      <h2 className={css.title}>{title}</h2>
      <div className={css.words}>{children}</div>
      {raw !== undefined && <code className={css.raw}>{raw}</code>}
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
      {foot !== undefined && <p className={css.foot}>{foot}</p>}
    </section>
  );
}
