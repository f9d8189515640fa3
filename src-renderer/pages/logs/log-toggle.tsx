import css from './logs-page.module.css';

type LogToggleProps = {
  readonly on: boolean;
  readonly onToggle: () => void;
  readonly title?: string;
  readonly children: string;
};

/** A switch above a log. */
export function LogToggle({ on, onToggle, title, children }: LogToggleProps) {
  return (
    <button type="button" className={css.toggle} aria-pressed={on} title={title} onClick={onToggle}>
      {children}
    </button>
  );
}
