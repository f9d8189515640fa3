import { ActionIcon, Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { IconColumns3 } from '../../core/icons/icons.ts';
import css from './column-menu.module.css';
import type { TableColumn } from './table-column.ts';

type ColumnMenuProps<Row> = {
  readonly columns: readonly TableColumn<Row>[];
  readonly hidden: readonly string[];
  /** Columns that are shown now; a chosen one that is not lacks room. */
  readonly shown: readonly TableColumn<Row>[];
  /** Pixels between the button and the right edge of the table. */
  readonly inset: number;
  readonly onChange: (hidden: readonly string[]) => void;
};

/** The choice of a table's columns, at the end of its head. */
export function ColumnMenu<Row>({ columns, hidden, shown, inset, onChange }: ColumnMenuProps<Row>) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={240}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <ActionIcon
          className={css.open}
          style={{ right: inset }}
          variant="transparent"
          size={24}
          aria-label="Columns"
          title="Columns"
          aria-haspopup="dialog"
          data-chosen={hidden.length > 0}
          onClick={() => setOpened(!opened)}
        >
          <IconColumns3 size={14} stroke={2} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ul className={css.list}>
          {columns.map((column) => {
            const { id, title, link = false } = column;
            const chosen = link || !hidden.includes(id);
            return (
              <li key={id}>
                <label className={css.choice}>
                  <input
                    type="checkbox"
                    checked={chosen}
                    disabled={link}
                    onChange={() => onChange(chosen ? [...hidden, id] : hidden.filter((name) => name !== id))}
                  />
                  <span className={css.title}>{title}</span>
                  {chosen && !shown.includes(column) && <span className={css.note}>no room</span>}
                </label>
              </li>
            );
          })}
        </ul>
        <UnstyledButton className={css.reset} disabled={hidden.length === 0} onClick={() => onChange([])}>
          Show all columns
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  );
}
