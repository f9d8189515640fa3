import { Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconX } from '../core/icons/icons.ts';
import css from './filter-chip.module.css';

type FilterChipProps = {
  /** Name of the filter, such as `Actor`. */
  readonly name: string;
  /** Current value; undefined when the filter admits everything. */
  readonly value: string | undefined;
  /** Label of a filter that admits everything, such as `anyone`. */
  readonly everything: string;
  readonly onClear: () => void;
  /** The choices; given the way to close them. */
  readonly children: (close: () => void) => ReactNode;
};

/** One filter of a list: its name and value, the choices behind it, and the way to take it off. */
export function FilterChip({ name, value, everything, onClear, children }: FilterChipProps) {
  const [opened, setOpened] = useState(false);
  return (
    <span className={css.chip} data-set={value !== undefined}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" width={260} trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={css.open} onClick={() => setOpened(!opened)} aria-haspopup="dialog">
            <span className={css.name}>{name}</span> <span className={css.value}>{value ?? everything}</span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={`${name}: filter by`}>
          {children(() => setOpened(false))}
        </Popover.Dropdown>
      </Popover>
      {value !== undefined && (
        <UnstyledButton
          className={css.clear}
          onClick={onClear}
          aria-label={`Remove the filter ${name} ${value}`}
        >
          <IconX size={12} stroke={2} aria-hidden />
        </UnstyledButton>
      )}
    </span>
  );
}

type ChoiceProps = {
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
};

/** One choice behind a chip. */
export function Choice({ chosen, onChoose, children }: ChoiceProps) {
  return (
    <UnstyledButton className={css.choice} onClick={onChoose} aria-pressed={chosen}>
      {children}
    </UnstyledButton>
  );
}
