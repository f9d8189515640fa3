import type { ReactNode } from 'react';
import css from './choice-chip.module.css';
import { Choice, FilterChip } from './filter-chip.tsx';

type ChoiceChipProps = {
  /** Name of the filter, such as `Repository`. */
  readonly name: string;
  /** Label of the choice that admits everything, such as `all`. */
  readonly everything: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** Renders a choice; its own text by default. */
  readonly shown?: (choice: string) => ReactNode;
  /** A choice in words, for the chip itself. */
  readonly format?: (choice: string) => string;
  readonly onChange: (value: string | undefined) => void;
};

/** A filter chip whose choices are a list. A value that is none of them is shown and can be taken off. */
export function ChoiceChip(props: ChoiceChipProps) {
  const { name, everything, value, choices, shown = (choice) => choice, format = String, onChange } = props;
  return (
    <FilterChip
      name={name}
      everything={everything}
      value={value === undefined ? undefined : format(value)}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <div className={css.choices}>
          {choices.length === 0 && <p className={css.none}>Nothing to choose from.</p>}
          {choices.map((choice) => (
            <Choice
              key={choice}
              chosen={choice === value}
              onChoose={() => {
                onChange(choice);
                close();
              }}
            >
              {shown(choice)}
            </Choice>
          ))}
        </div>
      )}
    </FilterChip>
  );
}
