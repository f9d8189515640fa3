import { openedByPlainClick } from '../core/plain-click.ts';
import type { StateName } from '../core/state-name.ts';
import { Glyph } from './glyph.tsx';
import css from './state-strip.module.css';

/** One state of a list and how many are in it. */
export type StateCount = {
  readonly key: string;
  readonly state: StateName;
  readonly label: string;
  readonly count: number;
  /** The list narrowed to it, or wide again when it is narrowed to it already. */
  readonly href: string;
  readonly chosen: boolean;
};

type StateStripProps = {
  /** Accessible name, such as `Deliveries by state`. */
  readonly name: string;
  /** Worst first; those without any are left out. */
  readonly counts: readonly StateCount[];
  readonly onChoose: (key: string) => void;
};

/** Shows how many items are in each state, as a proportional bar and as labels that filter the list. */
export function StateStrip({ name, counts, onChoose }: StateStripProps) {
  const present = counts.filter(({ count }) => count > 0);
  return (
    <nav className={css.strip} aria-label={name}>
      <span className={css.bar} aria-hidden="true">
        {present.map(({ key, state, count }) => (
          <i key={key} data-state={state} style={{ flexGrow: count }} />
        ))}
      </span>
      <ul className={css.words}>
        {present.map(({ key, state, label, count, href, chosen }) => (
          <li key={key}>
            <a
              className={css.cell}
              href={href}
              data-state={state}
              aria-current={chosen ? 'true' : undefined}
              onClick={(event) => {
                if (openedByPlainClick(event)) onChoose(key);
              }}
            >
              <Glyph state={state} />
              {label} <b>{count}</b>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
