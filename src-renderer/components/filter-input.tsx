import type { Ref } from 'react';
import { IconSearch } from '../core/icons/icons.ts';
import css from './filter-input.module.css';
import { KeyCaps } from './key-caps.tsx';

type FilterInputProps = {
  readonly ref: Ref<HTMLInputElement>;
  readonly value: string;
  readonly label: string;
  /** False for one that `/` does not go to. */
  readonly keyed?: boolean;
  readonly onChange: (value: string) => void;
};

/** The filter of a list; `/` goes there. Esc empties it, then gives the focus back to the page. */
export function FilterInput({ ref, value, label, keyed = true, onChange }: FilterInputProps) {
  return (
    <label className={css.filter}>
      <IconSearch size={14} stroke={2} aria-hidden />
      <input
        ref={ref}
        type="search"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (value === '') event.currentTarget.blur();
          else onChange('');
        }}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
      />
      {keyed && <KeyCaps keys="/" />}
    </label>
  );
}
