import css from './early-keys.module.css';

type EarlyKeysProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter: what is found first is opened once it is there. */
  readonly onEnter: () => void;
  readonly onClose: () => void;
};

/** Takes what is typed while the search is being loaded: without it, the keys would run commands of the page. */
export function EarlyKeys({ value, onChange, onEnter, onClose }: EarlyKeysProps) {
  return (
    <div role="dialog" aria-label="Search or run a command" className={css.layer}>
      <input
        className={css.input}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') onEnter();
        }}
        placeholder="Search or run a command"
        aria-label="Search or run a command"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the person asked for it with a key, and goes on typing.
        autoFocus
      />
    </div>
  );
}
