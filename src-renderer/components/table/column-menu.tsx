import { ActionIcon, Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { IconColumns3, IconMinus, IconPlus } from '../../core/icons/icons.ts';
import css from './column-menu.module.css';
import { type Resize, resizeStep } from './sort-head.tsx';
import { allowedWidth, type TableColumn } from './table-column.ts';

type ColumnMenuProps<Row> = {
  readonly columns: readonly TableColumn<Row>[];
  readonly hidden: readonly string[];
  /** Columns that are shown now; a chosen one that is not lacks room. */
  readonly shown: readonly TableColumn<Row>[];
  /** Pixels of the columns that were resized. */
  readonly resized: Readonly<Record<string, number>>;
  /** Pixels a column has now. */
  readonly widthOf: (column: string) => number | undefined;
  readonly onHide: (hidden: readonly string[]) => void;
  readonly onResize: Resize;
  readonly onReset: () => void;
};

/** The choice of a table's columns and of their widths, at the end of its head. */
export function ColumnMenu<Row>(props: ColumnMenuProps<Row>) {
  const { columns, hidden, shown, resized, widthOf, onHide, onResize, onReset } = props;
  const [opened, setOpened] = useState(false);
  const isResized = Object.keys(resized).length > 0;
  const resize = (id: string, by: number) => {
    const width = widthOf(id);
    if (width !== undefined) onResize(id, allowedWidth(width + by), true);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={280}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <ActionIcon
          className={css.open}
          variant="transparent"
          size={24}
          aria-label="Columns"
          title="Columns"
          aria-haspopup="dialog"
          data-chosen={hidden.length > 0 || isResized}
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
              <li key={id} className={css.column}>
                <label className={css.choice}>
                  <input
                    type="checkbox"
                    checked={chosen}
                    disabled={link}
                    onChange={() => onHide(chosen ? [...hidden, id] : hidden.filter((name) => name !== id))}
                  />
                  <span className={css.title}>{title}</span>
                  {chosen && !shown.includes(column) && <span className={css.note}>no room</span>}
                </label>
                {shown.includes(column) && (
                  <>
                    <ActionIcon
                      variant="transparent"
                      size={24}
                      aria-label={`Narrow ${title}`}
                      onClick={() => resize(id, -resizeStep)}
                    >
                      <IconMinus size={12} stroke={2} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="transparent"
                      size={24}
                      aria-label={`Widen ${title}`}
                      onClick={() => resize(id, resizeStep)}
                    >
                      <IconPlus size={12} stroke={2} aria-hidden />
                    </ActionIcon>
                  </>
                )}
              </li>
            );
          })}
        </ul>
        <UnstyledButton className={css.reset} disabled={hidden.length === 0} onClick={() => onHide([])}>
          Show all columns
        </UnstyledButton>
        <UnstyledButton className={css.reset} disabled={!isResized} onClick={onReset}>
          Reset widths
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  );
}
