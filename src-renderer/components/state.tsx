import type { StateName } from '../core/state-name.ts';
import { Glyph } from './glyph.tsx';
import css from './state.module.css';

type StateProps = {
  readonly state: StateName;
  /** The word the state map gives, never a raw value. */
  readonly label: string;
  /** `pill` only in a header or a panel; `plain` in lists. */
  readonly look?: 'plain' | 'pill';
};

/** A state: its shape and its word. */
export function State({ state, label, look = 'plain' }: StateProps) {
  return (
    <span className={css.state} data-state={state} data-look={look}>
      <Glyph state={state} />
      {label}
    </span>
  );
}
